#include "forerun/sim/loop.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "forerun/navigate/navigator.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::sim {
namespace {

robot::Description make_robot() {
  robot::Description robot;
  robot.name = "test robot";
  robot.drive = robot::make_differential({});
  robot.sensors.push_back(robot::Laser{.height = 0.4, .beams = 180, .field_of_view = kPi});
  robot.sensors.push_back(robot::Laser{.mount = {0, 0, kPi}, .height = 0.4, .beams = 180, .field_of_view = kPi});
  return robot;
}

// A hall of 12 m by 6 m with a wall across it that leaves a gap at the top.
world::World hall() {
  world::World world = make_room({0, 0}, {12, 6});
  add_box(world, {6, 2, 0}, {0.2, 4}, 2);
  return world;
}

Scenario errand() {
  Scenario scenario;
  scenario.name = "errand";
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"east", {10, 1.5}, 2}, {"west", {2, 4.5}, 0}};
  scenario.time_limit = 200;
  return scenario;
}

struct Outing {
  Outing(const Setting& setting, std::uint64_t seed) : model(make_model(setting, seed)) {
    if (!model) return;
    navigator = std::make_unique<navigate::Navigator>(model->planning, model->robot);
    loop = std::make_unique<Loop>(*model, *navigator);
  }
  void to_the_end(double limit = 200) {
    while (!loop->finished() && to_seconds(loop->time()) < limit) loop->step();
  }
  Result<Model> model;
  std::unique_ptr<navigate::Navigator> navigator;
  std::unique_ptr<Loop> loop;
};

TEST(Loop, VisitsItsGoalsAtEveryLevelWithoutTouchingAnything) {
  const world::World world = hall();
  const robot::Description robot = make_robot();
  const Scenario scenario = errand();
  for (const Reality& reality : kRealities) {
    Outing run({world, robot, scenario, reality}, 3);
    ASSERT_TRUE(run.model.ok());
    run.to_the_end();
    EXPECT_EQ(run.loop->executive().state(), navigate::TaskState::done) << reality.name;
    EXPECT_EQ(run.loop->statistics().collisions, 0) << reality.name;
    EXPECT_GT(run.loop->plant().path_length(), 17) << reality.name;
    EXPECT_LT(distance(run.loop->truth().pose.position(), {2, 4.5}), 0.4) << reality.name;
  }
}

TEST(Loop, SameSeedSameBitsOtherSeedOtherBits) {
  const world::World world = hall();
  const robot::Description robot = make_robot();
  const Scenario scenario = errand();
  Outing a({world, robot, scenario, kNoisy}, 7), b({world, robot, scenario, kNoisy}, 7),
      c({world, robot, scenario, kNoisy}, 8);
  for (int i = 0; i < 4000; ++i) {
    a.loop->step();
    b.loop->step();
    c.loop->step();
  }
  EXPECT_EQ(a.loop->state_hash(), b.loop->state_hash());
  EXPECT_NE(a.loop->state_hash(), c.loop->state_hash());
}

TEST(Loop, StepsAllocateNothing) {
  const world::World world = hall();
  const robot::Description robot = make_robot();
  const Scenario scenario = errand();
  Outing run({world, robot, scenario, kCrowded}, 1);
  const AllocationCounter allocations;
  // long enough to reach a goal, wait, and plan to the next
  for (int i = 0; i < 20000 && !run.loop->finished(); ++i) run.loop->step();
  EXPECT_EQ(allocations.count(), 0u);
  EXPECT_GE(run.loop->executive().n_reached(), 1u);
}

TEST(Loop, ReportedPoseErrsByTheLevelsAmount) {
  const world::World world = make_room({0, 0}, {30, 6});
  const robot::Description robot = make_robot();
  Scenario scenario = errand();
  scenario.goals = {{"far", {28, 3}, 4000}};
  Outing run({world, robot, scenario, kMismatched}, 5);
  double x2 = 0, theta2 = 0;
  int n = 0;
  while (to_seconds(run.loop->time()) < 4000) {
    run.loop->step();
    const Pose2 truth = run.loop->truth().pose, reported = run.loop->reported_pose();
    x2 += square(reported.x - truth.x);
    theta2 += square(normalize_angle(reported.theta - truth.theta));
    ++n;
  }
  EXPECT_NEAR(std::sqrt(x2 / n), 0.05, 0.01);
  EXPECT_NEAR(std::sqrt(theta2 / n), kPi / 180, 0.004);
}

