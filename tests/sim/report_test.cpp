#include "forerun/sim/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::sim {
namespace {

using robot::MotorState;
using robot::TaskState;

robot::Report report_of(const Outing& outing) { return make_report(*outing.loop, {7, 0x1234, 42}); }

TEST(Report, SaysWhatTheRobotItselfKnows) {
  Outing outing(kMismatched, {{"east", {10, 4}, 0}});
  outing.run(4.03);
  const robot::Report report = report_of(outing);
  EXPECT_EQ(report.robot, 7u);
  EXPECT_EQ(report.model, 0x1234u);
  EXPECT_EQ(report.sequence, 42u);
  EXPECT_EQ(report.time, outing.loop->time());
  EXPECT_EQ(report.state.pose, outing.loop->reported_pose());
  EXPECT_NE(report.state.pose, outing.loop->truth().pose);
  EXPECT_EQ(report.state.velocity, outing.loop->plant().measured_velocity());
  EXPECT_EQ(report.goal, (Vec2{10, 4}));
  EXPECT_EQ(report.target, outing.loop->decision().target);
  EXPECT_EQ(report.task, TaskState::driving);
  EXPECT_EQ(report.motors, MotorState::on);
  EXPECT_FALSE(report.hand_driven);
  // it truly is slower by a tenth, but does not know
  EXPECT_EQ(report.limits, (robot::SpeedLimits{0.5, 1.0}));
  EXPECT_EQ(outing.model->robot.limits.max_speed, 0.45);
  EXPECT_EQ(report.error, (robot::PoseError{0.05, 0.05, 0, kPi / 180}));
}

TEST(Report, TheNextDecisionComesWhenItWasAnnounced) {
  Outing outing(kNoisy, {{"east", {10, 4}, 0}});
  outing.run(2);
  for (int i = 0; i < 500; ++i) {
    const RobotTime announced = outing.loop->time() + report_of(outing).until_decision;
    EXPECT_GT(announced, outing.loop->time());
    outing.loop->step();
    // a step never goes past it, and only there another one is announced
    ASSERT_LE(outing.loop->time(), announced);
    EXPECT_EQ(outing.loop->time() == announced, outing.loop->time() + report_of(outing).until_decision != announced);
  }
}

TEST(Report, AWaitRunsDownAndTheNextGoalIsKnown) {
  Outing outing(kExact, {{"near", {3, 1.5}, 5}, {"back", {1, 1}, 0}});
  while (outing.loop->executive().state() == TaskState::driving) outing.loop->step();
  const robot::Report arrived = report_of(outing);
  EXPECT_EQ(arrived.task, TaskState::waiting);
  EXPECT_EQ(arrived.remaining_wait, from_seconds(5));
  EXPECT_EQ(arrived.goal, (Vec2{1, 1}));
  EXPECT_FALSE(arrived.target.has_value());
  outing.run(2);
  EXPECT_NEAR(to_seconds(report_of(outing).remaining_wait), 3, 0.02);
}

TEST(Report, TellsStoppedFromHandDrivenFromIdle) {
  Outing outing(kExact);
  EXPECT_EQ(report_of(outing).task, TaskState::idle);
  outing.drive({0.3, 0, 0});
  EXPECT_TRUE(report_of(outing).hand_driven);
  EXPECT_EQ(report_of(outing).motors, MotorState::on);
  outing.run(1);
  outing.stop();
  EXPECT_FALSE(report_of(outing).hand_driven);
  EXPECT_EQ(report_of(outing).motors, MotorState::stopped);
  EXPECT_NEAR(report_of(outing).acceleration.v, -0.5, 1e-6);
  outing.goal({3, 4});
  EXPECT_EQ(report_of(outing).motors, MotorState::on);
  EXPECT_EQ(report_of(outing).goal, (Vec2{3, 4}));
}

// Root mean square errors of the velocity and the position at the next decision.
struct Errors {
  double velocity = 0;
  double place = 0;
};

Errors predict_to_next_decision(const Reality& reality, bool from_commands) {
  Outing outing(reality, {{"east", {10, 4}, 1}, {"west", {2, 5}, 1}, {"south", {2, 1}, 0}}, 3);
  std::deque<std::pair<RobotTime, robot::Twist>> past;
  Errors sum;
  int n = 0;
  robot::Report report;
  bool pending = false;
  while (to_seconds(outing.loop->time()) < 60) {
    const RobotTime decision = outing.loop->next_decision();
    if (!pending && decision - outing.loop->time() > from_seconds(0.1)) {
      report = report_of(outing);
      if (!from_commands && !past.empty()) {
        const double period = to_seconds(report.time - past.front().first);
        report.acceleration = {(report.state.velocity.vx - past.front().second.vx) / period,
                               (report.state.velocity.w - past.front().second.w) / period};
      }
      pending = true;
    }
    past.emplace_back(outing.loop->time(), outing.loop->plant().measured_velocity());
    while (outing.loop->time() - past.front().first > from_seconds(0.25)) past.pop_front();
    outing.loop->step();
    if (!pending || outing.loop->time() < decision) continue;
    const robot::State guess =
        robot::exact_motion(report.state, report.acceleration, to_seconds(decision - report.time));
    sum.velocity += square(guess.velocity.vx - outing.loop->plant().measured_velocity().vx);
    sum.place += square(distance(guess.pose.position(), outing.loop->reported_pose().position()));
    pending = false;
    ++n;
  }
  return {std::sqrt(sum.velocity / n), std::sqrt(sum.place / n)};
}

TEST(Report, AccelerationFromCommandsPredictsBetterThanFromWhatWasMeasured) {
  for (const Reality& reality : {kExact, kNoisy}) {
    const Errors commanded = predict_to_next_decision(reality, true);
    const Errors measured = predict_to_next_decision(reality, false);
    std::printf("%s: velocity %.4f instead of %.4f m/s, place %.5f instead of %.5f m\n", reality.name,
                commanded.velocity, measured.velocity, commanded.place, measured.place);
    EXPECT_LT(commanded.velocity, 0.7 * measured.velocity) << reality.name;
    EXPECT_LT(commanded.place, measured.place) << reality.name;
  }
  EXPECT_LT(predict_to_next_decision(kExact, true).velocity, 1e-6);
}

TEST(Report, AllocatesNothing) {
  Outing outing(kNoisy, {{"east", {10, 4}, 0}});
  outing.run(1);
  const AllocationCounter allocations;
  EXPECT_EQ(report_of(outing).task, TaskState::driving);
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::sim
