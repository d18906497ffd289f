#include "forerun/navigate/navigator.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

TEST(Navigator, GoesUpToWhatClosesTheCorridorThenParksAtTheSideThenGivesWay) {
  Corridor corridor;
  corridor.navigator.set_goal(Vec2{10, 1.2});
  const std::vector<world::Mover> barrier{world::make_box({5, 1.2, 0}, {0.2, 2.4}, 1, 0)};
  const Decision comes_near = corridor.decide({3, 1.2, 0}, barrier, 0);
  EXPECT_EQ(comes_near.motion, Motion::forward);
  EXPECT_GT(comes_near.target.x, 3.2);
  EXPECT_LT(comes_near.target.x, 4.5);
  EXPECT_EQ(corridor.decide({4.1, 1.2, 0}, barrier, 5).motion, Motion::blocked);
  const Decision parks = corridor.decide({4.1, 1.2, 0}, barrier, 15);
  EXPECT_NE(parks.motion, Motion::blocked);
  EXPECT_GT(std::fabs(parks.target.y - 1.2), 0.5);
  EXPECT_LT(parks.target.x, 4.1);
  // having parked in vain, it leaves the corridor to whoever is there
  corridor.decide({3.5, 0.5, 0}, barrier, 45);
  EXPECT_LT(corridor.decide({3.5, 0.5, 0}, barrier, 47).target.x, 3.2);
}

// A robot of 0.17 m with a ring of eight short beams.
struct FeelsItsWay {
  robot::Description robot = [] {
    robot::Description r;
    r.footprint.radius = 0.17;
    r.sensors.push_back(robot::InfraredRing{.count = 8, .ring_radius = 0.165, .max_range = 0.5, .noise = 0});
    return r;
  }();
  world::World world = make_room({0, 0}, {6, 6});
  PlanningModel planning = std::move(*make_planning_model(world, robot));
  sense::Sensors sensors{world, robot};
  sense::Readings readings = sense::make_readings(robot);
  NearMemory memory;
  Random random{1};

  std::size_t look(const Pose2& pose, const std::vector<world::Mover>& things, double time) {
    sensors.read(0, {pose, things}, random, readings.sensors[0]);
    readings.sensors[0].odometry = pose;
    readings.sensors[0].time = RobotTime{} + from_seconds(time);
    memory.update(robot, planning, readings, pose, Transform2(pose), RobotTime{} + from_seconds(time));
    return memory.points_in_robot().size();
  }
};

TEST(NearMemory, KnowsWhereABoxIsThatNoBeamMeetsAnyMore) {
  FeelsItsWay feeler;
  const std::vector<world::Mover> box{world::make_box({3.5, 3, 0}, {0.1, 0.1}, 1, 0)};
  EXPECT_GT(feeler.look({3, 3, 0}, box, 0), 0u);
  feeler.look({3, 3, 0.3}, box, 1.5);
  ASSERT_EQ(feeler.memory.points_in_robot().size(), 1u);
  const Vec2 in_world = Pose2{3, 3, 0.3} * feeler.memory.points_in_robot()[0];
  EXPECT_NEAR(in_world.x, 3.45, 0.01);
  EXPECT_NEAR(in_world.y, 3, 0.01);
}

TEST(NearMemory, ForgetsWhatABeamShinesThroughAndWhatIsOld) {
  FeelsItsWay feeler;
  const std::vector<world::Mover> box{world::make_box({3.5, 3, 0}, {0.1, 0.1}, 1, 0)};
  feeler.look({3, 3, 0}, box, 0);
  EXPECT_EQ(feeler.look({3, 3, 0}, {}, 1.5), 0u);
  feeler.look({3, 3, 0}, box, 2);
  EXPECT_EQ(feeler.look({3, 3, 0.3}, {}, 30), 0u);
}

TEST(NearMemory, LeavesWallsToTheMapWhileNobodyIsAbout) {
  FeelsItsWay feeler;
  EXPECT_EQ(feeler.look({5.6, 3, 0}, {}, 0), 0u);
}

TEST(UnmappedThings, MoveAsTheScansShow) {
  Corridor corridor;
  UnmappedThings unmapped;
  const Pose2 pose{3, 1.2, 0};
  for (int i = 0; i < 10; ++i) {
    const std::vector<world::Mover> person{world::make_disc({6 - 0.1 * i, 1.2}, 0.25, 1.7, 0)};
    corridor.sensors.read(0, {pose, person}, corridor.random, corridor.readings.sensors[0]);
    corridor.readings.sensors[0].odometry = pose;
    corridor.readings.sensors[0].time = RobotTime{} + from_seconds(0.1 * i);
    unmapped.update(corridor.robot, corridor.planning, corridor.readings, pose, Transform2(pose));
  }
  ASSERT_FALSE(unmapped.seen().empty());
  EXPECT_NEAR(unmapped.seen()[0].velocity_in_robot.x, -1, 0.25);
  EXPECT_NEAR(unmapped.seen()[0].velocity_in_robot.y, 0, 0.1);
  EXPECT_NEAR(unmapped.nearest(), 5.1 - 3 - 0.25, 0.02);
}

TEST(SafeCommand, SlowsDownForWhatComesAndNotForWhatGoes) {
  const robot::Description robot = make_robot();
  const robot::Twist ahead{0.5, 0, 0};
  const Going going{.velocity = ahead, .commanded = ahead, .world_from_robot = Transform2(Pose2{}), .map = nullptr};
  const std::vector<UnmappedThing> comes{{{1.2, 0}, {-1, 0}}}, goes{{{1.2, 0}, {1, 0}}}, stands{{{0.5, 0}, {}}};
  EXPECT_LT(safe_command(robot, going, ahead, comes).vx, 0.4);
  EXPECT_EQ(safe_command(robot, going, ahead, goes), ahead);
  EXPECT_EQ(safe_command(robot, going, ahead, stands).vx, 0);
  EXPECT_EQ(safe_command(robot, going, ahead, {}), ahead);
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
