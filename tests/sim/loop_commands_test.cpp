#include <gtest/gtest.h>

#include <cmath>

#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::sim {
namespace {

using navigate::TaskState;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LoopCommands, WithoutGoalsTheRobotStandsAtEveryLevel) {
  for (const Reality& reality : kRealities) {
    Outing outing(reality);
    ASSERT_TRUE(outing.model.ok());
    outing.run(20);
    EXPECT_EQ(outing.loop->executive().state(), TaskState::idle) << reality.name;
    EXPECT_EQ(outing.loop->plant().path_length(), 0) << reality.name;
    EXPECT_EQ(outing.loop->statistics().collisions, 0) << reality.name;
  }
}

TEST(LoopCommands, AGoalIsDrivenTo) {
  Outing outing(kNoisy);
  outing.run(3.1);
  EXPECT_EQ(outing.goal({3.5, 4.5}), CommandOutcome::accepted);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::driving);
  outing.run(40);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::done);
  EXPECT_LT(distance(outing.loop->truth().pose.position(), {3.5, 4.5}), 0.4);
}

TEST(LoopCommands, ANewGoalReplacesAllOthers) {
  Outing outing(kExact, {{"east", {10, 4}, 0}, {"back", {1, 1}, 0}});
  outing.run(5);
  EXPECT_EQ(outing.goal({2, 5}), CommandOutcome::accepted);
  outing.run(60);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::done);
  EXPECT_EQ(outing.loop->executive().n_reached(), 1u);
  EXPECT_LT(distance(outing.loop->truth().pose.position(), {2, 5}), 0.3);
}

TEST(LoopCommands, AGoalThatCannotBeIsRefusedAndTheOldOneReached) {
  Outing outing(kExact, {{"east", {10, 4}, 0}});
  outing.run(4);
  EXPECT_EQ(outing.goal({6, 2}), CommandOutcome::cannot_stand);           // in the wall
  EXPECT_EQ(outing.goal({0.1, 3}), CommandOutcome::cannot_stand);         // too near to one
  EXPECT_EQ(outing.goal({50, 3}), CommandOutcome::cannot_stand);          // outside
  EXPECT_EQ(outing.goal({1e300, -1e300}), CommandOutcome::cannot_stand);  // far outside
  EXPECT_EQ(outing.goal({kNaN, 3}), CommandOutcome::not_a_number);
  EXPECT_EQ(outing.goal({10.8, 1}), CommandOutcome::cannot_get_there);  // in the closed cell
  EXPECT_EQ(outing.loop->executive().state(), TaskState::driving);
  outing.run(60);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::done);
  EXPECT_LT(distance(outing.loop->truth().pose.position(), {10, 4}), 0.3);
}

TEST(LoopCommands, CancelBringsItToRestAndItStaysThere) {
  Outing outing(kExact, {{"east", {10, 4}, 0}, {"back", {1, 1}, 0}});
  outing.run(4);
  ASSERT_GT(outing.speed(), 0.2);
  EXPECT_EQ(outing.cancel(), CommandOutcome::accepted);
  outing.run(2);
  EXPECT_EQ(outing.speed(), 0);
  const Pose2 rest = outing.loop->truth().pose;
  outing.run(10);
  EXPECT_EQ(outing.loop->truth().pose, rest);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::cancelled);
  EXPECT_EQ(outing.loop->helm(), Helm::goals);
}

TEST(LoopCommands, StopBrakesAtOnceAsHardAsTheLimitsAllow) {
  const robot::Description robot = make_hall_robot();
  Outing outing(kExact, {{"east", {4.9, 1.5}, 0}});
  outing.run(3);
  // just after a decision, when the next one is still far
  while (outing.loop->next_decision() - outing.loop->time() < from_seconds(0.2)) outing.loop->step();
  const double v = outing.speed();
  ASSERT_GT(v, 0.3);
  const double before = outing.loop->plant().path_length();
  const RobotTime start = outing.loop->time();
  outing.stop();
  EXPECT_EQ(outing.loop->helm(), Helm::stopped);
  while (outing.loop->plant().moves()) outing.loop->step();
  const double tick = to_seconds(kTick);
  EXPECT_NEAR(to_seconds(outing.loop->time() - start), v / robot.limits.deceleration, 2 * tick);
  EXPECT_NEAR(outing.loop->plant().path_length() - before, v * v / (2 * robot.limits.deceleration), 2 * tick * v);
}

