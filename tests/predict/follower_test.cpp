// The control system that stands in for those that Forerun does not know.
#include "forerun/predict/follower.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "examples/pure_pursuit.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/extrapolation.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

using navigate::Motion;

constexpr Vec2 kBehindTheWall{8, 1.5};

class FollowerTest : public testing::Test {
 protected:
  FollowerTest()
      : model_(*make_replica_model(make_hall(), make_hall_robot())), follower_(model_.planning, model_.robot) {}

  navigate::Decision decide(const Pose2& pose, const robot::Twist& velocity = {}) {
    return follower_.decide({RobotTime{}, pose, pose, velocity, readings_});
  }

  ReplicaModel model_;
  Follower follower_;
  sense::Readings readings_;
};

TEST_F(FollowerTest, StandsWithoutAGoal) {
  EXPECT_EQ(decide({1, 1, 0}, {0.4, 0, 0}).command, robot::Twist{});
  EXPECT_TRUE(follower_.set_goal(kBehindTheWall));
  EXPECT_TRUE(follower_.set_goal(std::nullopt));
  EXPECT_EQ(decide({1, 1, 0}).motion, Motion::braking);
}

TEST_F(FollowerTest, RefusesGoalsWhereNoRobotCanStand) {
  EXPECT_FALSE(follower_.set_goal(Vec2{6, 2}));
  EXPECT_FALSE(follower_.can_reach_goal_from({1, 1}));
  EXPECT_EQ(decide({1, 1, 0}).command, robot::Twist{});
}

TEST_F(FollowerTest, StaysWhereThereIsNoWay) {
  ASSERT_TRUE(follower_.set_goal(kBehindTheWall));
  EXPECT_TRUE(follower_.can_reach_goal_from({1, 1}));
  EXPECT_FALSE(follower_.can_reach_goal_from({10.8, 1}));
  EXPECT_EQ(decide({10.8, 1, 0}).motion, Motion::blocked);
  EXPECT_EQ(decide({10.8, 1, 0}).command, robot::Twist{});
}

TEST_F(FollowerTest, TurnsOnTheSpotTowardsAPathBehindIt) {
  ASSERT_TRUE(follower_.set_goal(Vec2{4.5, 1.5}));
  const navigate::Decision decision = decide({1.5, 1.5, 2.5});
  EXPECT_EQ(decision.motion, Motion::turning);
  EXPECT_EQ(decision.command.vx, 0);
  EXPECT_EQ(decision.command.w, -model_.robot.limits.max_turn_rate);
}

TEST_F(FollowerTest, IsFastestWhereItGoesStraightOnAndSlowestBeforeTheGoal) {
  ASSERT_TRUE(follower_.set_goal(Vec2{4.5, 1.5}));
  const double straight = decide({1.5, 1.5, 0}).command.vx;
  const double in_turn = decide({1.5, 1.5, 1}).command.vx;
  const double soon_there = decide({4, 1.5, 0}).command.vx;
  const double almost_there = decide({4.3, 1.5, 0}).command.vx;
  EXPECT_NEAR(straight, model_.robot.limits.max_speed, 0.01);
  EXPECT_LT(in_turn, 0.9 * straight);
  EXPECT_LT(soon_there, 0.6 * straight);
  EXPECT_LT(almost_there, soon_there);
  EXPECT_GT(almost_there, 0);
}

TEST_F(FollowerTest, ArrivesRoundTheWallWithoutTouchingIt) {
  Replica replica(model_, follower_);
  robot::Report report;
  report.state.pose = {1.5, 1.5, kPi};
  report.goal = kBehindTheWall;
  report.task = robot::TaskState::driving;
  replica.resync(report);
  float nearest = 10;
  for (int i = 1; i <= 400 && replica.task() == robot::TaskState::driving; ++i) {
    replica.advance(RobotTime{} + from_seconds(0.1 * i));
    const Cell cell = model_.planning.clearance.frame().cell_of(replica.state().pose.position());
    nearest = std::min(nearest, model_.planning.clearance[cell]);
  }
  replica.advance(replica.time() + from_seconds(2));
  EXPECT_EQ(replica.task(), robot::TaskState::waiting);
  EXPECT_LT(distance(replica.state().pose.position(), kBehindTheWall), 0.2);
  EXPECT_EQ(replica.state().velocity.vx < 0.01, true);
  EXPECT_GT(nearest, model_.robot.footprint.radius);
}

TEST_F(FollowerTest, DecidesWithoutAllocating) {
  const AllocationCounter counter;
  ASSERT_TRUE(follower_.set_goal(kBehindTheWall));
  for (double x = 1; x < 5; x += 0.1) EXPECT_GE(decide({x, 1, 0}, {0.3, 0, 0}).command.vx, 0);
  EXPECT_EQ(counter.count(), 0U);
}

// A robot with a control system that the follower was not written for.
TEST(Follower, PredictsAStrangerBetterThanExtrapolation) {
  sim::Scenario errand;
  errand.start = {1.5, 1.5, 0};
  errand.goals = {{"east", kBehindTheWall, 2}, {"west", {2, 4.5}, 0}};
  robot::Description robot = make_hall_robot();
  robot.limits.max_speed = examples::PurePursuitParams{}.speed_mps;
  const auto truth = sim::make_model({make_hall(), robot, errand, sim::kNoisy}, 3);
  ASSERT_TRUE(truth);
  examples::PurePursuit stranger(truth->planning, truth->robot);
  sim::Loop loop(*truth, stranger);
  const auto model = make_replica_model(make_hall(), robot);
  ASSERT_TRUE(model);
  Follower follower(model->planning, model->robot);
  Replica replica(*model, follower);

  double with_follower = 0, extrapolated = 0;
  const Duration ahead = from_seconds(6);
  while (!loop.finished() && to_seconds(loop.time()) < 120) {
    const robot::Report report = sim::make_report(loop, {});
    replica.resync(report);
    replica.advance(report.time + ahead);
    while (!loop.finished() && loop.time() < report.time + ahead) loop.step();
    if (loop.finished()) break;
    const Vec2 arrived = loop.truth().pose.position();
    with_follower += distance(replica.state().pose.position(), arrived);
    extrapolated += distance(extrapolate(report, ahead).pose.position(), arrived);
  }
  EXPECT_LT(with_follower, 0.5 * extrapolated);
  EXPECT_GT(extrapolated, 1);
}

}  // namespace
}  // namespace forerun::predict
