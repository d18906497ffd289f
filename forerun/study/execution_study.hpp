// Missions executed in simulated reality, half of them with something planted that the robot must notice (DEC-10).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/trial.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::study {

struct ExecutionParams {
  int missions = 120;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(ExecutionParams& p, Visit&& visit) {
  visit("missions", p.missions, Field{1, 100000, "missions, every second one with something planted"});
  visit("seed", p.seed, Field{.about = "of the missions, of the faults and of all chance"});
}

// One mission and what came of it.
struct ExecutionRun {
  double length_m = 0;    // of the path [m]
  double duration_s = 0;  // planned [s]
  mission::Fault fault;
  mission::Trial trial;

  // Reality departed from the rehearsal before the robot was done or gave up.
  [[nodiscard]] bool departed() const { return trial.fault_in_effect; }
  [[nodiscard]] bool handed_back() const { return trial.state == mission::MissionState::handed_back; }
  // For the reason that fits what was planted, or because somebody truly stood in the way.
  [[nodiscard]] bool handed_back_correctly() const;
  // Neither was anything planted in effect, nor did anybody stand in the way.
  [[nodiscard]] bool is_false_alarm() const;
};

struct ExecutionResult {
  std::vector<ExecutionRun> runs;
};

// `setting` has the world, the robot and the reality; its scenario does not matter.
[[nodiscard]] Result<ExecutionResult> run_execution_study(const sim::Setting& setting, const ExecutionParams& params,
                                                          const OnProgress& on_progress = {});

[[nodiscard]] nlohmann::ordered_json to_json(const ExecutionResult& result);

}  // namespace forerun::study
