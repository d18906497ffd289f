// The copy of the robot, and the baselines it must beat.
#include "forerun/predict/replica.hpp"

#include <gtest/gtest.h>

#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/extrapolation.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

using robot::TaskState;

robot::Report moving_report() {
  robot::Report report;
  report.time = RobotTime{} + from_seconds(10);
  report.state = {{1, 2, 0.5}, {0.4, 0, 0.2}};
  report.acceleration = {0.1, -0.3};
  report.until_decision = from_seconds(0.2);
  return report;
}

TEST(Extrapolation, FollowsTheArcOfTheReportedVelocities) {
  const robot::Report report = moving_report();
  const robot::State ahead = extrapolate(report, from_seconds(3));
  const Pose2 arc = robot::move(report.state.pose, report.state.velocity, 3);
  EXPECT_NEAR(distance(ahead.pose.position(), arc.position()), 0, 1e-12);
  EXPECT_NEAR(ahead.pose.theta, 0.5 + 0.2 * 3, 1e-12);
}

TEST(Extrapolation, AcceleratesOnlyUntilTheNextDecision) {
  const robot::Report report = moving_report();
  EXPECT_NEAR(accelerate(report, from_seconds(0.1)).velocity.vx, 0.41, 1e-12);
  EXPECT_NEAR(accelerate(report, from_seconds(5)).velocity.vx, 0.42, 1e-12);
  EXPECT_NEAR(accelerate(report, from_seconds(5)).velocity.w, 0.14, 1e-12);
}

// A robot on its way, and its copy.
struct Twins {
  explicit Twins(const sim::Reality& reality = sim::kExact)
      : outing(reality, {{"there", {8, 1.5}, 5}, {"back", {1, 1}, 0}}),
        model(*make_replica_model(make_hall(), make_hall_robot())),
        navigator(model.planning, model.robot),
        replica(model, navigator) {}

  [[nodiscard]] robot::Report report() const { return sim::make_report(*outing.loop, {}); }

  Outing outing;
  ReplicaModel model;
  navigate::Navigator navigator;
  Replica replica;
};

TEST(Replica, StaysWithAnExactRobotForManySeconds) {
  Twins twins;
  twins.outing.run(2);
  const robot::Report report = twins.report();
  twins.replica.resync(report);
  for (int i = 0; i < 16; ++i) {
    twins.outing.run(0.5);
    twins.replica.advance(twins.outing.loop->time());
    const double error = distance(twins.replica.state().pose.position(), twins.outing.loop->truth().pose.position());
    EXPECT_LT(error, 0.15) << i;
  }
}

TEST(Replica, DepartsWhenTheWaitIsOver) {
  Twins twins;
  while (twins.outing.loop->executive().state() == TaskState::driving) twins.outing.loop->step();
  twins.outing.run(1);
  const robot::Report report = twins.report();
  ASSERT_EQ(report.task, TaskState::waiting);
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(3.5));
  EXPECT_LT(distance(twins.replica.state().pose.position(), report.state.pose.position()), 0.1);
  twins.replica.advance(report.time + from_seconds(9));
  EXPECT_GT(distance(twins.replica.state().pose.position(), report.state.pose.position()), 0.5);
}

TEST(Replica, StaysAtItsGoalWhenItDoesNotKnowTheNext) {
  Twins twins;
  robot::Report report = twins.report();
  report.goal = Vec2{3, 1.5};
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(60));
  EXPECT_EQ(twins.replica.task(), TaskState::waiting);
  EXPECT_LT(distance(twins.replica.state().pose.position(), {3, 1.5}), 0.3);
}

TEST(Replica, ARobotThatIsHeldStaysWhereItIs) {
  Twins twins;
  twins.outing.run(2);
  twins.outing.stop();
  twins.outing.run(2);
  const robot::Report report = twins.report();
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(10));
  EXPECT_LT(distance(twins.replica.state().pose.position(), report.state.pose.position()), 0.02);
}

TEST(Replica, GivesTheSameAnswerHoweverOftenAndFarItWasAskedBefore) {
  Twins twins;
  twins.outing.run(2);
  const robot::Report report = twins.report();
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(6));
  const robot::State first = twins.replica.state();
  twins.replica.advance(report.time + from_seconds(40));
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(6));
  EXPECT_EQ(twins.replica.state().pose, first.pose);
  EXPECT_EQ(twins.replica.state().velocity, first.velocity);
}

TEST(Replica, AllocatesNothingOnceItKnowsItsGoal) {
  Twins twins;
  twins.outing.run(2);
  const robot::Report report = twins.report();
  twins.replica.resync(report);
  const AllocationCounter counter;
  twins.replica.advance(report.time + from_seconds(5));
  twins.replica.resync(report);
  twins.replica.advance(report.time + from_seconds(5));
  EXPECT_EQ(counter.count(), 0u);
}

TEST(Predictor, LearnsThatTheRobotIsSlowerThanItsDescription) {
  Twins twins(sim::kMismatched);
  Predictor predictor(twins.model);
  for (int i = 0; i < 8; ++i) {
    predictor.resync(twins.report());
    twins.outing.run(1.8);
    if (twins.outing.loop->executive().state() != TaskState::driving) break;
  }
  EXPECT_LT(predictor.speed_scale(), 0.98);
  EXPECT_GT(predictor.speed_scale(), 0.75);
}

TEST(Predictor, IgnoresReportsThatAreOlderThanTheNewest) {
  Twins twins;
  const robot::Report old = twins.report();
  twins.outing.run(3);
  Predictor predictor(twins.model);
  predictor.resync(twins.report());
  const RobotTime now = twins.outing.loop->time() + from_seconds(1);
  const Pose2 before = predictor.advance(now).pose;
  predictor.resync(old);
  EXPECT_EQ(predictor.advance(now).pose, before);
}

}  // namespace
}  // namespace forerun::predict
