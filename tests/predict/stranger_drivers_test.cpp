// Drivers for robots that know what the map does not: one that goes round, one that follows the path that it is told.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "forerun/navigate/path.hpp"
#include "forerun/predict/onward.hpp"
#include "forerun/predict/path_follower.hpp"
#include "forerun/predict/replica.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

// A way all round a block in the middle: 12 m by 8 m, 2 m wide.
world::World make_ring() {
  world::World world = make_room({0, 0}, {12, 8});
  add_box(world, {6, 4, 0}, {8, 4}, 2);
  return world;
}

class OnwardTest : public testing::Test {
 protected:
  OnwardTest()
      : model_(*make_replica_model(make_ring(), make_hall_robot())),
        onward_(model_.robot, std::make_shared<OnwardPlanner>(model_.planning, model_.robot)) {}

  navigate::Decision decide(const Pose2& pose, double speed) {
    return onward_.decide({RobotTime{}, pose, pose, {speed, 0, 0}, readings_});
  }

  // Where a replica with this driver is after some time.
  Pose2 drive(navigate::ControlSystem& driver, const Pose2& from, double speed, double seconds) {
    Replica replica(model_, driver);
    robot::Report report;
    report.state = {from, {speed, 0, 0}};
    report.task = robot::TaskState::driving;
    report.goal = goal_;
    replica.resync(report);
    replica.advance(report.time + from_seconds(seconds));
    return replica.state().pose;
  }

  Vec2 goal_{9, 1};  // on the southern side
  ReplicaModel model_;
  Onward onward_;
  sense::Readings readings_;
};

// The robot is on the southern side, and the goal lies 4 m east of it; but it drives west.
TEST_F(OnwardTest, GoesOnRoundWhereAFollowerWouldTurnBack) {
  const Pose2 westward{5, 1, kPi};
  Follower follower(model_.planning, model_.robot);
  EXPECT_GT(drive(follower, westward, 0.4, 12).x, 6);
  const Pose2 after = drive(onward_, westward, 0.4, 12);
  EXPECT_LT(after.x, 3);
  EXPECT_LT(distance(drive(onward_, westward, 0.4, 120).position(), goal_), 0.3);
}

TEST_F(OnwardTest, GoesTheShortWayWhenTheRobotDoes) {
  Follower follower(model_.planning, model_.robot);
  const Pose2 eastward{3, 1, 0};
  EXPECT_LT(distance(drive(onward_, eastward, 0.4, 6).position(), drive(follower, eastward, 0.4, 6).position()), 0.1);
}

// Where the usual way leads on, there is nothing to plan; where it leads back, there is.
TEST_F(OnwardTest, GoesTheSameWayWithTheUsualPlanAtHand) {
  const auto usual = std::make_shared<navigate::GoalPlan>(model_.planning);
  OnwardPlanner alone(model_.planning, model_.robot), helped(model_.planning, model_.robot, usual);
  Random random(3);
  int n_back = 0;
  for (int i = 0; i < 200; ++i) {
    const bool south = i % 2 == 0;
    const Pose2 from{random.uniform(2.5, 9.5), south ? random.uniform(0.6, 1.4) : random.uniform(6.6, 7.4),
                     random.uniform(-kPi, kPi)};
    OnwardPath expected, path;
    alone.plan(from, 0.4, goal_, expected);
    helped.plan(from, 0.4, goal_, path);
    ASSERT_EQ(path.empty(), expected.empty()) << i;
    const auto length_of = [](const OnwardPath& p) { return navigate::path_length({p.data(), p.size()}); };
    ASSERT_NEAR(length_of(path), length_of(expected), 1e-6) << i;
    n_back += length_of(path) > 12 ? 1 : 0;
  }
  EXPECT_GT(n_back, 20);
}

TEST_F(OnwardTest, ARobotThatHardlyMovesMayTurnRound) {
  ASSERT_TRUE(onward_.set_goal(goal_));
  EXPECT_EQ(decide({5, 1, kPi}, 0.02).motion, navigate::Motion::turning);
}

TEST_F(OnwardTest, WhatWasClosedIsOpenAgainForTheNextReport) {
  EXPECT_LT(drive(onward_, {5, 1, kPi}, 0.4, 12).x, 3);
  EXPECT_GT(drive(onward_, {5, 1, 0}, 0.4, 6).x, 6.5);
  EXPECT_LT(drive(onward_, {5, 1, kPi}, 0.4, 12).x, 3);
}

TEST_F(OnwardTest, StandsWhereThereIsNoOtherWay) {
  // a dead end: the hall's only gap lies behind it
  const ReplicaModel hall = *make_replica_model(make_hall(), make_hall_robot());
  Onward onward(hall.robot, std::make_shared<OnwardPlanner>(hall.planning, hall.robot));
  ASSERT_TRUE(onward.set_goal(Vec2{8, 1.5}));
  const Pose2 into_the_corner{1.2, 1.2, -kPi * 3 / 4};
  const navigate::Decision decision =
      onward.decide({RobotTime{}, into_the_corner, into_the_corner, {0.4, 0, 0}, readings_});
  EXPECT_EQ(decision.motion, navigate::Motion::blocked);
}

TEST_F(OnwardTest, DecidesWithoutAllocating) {
  ASSERT_TRUE(onward_.set_goal(goal_));
  const AllocationCounter counter;
  for (int i = 0; i < 5; ++i) {
    onward_.forget();
    (void)decide({5, 1, i % 2 == 0 ? 0 : kPi}, 0.4);
  }
  EXPECT_EQ(counter.count(), 0u);
}

