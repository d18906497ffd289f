// The command gate by itself: which commands reach the robot, and what is answered when.
#include <gtest/gtest.h>

#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

using robot::CommandKind;
using sync::Outcome;

const robot::Command kGoal{.kind = CommandKind::goal, .goal = {3.25, -1.5}};
const robot::Command kDrive{.kind = CommandKind::drive, .velocity = {0.3, 0, -0.2}};

struct Gate {
  Gate() { clock.add({start, {viewer(start)}, {viewer(start)}, start}); }

  [[nodiscard]] static std::int64_t viewer(RobotTime t) { return t.ns + 7'000'000'000; }
  sync::Answer decide(std::uint64_t number, double age_s, double at_s) {
    const RobotTime now = start + from_seconds(at_s);
    return gate.decide(who, {clock, std::nullopt}, {number, {viewer(now - from_seconds(age_s))}, kGoal}, now).value();
  }
  // A command given at this moment; true when it is answered at once.
  bool give(std::uint64_t number, const robot::Command& command, double at_s) {
    const RobotTime now = start + from_seconds(at_s);
    return gate.decide(who, {clock, std::nullopt}, {number, {viewer(now)}, command}, now).has_value();
  }
  // What was waited for and is known at this time; hand driving ends when it is time.
  std::optional<sync::Answer> look(double at_s) {
    const auto answered = gate.next_answer(start + from_seconds(at_s));
    gate.tick(start + from_seconds(at_s));
    return answered ? std::optional(answered->answer) : std::nullopt;
  }
  void say(std::size_t command, const robot::Reply& reply) {
    robot.words.push_back({robot.infos[command].ticket, reply});
  }

  RobotTime start{1'000'000'000'000};
  NotingRobot robot;
  sync::CommandGate gate{robot, {}, start};
  sync::RobotsClockMap clock;
  sync::Key who{1};
};

TEST(CommandGate, RefusesWhatIsOlderThanTheLimit) {
  Gate gate;
  const double uncertainty = to_seconds(gate.clock.to_local({Gate::viewer(gate.start)}, gate.start).uncertainty);
  ASSERT_LT(uncertainty, 0.3);
  EXPECT_EQ(gate.decide(1, 0.5, 1).outcome, Outcome::executed);
  EXPECT_EQ(gate.decide(2, 1.01, 2).outcome, Outcome::stale);
  EXPECT_EQ(gate.decide(3, -1.5, 2).outcome, Outcome::stale);  // from the future
  EXPECT_EQ(gate.robot.executed.size(), 1u);
}

TEST(CommandGate, DoubtsTheClockUnlessTheRoundTripRulesItOut) {
  Gate gate;
  const RobotTime now = gate.start + from_seconds(500);  // the clock was learned long ago
  const double uncertainty = to_seconds(gate.clock.to_local({Gate::viewer(now)}, now).uncertainty);
  ASSERT_GT(uncertainty, 0.02);
  const double age = 1 - 2 * uncertainty;
  ASSERT_GT(age, 0);
  const OperatorTime given{Gate::viewer(now - from_seconds(age))};
  const auto decide = [&](std::uint64_t number, std::optional<Duration> longest) {
    return gate.gate.decide(gate.who, {gate.clock, longest}, {number, given, kGoal}, now)->outcome;
  };
  EXPECT_EQ(decide(1, std::nullopt), Outcome::stale);
  EXPECT_EQ(decide(2, from_seconds(1.5)), Outcome::stale);
  EXPECT_EQ(decide(3, from_seconds(0.99)), Outcome::executed);
}

TEST(CommandGate, RefusesWhatWasGivenBeforeTheStart) {
  Gate gate;
  EXPECT_EQ(gate.decide(1, 0.5, 0.3).outcome, Outcome::stale);
  EXPECT_EQ(gate.decide(2, 0.2, 0.3).outcome, Outcome::executed);
}

TEST(CommandGate, RefusesWithoutAClock) {
  Gate gate;
  gate.clock = sync::RobotsClockMap();
  EXPECT_EQ(gate.decide(1, 0, 1).outcome, Outcome::no_clock);
  EXPECT_TRUE(gate.robot.executed.empty());
}

TEST(CommandGate, CountsEachKeyByItself) {
  Gate gate;
  EXPECT_EQ(gate.decide(100, 0, 1).outcome, Outcome::executed);
  EXPECT_EQ(gate.decide(99, 0, 1).outcome, Outcome::superseded);
  EXPECT_EQ(gate.decide(99, 0, 1).highest, 100u);
  gate.who = {2};
  EXPECT_EQ(gate.decide(99, 0, 1).outcome, Outcome::executed);
}

TEST(CommandGate, AClockThatIsSetBackEndsHandDriving) {
  Gate gate;
  const RobotTime now = gate.start + from_seconds(1);
  const auto answer = gate.gate.decide(gate.who, {gate.clock, std::nullopt}, {1, {Gate::viewer(now)}, kDrive}, now);
  ASSERT_EQ(answer->outcome, Outcome::executed);
  gate.gate.tick(now - from_seconds(100));
  EXPECT_EQ(gate.robot.n_ended, 1);
}

TEST(CommandGate, AWordThatComesLateLeavesHandDrivingItsTimeLimit) {
  Gate gate;
  gate.robot.reply = robot::wait();
  EXPECT_FALSE(gate.give(1, kGoal, 1));
  gate.robot.reply = robot::accept();
  EXPECT_TRUE(gate.give(2, kDrive, 1.1));
  gate.say(0, robot::accept());
  const auto answer = gate.look(1.15);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->number, 1u);
  EXPECT_EQ(answer->highest, 2u);
  EXPECT_FALSE(gate.look(1.65));
  EXPECT_EQ(gate.robot.n_ended, 1);
}

