// The wall follower of paper 5, tried out, trimmed and driven again without a bump (DEC-9).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/control.hpp"
#include "forerun/mission/trial.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct MissionParams {
  std::uint64_t seed = 1;
  double duration_s = 150;  // of the try-out [s]
};

template <class Visit>
void visit_fields(MissionParams& p, Visit&& visit) {
  visit("seed", p.seed, Field{.about = "of the sensors' noise and of where it starts"});
  visit("duration_s", p.duration_s, Field{10, 3600, "of the try-out [s]"});
}

struct MissionResult {
  world::World world;
  robot::Description robot;
  mission::RecordedPath recorded;
  mission::Trim trim;
  mission::TrimmedPath trimmed;
  mission::TimedPath spiky;  // the trimmed path as it is
  mission::TimedPath timed;  // within the limits
  mission::Trial trial;      // driven again
};

[[nodiscard]] Result<MissionResult> run_mission_study(const MissionParams& params);

[[nodiscard]] nlohmann::ordered_json to_json(const MissionResult& result);

// Pictures like the paper's figures 4 to 9, in one page.
[[nodiscard]] std::string mission_page(const MissionResult& result, const MissionParams& params);

}  // namespace forerun::study
