// How well is a robot predicted that Forerun was not written for? Drives the office delivery with the pure-pursuit
// robot of pure_pursuit.hpp and compares, at reports every six seconds, where three methods expect it six seconds
// later.
#include "examples/pure_pursuit.hpp"

#include <cstdio>
#include <string>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/extrapolation.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::examples {
namespace {

constexpr Duration kInterval = from_seconds(6);

// Where each method expects the robot at the next report.
struct Expected {
  Vec2 constant_velocity, with_navigator, with_pure_pursuit;
};

struct Errors {
  int n = 0;
  double constant_velocity = 0, with_navigator = 0, with_pure_pursuit = 0;  // sums [m]

  void add(const Expected& expected, Vec2 truth) {
    ++n;
    constant_velocity += distance(expected.constant_velocity, truth);
    with_navigator += distance(expected.with_navigator, truth);
    with_pure_pursuit += distance(expected.with_pure_pursuit, truth);
  }
};

Vec2 run_ahead(predict::Replica& replica, const robot::Report& report) {
  replica.resync(report);
  replica.advance(report.time + kInterval);
  return replica.state().pose.position();
}

// Drives until all goals are reached or the time is up.
Errors drive(sim::Loop& robot, double time_limit, predict::Replica& with_navigator,
             predict::Replica& with_pure_pursuit) {
  Errors errors;
  while (!robot.finished() && to_seconds(robot.time()) < time_limit) {
    const robot::Report report = sim::make_report(robot, {});
    const Expected expected{robot::extrapolate(report, kInterval).pose.position(), run_ahead(with_navigator, report),
                            run_ahead(with_pure_pursuit, report)};
    while (!robot.finished() && robot.time() < report.time + kInterval) robot.step();
    if (!robot.finished()) errors.add(expected, robot.truth().pose.position());
  }
  std::printf("%s after %.0f s and %.1f m, %d collisions\n", robot::to_string(robot.executive().state()),
              to_seconds(robot.time()), robot.plant().path_length(), robot.statistics().collisions);
  return errors;
}

Result<Errors> compare() {
  // the files
  const auto path = io::find_file(io::FileKind::scenario, "office-delivery");
  if (!path) return path.error();
  const auto scenario = io::load_scenario(*path);
  if (!scenario) return scenario.error();
  const auto world = atlas::load_world(scenario->world);
  if (!world) return world.error();
  auto robot = io::load_robot(scenario->robot);
  if (!robot) return robot.error();
  // everybody knows how fast it drives: what differs is only who decides
  robot->limits.max_speed = PurePursuitParams{}.speed_mps;

  // the robot: noisy motors and sensors, and a control system that is not Forerun's
  const auto truth = sim::make_model({*world, *robot, *scenario, sim::kNoisy}, 1);
  if (!truth) return truth.error();
  PurePursuit own(truth->planning, truth->robot);
  sim::Loop loop(*truth, own);

  // its copies: they see through the sensors of the replica's model, so that is the robot they are told about
  const auto model = predict::make_replica_model(*world, *robot);
  if (!model) return model.error();
  navigate::Navigator navigator(model->planning, model->robot);
  PurePursuit copy(model->planning, model->robot);
  predict::Replica with_navigator(*model, navigator), with_pure_pursuit(*model, copy);
  return drive(loop, scenario->time_limit, with_navigator, with_pure_pursuit);
}

}  // namespace
}  // namespace forerun::examples

int main() {
  const auto errors = forerun::examples::compare();
  if (!errors) {
    std::fprintf(stderr, "%s\n", errors.error().message.c_str());
    return 2;
  }
  const double n = errors->n > 0 ? errors->n : 1;
  std::printf("mean error 6 s after %d reports\n", errors->n);
  std::printf("  constant velocity                %.3f m\n", errors->constant_velocity / n);
  std::printf("  replica with Forerun's navigator %.3f m\n", errors->with_navigator / n);
  std::printf("  replica with its own control     %.3f m\n", errors->with_pure_pursuit / n);
}