TEST(CommandGate, TheEndOfHandDrivingDoesNotTakeAwayAGoalThatIsBeingDecided) {
  Gate gate;
  EXPECT_TRUE(gate.give(1, kDrive, 1));
  gate.robot.reply = robot::wait();
  EXPECT_FALSE(gate.give(2, kGoal, 1.45));
  EXPECT_FALSE(gate.look(1.55));
  EXPECT_EQ(gate.robot.n_ended, 0);
  gate.say(1, robot::accept());
  EXPECT_TRUE(gate.look(1.6));
  EXPECT_FALSE(gate.look(5));
  EXPECT_EQ(gate.robot.n_ended, 0);
}

TEST(CommandGate, GoalsWithoutEndDoNotProlongHandDriving) {
  Gate gate;
  EXPECT_TRUE(gate.give(1, kDrive, 1));
  gate.robot.reply = robot::wait();
  for (std::uint64_t i = 2; i < 20; ++i) {
    const double at = 1 + 0.05 * static_cast<double>(i);
    gate.give(i, kGoal, at);
    gate.say(i - 1, robot::refuse(robot::Refusal::busy));
    if (i > 3) static_cast<void>(gate.look(at));
    if (at < 1.69) {
      EXPECT_EQ(gate.robot.n_ended, 0) << at;
    }
  }
  EXPECT_EQ(gate.robot.n_ended, 1);
}

TEST(CommandGate, ADriveThatIsRefusedEndsNothingLater) {
  Gate gate;
  gate.robot.reply = robot::wait();
  EXPECT_FALSE(gate.give(1, kDrive, 1));
  EXPECT_FALSE(gate.give(2, kDrive, 1.1));
  gate.say(0, robot::refuse(robot::Refusal::busy));
  gate.say(1, robot::refuse(robot::Refusal::busy));
  EXPECT_EQ(gate.look(1.15)->number, 1u);
  EXPECT_EQ(gate.look(1.15)->refusal, robot::Refusal::busy);
  EXPECT_FALSE(gate.gate.deadline());
  EXPECT_FALSE(gate.look(9));
  EXPECT_EQ(gate.robot.n_ended, 0);
}

}  // namespace
}  // namespace forerun::test
