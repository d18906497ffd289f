// A robot that does what a hand tells it: limits, dead time, and what is in its way.
#include "forerun/ahead/hand_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/navigate/planning_model.hpp"
#include "forerun/sim/model.hpp"
#include "tests/support/outings.hpp"

namespace forerun::ahead {
namespace {

RobotTime at(double time_s) { return RobotTime{} + from_seconds(time_s); }

// At (1.5, 1.5) in the hall, looking east; the wall before it begins at x = 5.9.
class HandRunTest : public testing::Test {
 protected:
  void hold(double from_s, double to_s, const robot::Twist& velocity) {
    for (double t = from_s; t < to_s; t += 0.1) {
      commands_.give({1, {robot::CommandKind::drive, {}, velocity}, at(t), at(t), 0, 0});
    }
  }
  HandRun run(double until_s, const Difference& difference = {}) {
    HandRun run;
    run.start(at(10), {{1.5, 1.5, 0}, {}});
    run.advance(at(until_s), inputs(), difference);
    return run;
  }
  [[nodiscard]] HandInputs inputs() const { return {commands_, response_, floor_, seen_, slack_, climbs_}; }

  robot::Description robot_ = make_hall_robot();
  navigate::PlanningModel planning_ = *navigate::make_planning_model(make_hall(), robot_);
  KnownFloor floor_{planning_.clearance, robot_.footprint, {}};
  HandResponse response_ = response_of(robot_);
  OwnCommands commands_;
  const sense::SeenWorld* seen_ = nullptr;
  double slack_ = 0;
  bool climbs_ = false;
};

TEST_F(HandRunTest, DrivesAsTheSimulatedRobotDoes) {
  hold(11, 14, {0.4, 0, 0.2});
  sim::Reality reality;
  reality.motor_lag = robot_.control.motor_lag;
  Outing outing(reality);
  outing.run(1);
  outing.drive({0.4, 0, 0.2});
  outing.run(2.5);
  const robot::State& truth = outing.loop->truth();
  const robot::State said = run(13.5).state();
  EXPECT_NEAR(said.pose.x, truth.pose.x, 0.01);
  EXPECT_NEAR(said.pose.y, truth.pose.y, 0.01);
  EXPECT_NEAR(said.pose.theta, truth.pose.theta, 0.01);
  EXPECT_NEAR(said.velocity.vx, truth.velocity.vx, 0.01);
}

TEST_F(HandRunTest, NeverGoesFasterThanItsLimits) {
  hold(10, 16, {5, 5, 50});
  const robot::Twist v = run(14).state().velocity;
  EXPECT_LE(std::hypot(v.vx, v.vy), robot_.limits.max_speed + 1e-9);
  EXPECT_LE(std::fabs(v.w), robot_.limits.max_turn_rate + 1e-9);
}

TEST_F(HandRunTest, WaitsForItsDeadTime) {
  hold(11, 14, {0.4, 0, 0});
  robot::Report report;
  report.response = robot::FoundResponse{.forward = {{0.3, 0.2}}, .turn = {}};
  take(response_, robot_, report);
  EXPECT_EQ(run(11.29).state().pose.x, 1.5);
  EXPECT_GT(run(11.6).state().pose.x, 1.5);
}

TEST_F(HandRunTest, ComesToRestWhenNobodyHoldsItAnyMore) {
  hold(10, 12, {0.4, 0, 0});
  EXPECT_GT(run(12.3).state().velocity.vx, 0.39);
  EXPECT_LT(run(14).state().velocity.vx, 0.01) << "half a second after the last command";
}

TEST_F(HandRunTest, DoesNotGoThroughAWall) {
  hold(10, 40, {0.5, 0, 0});
  const HandRun far = run(30);
  ASSERT_TRUE(far.held_at());
  EXPECT_NEAR(far.state().pose.x, 5.9 - robot_.footprint.radius, 0.03);
  EXPECT_LT(far.state().velocity.vx, 0.01) << "it pushes, and does not move";
  EXPECT_FALSE(run(15).held_at());
}

TEST_F(HandRunTest, AWallIsAsFarAsThePoseIsKnown) {
  slack_ = 0.05;
  hold(10, 40, {0.5, 0, 0});
  EXPECT_NEAR(run(30).state().pose.x, 5.95 - robot_.footprint.radius, 0.03);
}

TEST_F(HandRunTest, WhoClimbsIsHeldByNoPlan) {
  climbs_ = true;
  hold(10, 40, {0.5, 0, 0});
  EXPECT_GT(run(30).state().pose.x, 7);
}

TEST_F(HandRunTest, BacksOutOfWhatHoldsIt) {
  hold(10, 30, {0.5, 0, 0});
  hold(30, 34, {-0.3, 0, 0});
  EXPECT_TRUE(run(30).held_at());
  EXPECT_FALSE(run(33).held_at());
  EXPECT_LT(run(33).state().pose.x, 5.2);
}

TEST_F(HandRunTest, StopsAtABoxThatTheRobotHasToldOf) {
  sense::SeenWorld seen({}, 1);
  robot::Report report;
  report.seen.emplace();
  robot::Change box;
  box.pose = {3.5, 1.5, 0};
  box.half_length = box.half_width = 0.2;
  report.seen->changes.push_back(box);
  seen.take(report);
  seen_ = &seen;
  hold(10, 40, {0.5, 0, 0});
  EXPECT_NEAR(run(30).state().pose.x, 3.3 - robot_.footprint.radius, 0.01);
}

TEST_F(HandRunTest, IsTheSameHoweverOftenItIsAsked) {
  hold(10.37, 14, {0.4, 0, 0.3});
  HandRun often;
  often.start(at(10), {{1.5, 1.5, 0}, {}});
  for (double t = 10; t < 13; t += 0.0137) often.advance(at(t), inputs());
  often.advance(at(13.005), inputs());
  EXPECT_EQ(often.state().pose, run(13.005).state().pose);
}

TEST_F(HandRunTest, WhoseCommandsComeLaterIsBehind) {
  hold(10, 14, {0.4, 0, 0});
  const double usual = run(13).state().pose.x;
  EXPECT_NEAR(usual - run(13, {.late_s = 0.2}).state().pose.x, 0.08, 0.005);
  EXPECT_NEAR(usual - run(13, {.unlucky = true}).state().pose.x, 0.04, 0.005);
  EXPECT_GT(run(13, {.speed = 1.1}).state().pose.x, usual + 0.08);
}

TEST_F(HandRunTest, LetGoOfItComesToRest) {
  hold(10, 20, {0.4, 0, 0});
  HandRun one = run(13);
  const double from = one.state().pose.x;
  const RobotTime rests = one.let_go(from_seconds(10), inputs());
  EXPECT_LT(one.state().velocity.vx, 0.002);
  EXPECT_NEAR(one.state().pose.x - from, 0.4 * 0.4 / (2 * robot_.limits.deceleration) + 0.04, 0.02);
  EXPECT_LT(to_seconds(rests - at(13)), 2);
}

}  // namespace
}  // namespace forerun::ahead
