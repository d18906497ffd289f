// A robot in a hall with a wall across it, ready to be driven in virtual time.
#pragma once

#include <memory>

#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun {

inline robot::Description make_hall_robot() {
  robot::Description robot;
  robot.name = "test robot";
  robot.drive = robot::make_differential({});
  robot.sensors.push_back(robot::Laser{.height = 0.4, .beams = 180, .field_of_view = kPi});
  robot.sensors.push_back(robot::Laser{.mount = {0, 0, kPi}, .height = 0.4, .beams = 180, .field_of_view = kPi});
  return robot;
}

// 12 m by 6 m; the wall at x = 6 leaves a gap at the top. A closed cell without a door stands in the corner.
inline world::World make_hall() {
  world::World world = make_room({0, 0}, {12, 6});
  add_box(world, {6, 2, 0}, {0.2, 4}, 2);
  add_box(world, {9.5, 1, 0}, {0.2, 2}, 2);
  add_box(world, {10.75, 2, 0}, {2.5, 0.2}, 2);
  return world;
}

// Begins at (1.5, 1.5), looking east; without goals it stands.
struct Outing {
  explicit Outing(const sim::Reality& reality, const std::vector<sim::Goal>& goals = {}, std::uint64_t seed = 1,
                  const robot::Description& robot = make_hall_robot())
      : model(make(reality, goals, seed, robot)),
        navigator(std::make_unique<navigate::Navigator>(model->planning, model->robot)),
        loop(std::make_unique<sim::Loop>(*model, *navigator)) {}

  void run(double seconds) {
    const RobotTime end = loop->time() + from_seconds(seconds);
    while (loop->time() < end) loop->step();
  }
  sim::CommandOutcome goal(Vec2 place) { return loop->command({robot::CommandKind::goal, place, {}}); }
  sim::CommandOutcome drive(const robot::Twist& velocity) {
    return loop->command({robot::CommandKind::drive, {}, velocity});
  }
  sim::CommandOutcome cancel() { return loop->command({robot::CommandKind::cancel, {}, {}}); }
  sim::CommandOutcome stop() { return loop->command({robot::CommandKind::stop, {}, {}}); }
  [[nodiscard]] double speed() const { return loop->truth().velocity.vx; }

  Result<sim::Model> model;
  std::unique_ptr<navigate::Navigator> navigator;
  std::unique_ptr<sim::Loop> loop;

 private:
  static Result<sim::Model> make(const sim::Reality& reality, const std::vector<sim::Goal>& goals, std::uint64_t seed,
                                 const robot::Description& robot) {
    sim::Scenario scenario;
    scenario.start = {1.5, 1.5, 0};
    scenario.goals = goals;
    return sim::make_model({make_hall(), robot, scenario, reality}, seed);
  }
};

}  // namespace forerun
