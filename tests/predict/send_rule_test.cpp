// When the robot side sends: what viewers predict has become wrong, or it is time.
#include "forerun/predict/send_rule.hpp"

#include <gtest/gtest.h>

#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

constexpr double kLook = 0.05;

// A robot under way through the hall, and the rule that watches it.
struct Sending {
  explicit Sending(const SendRuleParams& params = {})
      : outing(sim::kExact, {{"there", {8, 1.5}, 5}, {"back", {1, 1}, 0}}),
        model(*make_replica_model(make_hall(), make_hall_robot())),
        rule(model, params) {}

  [[nodiscard]] robot::Report report() {
    robot::Report report = sim::make_report(*outing.loop, {.sequence = n_sent});
    return report;
  }
  // Sends if the rule says so.
  bool offer(const robot::Report& report) {
    if (!rule.is_due(report)) return false;
    rule.on_sent(report);
    ++n_sent;
    return true;
  }
  void drive(double seconds) {
    for (double t = 0; t < seconds; t += kLook) {
      outing.run(kLook);
      offer(report());
    }
  }

  Outing outing;
  ReplicaModel model;
  SendRule rule;
  std::uint32_t n_sent = 0;
};

// The robot stands where it was, though nothing it said gave a reason to.
robot::Report held(const robot::Report& before, double after_s) {
  robot::Report report = before;
  report.time = before.time + from_seconds(after_s);
  report.state.velocity = {};
  report.acceleration = {};
  return report;
}

// How long until the rule wants a held robot to be reported [s]; 20 when it never does.
double time_until_due(Sending& sending, const robot::Report& from) {
  for (double t = kLook; t < 20; t += kLook) {
    if (sending.rule.is_due(held(from, t))) return t;
  }
  return 20;
}

TEST(SendRule, KeepsSilentWhileTheCopyIsRight) {
  Sending sending({.off_m = 0.3});
  sending.drive(8);
  EXPECT_EQ(sending.n_sent, 1u);
}

TEST(SendRule, SendsWhenTheRobotIsHeldUpAndSoonerForASmallerThreshold) {
  double before = 0;
  for (const double off : {0.1, 0.3, 0.6}) {
    Sending sending({.off_m = off});
    sending.outing.run(4);
    ASSERT_GT(sending.outing.speed(), 0.2);
    const robot::Report start = sending.report();
    ASSERT_TRUE(sending.offer(start));
    const double due = time_until_due(sending, start);
    EXPECT_GT(due, before);
    EXPECT_LT(due, 1 + off / 0.2);
    before = due;
  }
}

TEST(SendRule, SendsAtTheBaseRateThoughNothingHappens) {
  Sending sending({.off_m = 100, .base_interval_s = 2});
  sending.outing.run(4);
  const robot::Report start = sending.report();
  ASSERT_TRUE(sending.offer(start));
  EXPECT_NEAR(time_until_due(sending, start), 2, kLook);
}

TEST(SendRule, ACopyThatIsAlwaysWrongDoesNotFloodTheLink) {
  Sending sending({.off_m = 0.1, .min_interval_s = 0.5});
  robot::Report report = sending.report();
  for (int i = 0; i < 200; ++i) {
    report.time += from_seconds(kLook);
    report.state.pose = i % 2 == 0 ? Pose2{2, 2, 0} : Pose2{4, 4, 0};
    report.motors = i % 3 == 0 ? robot::MotorState::on : robot::MotorState::off;
    sending.offer(report);
  }
  EXPECT_GE(sending.n_sent, 15u);
  EXPECT_LE(sending.n_sent, 21u);
}

TEST(SendRule, DoesNotSendTheErrorOfLocalization) {
  const auto is_due = [](double sigma) {
    Sending sending({.off_m = 0.1});
    robot::Report report = sending.report();
    report.task = robot::TaskState::idle;
    report.goal.reset();
    report.error = {sigma, sigma, 0, 0};
    sending.offer(report);
    report.time += from_seconds(1);
    report.state.pose.x += 0.15;
    return sending.rule.is_due(report);
  };
  EXPECT_TRUE(is_due(0));
  EXPECT_TRUE(is_due(0.02));
  EXPECT_FALSE(is_due(0.1));
}

TEST(SendRule, SendsAtOnceThatTheHelmChangedHands) {
  const auto is_due = [](auto&& change) {
    Sending sending({.off_m = 0.5});
    sending.outing.run(2);
    sending.offer(sending.report());
    sending.outing.run(0.3);
    robot::Report report = sending.report();
    change(report);
    return sending.rule.is_due(report);
  };
  EXPECT_FALSE(is_due([](robot::Report&) {}));
  EXPECT_TRUE(is_due([](robot::Report& r) { r.motors = robot::MotorState::stopped; }));
  EXPECT_TRUE(is_due([](robot::Report& r) { r.hand_driven = true; }));
  EXPECT_TRUE(is_due([](robot::Report& r) { r.hindrance.emplace().contact.emplace(); })) << "it has run into something";
}

TEST(SendRule, AfterALossItGoesByWhatArrived) {
  Sending sending({.off_m = 0.3});
  sending.outing.run(4);
  const robot::Report arrived = sending.report();
  ASSERT_TRUE(sending.offer(arrived));
  sending.rule.on_receipt(arrived.sequence, false);
  // it is held up, which is reported; the copy then knows
  robot::Report lost = held(arrived, time_until_due(sending, arrived));
  lost.sequence = arrived.sequence + 1;
  ASSERT_TRUE(sending.offer(lost));
  const robot::Report later = held(lost, 0.3);
  EXPECT_FALSE(sending.rule.is_due(later));
  // a viewer that has only the first one believes that the robot drives on
  sending.rule.on_receipt(arrived.sequence, true);
  EXPECT_TRUE(sending.rule.is_due(later));
  // what is sent again counts as arrived until somebody says otherwise
  robot::Report again = later;
  again.sequence = lost.sequence + 1;
  ASSERT_TRUE(sending.offer(again));
  EXPECT_FALSE(sending.rule.is_due(held(again, 0.3)));
  sending.rule.on_receipt(arrived.sequence, true);
  EXPECT_TRUE(sending.rule.is_due(held(again, 0.3)));
  sending.rule.on_receipt(again.sequence, false);
  EXPECT_FALSE(sending.rule.is_due(held(again, 0.3)));
}

TEST(SendRule, AllocatesNothing) {
  Sending sending({.off_m = 0.05, .base_interval_s = 1});
  sending.drive(1);
  const robot::Report report = sending.report();
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) {
    robot::Report now = held(report, 0.1 * i);
    now.sequence = sending.n_sent;
    sending.offer(now);
    sending.rule.on_receipt(now.sequence, i % 2 == 0);
  }
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::predict
