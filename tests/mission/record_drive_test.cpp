#include "forerun/mission/record_drive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/support/outings.hpp"

namespace forerun::mission {
namespace {

TEST(RecordDrive, VelocitiesByHandAreRecordedFromRestToRest) {
  const Outing outing(sim::kExact);
  const HandCommand commands[] = {{0, {0.3, 0, 0}}, {4, {0, 0, 0.5}}, {6, {0.2, 0, 0}}};
  const RecordedPath path = record_commands(*outing.model, commands);
  EXPECT_EQ(path.front().pose, (Pose2{1.5, 1.5, 0}));
  EXPECT_NEAR(path.back().velocity.vx, 0, 1e-9);
  EXPECT_NEAR(path.back().pose.theta, 1, 0.3);
  EXPECT_GT(path.back().pose.x, 2.3);
  EXPECT_EQ(path.back().wheels.size(), 2u);
  for (std::size_t i = 1; i < path.size(); ++i) EXPECT_GT(path[i].time, path[i - 1].time);
}

TEST(RecordDrive, GoalsThatTakeTooLongAreAnError) {
  const Outing outing(sim::kExact, {{"there", {8.5, 4}, 0}});
  const auto path = record_goals(*outing.model, 100);
  ASSERT_TRUE(path);
  EXPECT_FALSE(path->front().waypoint);
  EXPECT_TRUE(std::any_of(path->begin(), path->end(), [](const PathPoint& point) { return point.waypoint; }));
  EXPECT_NEAR(path->back().velocity.vx, 0, 1e-9);
  const auto late = record_goals(*outing.model, 5);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "the robot reached 0 of 1 goals within 5 s");
}

TEST(RecordDrive, ActionsAreWhereTheRobotHasWaited) {
  const Outing outing(sim::kExact, {{"there", {8.5, 4}, kActionWait}, {"on", {10, 4}, 0}, {"end", {11, 4.5}, 0}});
  const std::string actions[] = {"photo", "", "look"};
  const auto path = record_goals(*outing.model, 200, actions);
  ASSERT_TRUE(path) << path.error().message;
  std::vector<PathPoint> acting;
  std::copy_if(path->begin(), path->end(), std::back_inserter(acting), [](const auto& p) { return !p.action.empty(); });
  ASSERT_EQ(acting.size(), 2u);
  EXPECT_EQ(acting[0].action, "photo");
  EXPECT_LT(distance(acting[0].pose.position(), {8.5, 4}), 0.3);
  EXPECT_NEAR(acting[0].velocity.vx, 0, 0.05);
  EXPECT_EQ(acting[1].action, "look");
  EXPECT_LT(distance(acting[1].pose.position(), {11, 4.5}), 0.3);
}

// What pushes against a wall is noted, also between two points of the path.
TEST(RecordDrive, ContactsAreRecorded) {
  robot::Description robot = make_hall_robot();
  robot.sensors.push_back(robot::BumperRing{.count = 8, .low = 0.05, .high = 0.5, .rate_hz = 50});
  const Outing outing(sim::kExact, {}, 1, robot);
  const HandCommand commands[] = {{0, {-0.3, 0, 0}}, {6, {0.3, 0, 0}}, {8, {}}};
  const RecordedPath path = record_commands(*outing.model, commands);
  EXPECT_EQ(count_bumps(path), 1);
}

}  // namespace
}  // namespace forerun::mission