TEST(LoopCommands, AStopHoldsUntilTheNextGoalOrDrive) {
  Outing outing(kNoisy, {{"east", {10, 4}, 0}});
  outing.run(4);
  outing.stop();
  outing.run(5);
  const Vec2 rest = outing.loop->truth().pose.position();
  outing.cancel();
  outing.drive({0, 0, 0});
  outing.run(30);
  EXPECT_EQ(outing.loop->helm(), Helm::stopped);
  EXPECT_LT(distance(outing.loop->truth().pose.position(), rest), 1e-3);
  // a refused goal is none
  EXPECT_EQ(outing.goal({6, 2}), CommandOutcome::cannot_stand);
  EXPECT_EQ(outing.loop->helm(), Helm::stopped);
  EXPECT_EQ(outing.goal({2, 5}), CommandOutcome::accepted);
  outing.run(60);
  EXPECT_LT(distance(outing.loop->truth().pose.position(), {2, 5}), 0.3);

  outing.stop();
  outing.drive({0, 0, 0.5});
  outing.run(1);
  EXPECT_GT(outing.loop->truth().velocity.w, 0.3);
}

TEST(LoopCommands, VelocitiesByHandAreHeldWithinTheLimits) {
  Outing outing(kExact);
  EXPECT_EQ(outing.drive({99, 3, -99}), CommandOutcome::accepted);
  EXPECT_EQ(outing.loop->decision().command, (robot::Twist{0.5, 0, -1}));  // a differential drive has no sideways
  outing.run(2);
  EXPECT_EQ(outing.loop->helm(), Helm::hand);
  EXPECT_NEAR(outing.speed(), 0.5, 1e-9);
  EXPECT_NEAR(outing.loop->truth().velocity.w, -1, 1e-9);
  EXPECT_EQ(outing.drive({kNaN, 0, 0}), CommandOutcome::not_a_number);
  EXPECT_EQ(outing.loop->helm(), Helm::hand);
  outing.drive({-0.2, 0, 0});
  outing.run(3);
  EXPECT_NEAR(outing.speed(), -0.2, 1e-9);
}

TEST(LoopCommands, ZerosOrCancelEndHandDriving) {
  for (const bool zeros : {true, false}) {
    Outing outing(kExact);
    outing.drive({0.4, 0, 0});
    outing.run(1.5);
    ASSERT_GT(outing.speed(), 0.3);
    zeros ? outing.drive({0, 0, 0}) : outing.cancel();
    EXPECT_EQ(outing.loop->helm(), Helm::goals);
    outing.run(2);
    EXPECT_EQ(outing.speed(), 0);
  }
}

TEST(LoopCommands, HandDrivingEndsGoalsForGood) {
  Outing outing(kExact, {{"east", {10, 4}, 0}});
  outing.run(2);
  outing.drive({0.1, 0, 0});
  outing.run(1);
  outing.drive({0, 0, 0});
  outing.run(20);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::cancelled);
  EXPECT_LT(outing.loop->truth().pose.x, 4);
}

robot::Description make_long_robot() {
  robot::Description robot = make_hall_robot();
  robot.footprint.corners.clear();
  for (const Vec2 corner : {Vec2{-0.2, -0.2}, Vec2{0.4, -0.2}, Vec2{0.4, 0.2}, Vec2{-0.2, 0.2}}) {
    robot.footprint.corners.push_back(corner);
  }
  robot.footprint.radius = length(Vec2{0.4, 0.2});
  return robot;
}

// Drives ahead until nothing moves any more, then lets go, as a hand does that meets resistance.
void drive_against_what_is_ahead(Outing& outing) {
  outing.drive({0.5, 0, 0});
  outing.run(12);
  outing.drive({0, 0, 0});
  outing.run(3);
  // once more, and slower
  outing.drive({0.03, 0, 0});
  outing.run(2);
  outing.drive({0, 0, 0});
  outing.run(3);
}

void expect_to_get_away(Outing& outing, const char* name) {
  const Pose2 there = outing.loop->truth().pose;
  const int collisions = outing.loop->statistics().collisions;
  outing.drive({-0.3, 0, 0});
  outing.run(2);
  EXPECT_LT(outing.loop->truth().pose.x, there.x - 0.3) << name;
  EXPECT_EQ(outing.loop->statistics().collisions, collisions) << name;
  outing.drive({0, 0, 0.8});
  outing.run(2);
  EXPECT_GT(normalize_angle(outing.loop->truth().pose.theta - there.theta), 0.8) << name;
  EXPECT_EQ(outing.goal({3.5, 4.5}), CommandOutcome::accepted) << name;
  outing.run(60);
  EXPECT_EQ(outing.loop->executive().state(), TaskState::done) << name;
  EXPECT_LT(distance(outing.loop->truth().pose.position(), {3.5, 4.5}), 0.4) << name;
}

