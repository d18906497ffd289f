// The copy of the robot, and the baselines it must beat.
#include "forerun/predict/replica.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/robot/extrapolation.hpp"
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

// What moves when must not depend on who looks: ticks and decisions count from the report.
TEST(Replica, GivesTheSameAnswerHoweverOftenItIsAskedOnTheWay) {
  Twins twins;
  twins.outing.run(2);
  const robot::Report report = twins.report();
  const Circumstances chancy{
      .limits = twins.model.robot.limits,
      .belief_error = {0.05, -0.03, 0.02},
      .chance = {.velocity = 0.05, .position = 0.05, .heading = 0.02, .period = 0.02, .seed = 7}};
  const RobotTime end = report.time + from_seconds(7.003);
  twins.replica.resync(report, chancy);
  twins.replica.advance(end);
  const robot::State at_once = twins.replica.state();
  const auto arrive_by = [&](double step_s) {
    twins.replica.resync(report, chancy);
    for (double t = step_s; t < 7; t += step_s) twins.replica.advance(report.time + from_seconds(t));
    twins.replica.advance(end);
    return twins.replica.state();
  };
  for (const double step_s : {1.0 / 60, 0.0007, 0.1, 0.25, 3.3}) {
    const robot::State state = arrive_by(step_s);
    EXPECT_EQ(state.pose, at_once.pose) << step_s;
    EXPECT_EQ(state.velocity, at_once.velocity) << step_s;
  }
}

TEST(Replica, ChanceDecidesByItsSeedOnly) {
  Twins twins;
  twins.outing.run(2);
  const robot::Report report = twins.report();
  const auto arrive = [&](std::uint64_t seed) {
    twins.replica.resync(report, {.limits = twins.model.robot.limits, .chance = {.velocity = 0.05, .seed = seed}});
    twins.replica.advance(report.time + from_seconds(5));
    return twins.replica.state().pose;
  };
  const Pose2 one = arrive(1);
  EXPECT_NE(arrive(2), one);
  EXPECT_EQ(arrive(1), one);
  EXPECT_LT(distance(arrive(2).position(), one.position()), 0.5);
}

TEST(Replica, ASlowerRobotComesLessFar) {
  Twins twins;
  twins.outing.run(0.5);
  const robot::Report report = twins.report();
  const auto far = [&](double scale) {
    robot::Limits limits = twins.model.robot.limits;
    limits.max_speed *= scale;
    twins.replica.resync(report, {.limits = limits});
    twins.replica.advance(report.time + from_seconds(4));
    return distance(twins.replica.state().pose.position(), report.state.pose.position());
  };
  EXPECT_LT(far(0.5), 0.75 * far(1));
}

// The robot steers by where it believes to be: it arrives off its goal by as much, if that lasts.
TEST(Replica, ARobotThatErrsArrivesWhereItBelievesItsGoalToBe) {
  Twins twins;
  robot::Report report = twins.report();
  report.goal = Vec2{4, 1.5};
  const auto arrive = [&](double lasts_s) {
    twins.replica.resync(report,
                         {.limits = twins.model.robot.limits, .belief_error = {0, 0.3, 0}, .belief_lasts_s = lasts_s});
    twins.replica.advance(report.time + from_seconds(30));
    return twins.replica.state().pose.position();
  };
  EXPECT_LT(distance(arrive(1e6), {4, 1.2}), 0.2);
  EXPECT_LT(distance(arrive(0.5), {4, 1.5}), 0.2);
}

// v = v₀ + (v_max − v₀) (1 − e^(−t/relax)) at most, with v₀ = 0.
TEST(Replica, ARobotThatIsHeldUpComesFreeInItsTime) {
  Twins twins;
  robot::Report report = twins.report();
  report.goal = Vec2{5, 1.5};
  report.state.velocity = {};
  report.acceleration = {};
  const double top = twins.model.robot.limits.max_speed;
  const auto far = [&](double relax_s, double time_s) {
    twins.replica.resync(report, {.limits = twins.model.robot.limits, .relax_s = relax_s});
    twins.replica.advance(report.time + from_seconds(time_s));
    return distance(twins.replica.state().pose.position(), report.state.pose.position());
  };
  for (const double relax_s : {4.0, 8.0, 30.0}) {
    const double most = top * (3 - relax_s * (1 - std::exp(-3 / relax_s)));
    EXPECT_LE(far(relax_s, 3), most + 0.02) << relax_s;
    EXPECT_GT(far(relax_s, 3), 0.5 * most) << relax_s;
  }
  EXPECT_GT(far(0, 3), 2 * far(8, 3));
}

TEST(Replica, GoesOnToTheNextGoalWhenItIsKnown) {
  Twins twins;
  robot::Report report = twins.report();
  report.goal = Vec2{3, 1.5};
  twins.replica.resync(report, {.limits = twins.model.robot.limits, .next = NextGoal{{1.5, 4.5}, from_seconds(5)}});
  EXPECT_FALSE(twins.replica.arrival());
  while (!twins.replica.arrival() && to_seconds(twins.replica.time()) < 60) {
    twins.replica.advance(twins.replica.time() + from_seconds(0.1));
  }
  ASSERT_TRUE(twins.replica.arrival());
  const RobotTime arrival = *twins.replica.arrival();
  EXPECT_EQ(twins.replica.task(), TaskState::waiting);
  twins.replica.advance(arrival + from_seconds(4.5));
  EXPECT_LT(distance(twins.replica.state().pose.position(), {3, 1.5}), 0.3);
  twins.replica.advance(arrival + from_seconds(60));
  EXPECT_LT(distance(twins.replica.state().pose.position(), {1.5, 4.5}), 0.3);
  // what comes after that is not known
  for (int i = 0; i < 100; ++i) {
    twins.replica.advance(twins.replica.time() + from_seconds(0.1));
    EXPECT_EQ(twins.replica.task(), TaskState::waiting) << i;
  }
  EXPECT_EQ(twins.replica.arrival(), arrival);  // at the goal of the report
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

}  // namespace
}  // namespace forerun::predict
