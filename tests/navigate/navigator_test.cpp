#include "forerun/navigate/navigator.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "forerun/sense/sensors.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::navigate {
namespace {

robot::Description make_robot() {
  robot::Description robot;
  robot.footprint.radius = 0.27;
  robot.sensors.push_back(robot::Laser{.height = 0.4, .beams = 361, .field_of_view = kTwoPi, .noise = 0});
  return robot;
}

// A corridor of 12 m by 2.4 m; what stands in it besides is known to the sensors only.
struct Corridor {
  world::World world = make_room({0, 0}, {12, 2.4});
  robot::Description robot = make_robot();
  PlanningModel planning = std::move(*make_planning_model(world, robot));
  sense::Sensors sensors{world, robot};
  sense::Readings readings = sense::make_readings(robot);
  Navigator navigator{planning, robot};
  Random random{1};

  Decision decide(const Pose2& pose, const std::vector<world::Mover>& things, double time = 0) {
    sensors.read(0, {pose, things}, random, readings.sensors[0]);
    readings.sensors[0].odometry = pose;
    return navigator.decide({RobotTime{} + from_seconds(time), pose, pose, {}, readings});
  }
};

TEST(Navigator, StandsWithoutAGoal) {
  Corridor corridor;
  EXPECT_EQ(corridor.decide({2, 1.2, 0}, {}).command, robot::Twist{});
}

TEST(Navigator, RefusesAGoalWhereItCannotStand) {
  Corridor corridor;
  EXPECT_FALSE(corridor.navigator.set_goal(Vec2{5, 0.1}));
  EXPECT_FALSE(corridor.navigator.set_goal(Vec2{50, 1}));
  EXPECT_FALSE(corridor.navigator.can_reach_goal_from({2, 1.2}));
  EXPECT_TRUE(corridor.navigator.set_goal(Vec2{10, 1.2}));
  EXPECT_TRUE(corridor.navigator.can_reach_goal_from({2, 1.2}));
}

TEST(Navigator, DrivesDownTheCorridor) {
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  const Decision decision = corridor.decide({2, 1.2, 0}, {});
  EXPECT_EQ(decision.motion, Motion::forward);
  EXPECT_GT(decision.command.vx, 0.1);
  EXPECT_GT(decision.target.x, 3.5);
  EXPECT_NEAR(decision.target.y, 1.2, 0.1);
}

TEST(Navigator, FindsAWayRoundABoxThatIsOnNoMap) {
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  const std::vector<world::Mover> box{world::make_box({4, 1.5, 0}, {0.4, 0.4}, 1, 0)};
  const Decision decision = corridor.decide({2.5, 1.4, 0}, box);
  EXPECT_NE(decision.motion, Motion::blocked);
  EXPECT_LT(decision.target.y, 1.0);  // below the box, where there is room
}

TEST(Navigator, WaitsWhereTheCorridorIsClosedAndThenGivesWay) {
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  const std::vector<world::Mover> barrier{world::make_box({4, 1.2, 0}, {0.2, 2.4}, 1, 0)};
  EXPECT_EQ(corridor.decide({3.2, 1.2, 0}, barrier, 0).motion, Motion::blocked);
  EXPECT_EQ(corridor.decide({3.2, 1.2, 0}, barrier, 3).motion, Motion::blocked);
  corridor.decide({3.2, 1.2, 0}, barrier, 4.5);
  const Decision later = corridor.decide({3.2, 1.2, 0}, barrier, 4.75);
  EXPECT_NE(later.motion, Motion::blocked);
  EXPECT_LT(later.target.x, 3.2);
}

TEST(Navigator, FindsOutOfASpotThatItsMapCallsAWall) {
  // localization off by 10 cm puts the robot into a cell that planning has closed
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  EXPECT_TRUE(corridor.navigator.can_reach_goal_from({3, 0.3}));
  EXPECT_NE(corridor.decide({3, 0.3, 0.5}, {}).motion, Motion::blocked);
}

TEST(Navigator, DecidingAllocatesNothing) {
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  const std::vector<world::Mover> box{world::make_box({4, 1.5, 0}, {0.4, 0.4}, 1, 0)};
  corridor.sensors.read(0, {{2.5, 1.4, 0}, box}, corridor.random, corridor.readings.sensors[0]);
  corridor.readings.sensors[0].odometry = {2.5, 1.4, 0};
  const AllocationCounter allocations;
  corridor.navigator.set_goal(Vec2{9, 1.2});
  const Decision decision =
      corridor.navigator.decide({RobotTime{}, {2.5, 1.4, 0}, {2.5, 1.4, 0}, {}, corridor.readings});
  EXPECT_EQ(allocations.count(), 0u);
  EXPECT_NE(decision.motion, Motion::blocked);
}

}  // namespace
}  // namespace forerun::navigate
