// How well the robot's position is predicted (PSS-14): a simulated robot drives, its reports are cut out, and every
// report is scored at every gap as if all later ones were lost.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/learn/drive.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/study/scoring.hpp"
#include "forerun/study/workers.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct OfficeParams {
  double interval_s = 6;  // between two reports [s]
  double loss = 0.3;      // of the messages, where trajectories are shown; for the figures each counts
  int runs = 20;
  std::uint64_t seed = 1;
  bool mission = false;                           // the robot drives the scenario as a mission that both sides know
  bool localize = false;                          // it drives by its own localization, not by the level's error
  bool changes = true;                            // its reports tell where the world is not as its model says
  std::vector<Method> methods = known_methods();  // that are scored
};

template <class Visit>
void visit_fields(OfficeParams& p, Visit&& visit) {
  visit("interval_s", p.interval_s, Field{0.1, 60, "between two reports [s]"});
  visit("loss", p.loss, Field{0, 0.99, "share of the reports that never arrive, in the trajectories shown"});
  visit("runs", p.runs, Field{1, 10000, "drives, with different chance each"});
  visit("seed", p.seed, Field{.about = "of the first drive"});
}

struct OfficeResult {
  Scores absolute;              // positions: as the papers have it
  Scores relative;              // the motion since the message
  double max_shown_step_m = 0;  // farthest that what is shown moves from one frame to the next
  double path_length_m = 0;     // mean of the runs
  double duration_s = 0;        // mean of the runs
};

// What a simulated robot does beside driving.
struct DriveManner {
  bool localize = false;  // drives by its own localization
  bool changes = true;    // finds and tells where the world is not as its model says, and plans by that
};

// One drive of the scenario, with its reports; `seed` decides all of its chance.
[[nodiscard]] Result<learn::Drive> simulate_drive(const sim::Setting& inputs, double interval_s, std::uint64_t seed,
                                                  const DriveManner& manner = {});

// An error where `on_progress` ended it early.
[[nodiscard]] Result<OfficeResult> run_office_study(const sim::Setting& inputs, const OfficeParams& params,
                                                    const OnProgress& on_progress = {});

}  // namespace forerun::study