class PathFollowerTest : public testing::Test {
 protected:
  PathFollowerTest() : model_(*make_replica_model(make_ring(), make_hall_robot())), follower_(model_.robot) {}

  // Along these points, from a place beside the first.
  std::vector<Pose2> drive(const std::vector<Vec2>& path, const Pose2& from, double seconds, double speed = 0.4) {
    Replica replica(model_, follower_);
    follower_.set_path(path);
    robot::Report report;
    report.state = {from, {speed, 0, 0}};
    report.task = robot::TaskState::driving;
    report.goal = path.back();
    replica.resync(report);
    std::vector<Pose2> poses;
    for (double t = 0; t < seconds; t += 0.5) {
      replica.advance(report.time + from_seconds(t));
      poses.push_back(replica.state().pose);
    }
    return poses;
  }

  ReplicaModel model_;
  PathFollower follower_;
};

// The long way round, which no planner of ours would take.
TEST_F(PathFollowerTest, TakesTheWayThatTheRobotSays) {
  const std::vector<Vec2> path{{5, 1}, {1, 1}, {1, 7}, {11, 7}, {11, 1}, {9, 1}};
  const auto poses = drive(path, {5, 1, kPi}, 120);
  for (const Vec2 corner : {path[1], path[2], path[3]}) {
    double nearest = 100;
    for (const Pose2& pose : poses) nearest = std::min(nearest, distance(pose.position(), corner));
    EXPECT_LT(nearest, 0.6) << corner.x << ", " << corner.y;
  }
  EXPECT_LT(distance(poses.back().position(), path.back()), 0.3);
}

// One that stands sets off when it faces its path; one that rolls does not stop for that.
TEST_F(PathFollowerTest, FacesItsPathBeforeItSetsOff) {
  for (const Pose2& pose : drive({{2, 1}, {11, 1}}, {2, 1, 1.0}, 10, 0)) {
    if (std::fabs(pose.theta) > 0.6) {
      EXPECT_LT(distance(pose.position(), {2, 1}), 0.01) << pose.theta;
    }
  }
  EXPECT_GT(drive({{2, 1}, {11, 1}}, {2, 1, 1.0}, 10, 0).back().x, 3.5);
  EXPECT_GT(distance(drive({{2, 1}, {11, 1}}, {2, 1, 1.0}, 1.5).back().position(), {2, 1}), 0.2);
}

// A robot that is seen to take bends at half its speed comes less far on a way with bends, and as far on a straight
// one.
TEST_F(PathFollowerTest, TakesBendsAsTheRobotWasSeenTo) {
  const auto manners = std::make_shared<Manners>();
  robot::Report in_a_bend;
  in_a_bend.state.velocity = {model_.robot.limits.max_speed / 2, 0, 0.2};
  in_a_bend.task = robot::TaskState::driving;
  in_a_bend.goal = Vec2{5, 0};
  for (int i = 0; i < 60; ++i) manners->take_in(in_a_bend, model_.robot.limits.max_speed, false);
  const std::vector<Vec2> straight{{1, 1}, {11, 1}}, bend{{1, 1}, {5, 1}, {7, 1.8}, {9, 1}, {11, 1}};
  const auto far = [&](const std::vector<Vec2>& path) { return drive(path, {2, 1, 0}, 14).back().x; };
  const double usual_straight = far(straight), usual_bend = far(bend);
  follower_ = PathFollower(model_.robot, {}, manners);
  EXPECT_NEAR(far(straight), usual_straight, 1e-9);
  EXPECT_LT(far(bend), usual_bend - 0.3);
}

TEST_F(PathFollowerTest, KeepsToItsSideForAWhile) {
  const auto poses = drive({{1, 1}, {11, 1}}, {2, 1.4, 0}, 22);
  EXPECT_GT(poses[6].y, 1.2);      // after 3 s
  EXPECT_LT(poses.back().y, 1.2);  // and in the end it is nearly on the path
  EXPECT_GT(poses.back().x, 8);
}

TEST_F(PathFollowerTest, CrossingItsOwnPathItStaysOnTheWay) {
  const std::vector<Vec2> path{{1, 1}, {5, 1}, {5, 1.8}, {3, 1.8}, {3, 0.6}, {11, 0.6}};
  const auto poses = drive(path, {1.2, 1, 0}, 90);
  EXPECT_LT(distance(poses.back().position(), path.back()), 0.3);
}

TEST_F(PathFollowerTest, StandsWithoutAPath) {
  follower_.set_goal(Vec2{9, 1});
  sense::Readings readings;
  for (const std::vector<Vec2>& path : {std::vector<Vec2>{}, std::vector<Vec2>{{1, 1}}}) {
    follower_.set_path(path);
    EXPECT_FALSE(follower_.can_reach_goal_from({1, 1}));
    EXPECT_EQ(follower_.decide({RobotTime{}, {2, 1, 0}, {2, 1, 0}, {0.4, 0, 0}, readings}).command, robot::Twist{});
  }
}

TEST_F(PathFollowerTest, PointsInOnePlaceDoNoHarm) {
  const auto poses = drive({{3, 1}, {3, 1}, {3, 1}, {6, 1}, {6, 1}}, {2, 1, 0}, 30);
  EXPECT_LT(distance(poses.back().position(), Vec2{6, 1}), 0.3);
}

}  // namespace
}  // namespace forerun::predict