TEST(Loop, ControlPeriodVariesAsStated) {
  const world::World world = hall();
  const robot::Description robot = make_robot();
  const Scenario scenario = errand();
  // a control system that only notes when it is asked
  struct Clock final : navigate::ControlSystem {
    bool set_goal(std::optional<Vec2>) noexcept override { return true; }
    bool can_reach_goal_from(Vec2) const noexcept override { return true; }
    navigate::Decision decide(const navigate::Percept& percept) noexcept override {
      if (n > 0) {
        shortest = std::min(shortest, to_seconds(percept.time - last));
        longest = std::max(longest, to_seconds(percept.time - last));
      }
      ++n;
      last = percept.time;
      return {};
    }
    int n = 0;
    RobotTime last;
    double shortest = 1, longest = 0;
  } clock;
  const auto model = make_model({world, robot, scenario, kNoisy}, 1);
  Loop loop(*model, clock);
  while (to_seconds(loop.time()) < 100) loop.step();
  EXPECT_NEAR(clock.n, 400, 10);
  EXPECT_NEAR(clock.shortest, 0.23, 0.002);
  EXPECT_NEAR(clock.longest, 0.27, 0.002);
}

TEST(Loop, CountsABlindDriveIntoTheWallAsOneCollision) {
  const world::World world = make_room({0, 0}, {6, 6});
  const robot::Description robot = make_robot();
  Scenario scenario = errand();
  scenario.start = {3, 3, 0};
  scenario.goals = {{"corner", {1, 1}, 0}};
  struct Blind final : navigate::ControlSystem {
    bool set_goal(std::optional<Vec2>) noexcept override { return true; }
    bool can_reach_goal_from(Vec2) const noexcept override { return true; }
    navigate::Decision decide(const navigate::Percept&) noexcept override { return {{0.4, 0, 0}, {}, {}}; }
  } blind;
  const auto model = make_model({world, robot, scenario, kExact}, 1);
  Loop loop(*model, blind);
  while (to_seconds(loop.time()) < 20) loop.step();
  EXPECT_EQ(loop.statistics().collisions, 1);
  EXPECT_NEAR(loop.truth().pose.x, 6 - robot.footprint.radius, 0.01);
}

TEST(Model, SaysWhichGoalIsInAWallAndWhichCannotBeReached) {
  const world::World world = hall();
  const robot::Description robot = make_robot();
  Scenario scenario = errand();
  scenario.goals[1].position = {6, 2};
  const auto in_wall = make_model({world, robot, scenario, kNoisy}, 1);
  ASSERT_FALSE(in_wall.ok());
  EXPECT_EQ(in_wall.error().kind, ErrorKind::bad_input);
  EXPECT_NE(in_wall.error().message.find("goal 2 (west) at (6, 2)"), std::string::npos);

  world::World closed = world;
  add_box(closed, {6, 5, 0}, {0.2, 2.2}, 2);
  const auto cut_off = make_model({closed, robot, errand(), kNoisy}, 1);
  ASSERT_FALSE(cut_off.ok());
  EXPECT_EQ(cut_off.error().kind, ErrorKind::impossible);
  EXPECT_NE(cut_off.error().message.find("cannot be reached"), std::string::npos);
}

TEST(Model, FixedDoorsBecomePartOfTheWorld) {
  world::World world = hall();
  world.doors.push_back({.name = "gate", .hinge = {6, 4.1}, .width = 1.9, .closed_angle = kPi / 2, .open_angle = 0});
  const robot::Description robot = make_robot();
  Scenario scenario = errand();
  const auto fixed = make_model({world, robot, scenario, kExact}, 1);
  EXPECT_TRUE(fixed->cast.doors.empty());
  EXPECT_GT(fixed->world.triangles.size(), world.triangles.size());
  scenario.doors = {{"gate", 5, 15}};
  const auto moving = make_model({world, robot, scenario, kExact}, 1);
  EXPECT_EQ(moving->cast.doors.size(), 1u);
  EXPECT_EQ(moving->world.triangles.size(), world.triangles.size());
}

TEST(Loop, WaitsBehindAClosedDoorUntilItOpens) {
  world::World world = hall();
  world.doors.push_back({.name = "gate", .hinge = {6, 4.05}, .width = 1.9, .closed_angle = kPi / 2, .open_angle = 0});
  const robot::Description robot = make_robot();
  Scenario scenario = errand();
  scenario.goals.resize(1);
  scenario.doors = {{"gate", 0, 60}};
  Outing run({world, robot, scenario, kNoisy}, 1);
  while (to_seconds(run.loop->time()) < 55) run.loop->step();
  EXPECT_LT(run.loop->truth().pose.x, 6);
  run.to_the_end();
  EXPECT_EQ(run.loop->executive().n_reached(), 1u);
  EXPECT_EQ(run.loop->statistics().collisions, 0);
}

}  // namespace
}  // namespace forerun::sim
