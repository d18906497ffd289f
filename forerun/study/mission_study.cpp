#include "forerun/study/mission_study.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "forerun/draw/mission_page.hpp"
#include "forerun/mission/rehearsal.hpp"
#include "forerun/mission/wall_follower.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::study {
namespace {

// Drives until the time is up and it follows the wall, so that the try-out does not end in a bump.
Result<mission::RecordedPath> try_out(const MissionParams& params, const world::World& world,
                                      const robot::Description& robot) {
  Random random(params.seed, 0x5eed);
  sim::Scenario scenario;
  scenario.start = {2.9 + random.uniform(-0.05, 0.05), 1.7 + random.uniform(-0.15, 0.15),
                    kPi / 2 + random.uniform(-0.15, 0.15)};
  const auto model = sim::make_model({world, robot, scenario, sim::kExact}, params.seed);
  if (!model) return model.error();
  mission::WallFollower follower(model->robot);
  sim::Loop loop(*model, follower);
  mission::PathRecorder recorder;
  recorder.take(loop);
  double followed_since = 0;
  while (to_seconds(loop.time()) < params.duration_s || to_seconds(loop.time()) - followed_since < 1) {
    loop.step();
    recorder.take(loop);
    if (!follower.follows()) followed_since = to_seconds(loop.time());
  }
  return recorder.path();
}

}  // namespace

Result<MissionResult> run_mission_study(const MissionParams& params) {
  MissionResult result{.world = mission::make_right_angled_wall(), .robot = mission::make_wall_follower_robot()};
  auto recorded = try_out(params, result.world, result.robot);
  if (!recorded) return recorded.error();
  result.recorded = std::move(*recorded);
  // rounds of the wall are what it is for: only bumps and short ways back are redundant
  const mission::Redundancy redundancy{.bump_m = 1.5, .back_and_forth_m = 1.5, .loop_m = 1.5, .dwell_s = 5};
  result.trim = mission::find_cuts(result.recorded, redundancy);
  result.trimmed = mission::apply_cuts(result.recorded, result.trim.cuts);
  result.spiky = mission::with_spikes(result.trimmed);
  auto control = mission::compute_control(result.trimmed, result.robot, {});
  if (!control) return control.error();
  result.timed = std::move(control->path);
  const mission::Mission mission{.name = "wall",
                                 .world = result.world.name,
                                 .robot = result.robot.name,
                                 .fingerprint = mission::fingerprint_of(result.robot),
                                 .path = result.timed};
  auto trial = mission::rehearse(mission, result.world, result.robot);
  if (!trial) return trial.error();
  result.trial = std::move(*trial);
  return result;
}

nlohmann::ordered_json to_json(const MissionResult& r) {
  const std::vector<double> efforts = mission::wheel_effort(r.timed, r.robot);
  return {{"bumps_before", mission::count_bumps(r.recorded)},
          {"bumps_after", mission::count_bumps(r.trial.driven)},
          {"length_before_m", mission::lengths_along(r.recorded).back()},
          {"length_after_m", mission::lengths_along(r.trial.driven).back()},
          {"duration_before_s", r.recorded.back().time},
          {"duration_after_s", r.trial.duration_s},
          {"max_wheel_accel_over_limit", efforts.empty() ? 0.0 : *std::max_element(efforts.begin(), efforts.end())},
          {"min_clearance_m", r.trial.min_clearance_m},
          {"pinch_points", r.trim.pinches.size()}};
}

std::string mission_page(const MissionResult& r, const MissionParams& params) {
  return draw::mission_page({r.world, r.robot, r.recorded, r.trim, r.spiky, r.timed, r.trial, params.seed});
}

}  // namespace forerun::study