TEST(LoopCommands, BacksOutOfAWallThatItWasDrivenInto) {
  for (const robot::Description& robot : {make_hall_robot(), make_long_robot()}) {
    for (const Reality& reality : {kExact, kNoisy, kMismatched}) {
      Outing outing(reality, {}, 1, robot);
      drive_against_what_is_ahead(outing);
      const double front = robot.footprint.is_disc() ? robot.footprint.radius : 0.4;
      EXPECT_NEAR(outing.loop->truth().pose.x, 5.9 - front, 0.02) << reality.name;
      EXPECT_GE(outing.loop->statistics().collisions, 1) << reality.name;
      EXPECT_LE(outing.loop->statistics().collisions, 2) << reality.name;  // the second push may be a second one
      expect_to_get_away(outing, reality.name);
    }
  }
}

TEST(LoopCommands, GetsAwayFromABoxAndFromAPerson) {
  for (const bool person : {true, false}) {
    Outing outing(kNoisy);
    if (person) {
      // goes nowhere
      outing.model->cast.people.push_back(make_person({{4, 1.5}, {4.001, 1.5}}, 0.001, 0, 0.1));
    } else {
      outing.model->cast.boxes.push_back(world::make_box({4, 1.5, 0.3}, {0.4, 0.4}, 0.5, 0));
    }
    outing.loop = std::make_unique<Loop>(*outing.model, *outing.navigator);
    drive_against_what_is_ahead(outing);
    EXPECT_LT(outing.loop->truth().pose.x, 4) << person;
    EXPECT_GE(outing.loop->statistics().collisions, 1) << person;
    expect_to_get_away(outing, person ? "person" : "box");
  }
}

TEST(LoopCommands, PressingOnIsOneCollisionAndLeadsNoDeeper) {
  Outing outing(kExact);
  outing.drive({0.5, 0, 0});
  outing.run(12);
  const Pose2 there = outing.loop->truth().pose;
  outing.run(30);
  EXPECT_EQ(outing.loop->statistics().collisions, 1);
  EXPECT_NEAR(outing.loop->truth().pose.x, there.x, 1e-4);
  EXPECT_LE(outing.loop->truth().pose.x, 5.9 - outing.model->robot.footprint.radius);
}

TEST(LoopCommands, ADiscTurnsWhileItPressesAndALongRobotOnlyWhereThereIsRoom) {
  for (const bool disc : {true, false}) {
    Outing outing(kExact, {}, 1, disc ? make_hall_robot() : make_long_robot());
    outing.drive({0.5, 0, 0});
    outing.run(12);
    outing.drive({0.3, 0, 1});
    outing.run(0.8);
    const Pose2& pose = outing.loop->truth().pose;
    if (disc) {
      EXPECT_GT(pose.theta, 0.3);
    } else {
      // its front corner would go into the wall
      EXPECT_NEAR(pose.theta, 0, 0.02);
    }
  }
}

TEST(LoopCommands, OmnidirectionalRobotsDriveSideways) {
  robot::Description robot = make_hall_robot();
  robot::OmniGeometry wheels;
  for (const double bearing : {1.0, 3.1, 5.2}) wheels.bearings.push_back(bearing);
  robot.drive = robot::make_omni(wheels);
  Outing outing(kExact, {}, 1, robot);
  outing.drive({0, 0.3, 0});
  EXPECT_GT(make_report(*outing.loop, {}).acceleration.vy, 0.2);
  outing.run(5);
  EXPECT_GT(outing.loop->truth().pose.y, 2.5);
  EXPECT_NEAR(outing.loop->truth().pose.x, 1.5, 1e-6);
}

TEST(LoopCommands, TheSameCommandsAtTheSameTimesGiveTheSameBits) {
  const auto drive = [](double stop_at) {
    Outing outing(kCrowded, {{"east", {10, 4}, 0}}, 5);
    outing.run(3);
    outing.drive({0.2, 0, 0.1});
    outing.run(stop_at);
    outing.stop();
    outing.run(2);
    outing.goal({2, 5});
    outing.run(10);
    return outing.loop->state_hash();
  };
  EXPECT_EQ(drive(1), drive(1));
  EXPECT_NE(drive(1), drive(1.1));
}

TEST(LoopCommands, CommandsAllocateNothing) {
  Outing outing(kNoisy, {{"east", {10, 4}, 0}});
  outing.run(2);
  const AllocationCounter allocations;
  outing.goal({10.8, 1});
  outing.goal({2, 5});
  outing.run(1);
  outing.drive({0.1, 0, 0.2});
  outing.run(1);
  outing.stop();
  outing.cancel();
  outing.run(1);
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::sim
