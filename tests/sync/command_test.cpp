// Commands over the link: executed once, in order, fresh, or not at all.
#include <gtest/gtest.h>

#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

using robot::CommandKind;
using sync::CommandRecord;
using sync::Outcome;

const robot::Command kGoal{.kind = CommandKind::goal, .goal = {3.25, -1.5}};
const robot::Command kStop{.kind = CommandKind::stop};
const robot::Command kDrive{.kind = CommandKind::drive, .velocity = {0.3, 0, -0.2}};

const CommandRecord& last_record(const VirtualLink& link) { return link.client->commands().records().back(); }

TEST(Command, AGoalIsExecutedOnceAndAcknowledged) {
  VirtualLink link;
  link.run(2);
  const auto number = link.give(kGoal);
  ASSERT_TRUE(number);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.run(1);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(link.robot.executed[0].kind, CommandKind::goal);
  EXPECT_NEAR(link.robot.executed[0].goal.x, 3.25, 1e-3);
  EXPECT_NEAR(link.robot.executed[0].goal.y, -1.5, 1e-3);
  EXPECT_EQ(link.robot.infos[0].number, *number);
  EXPECT_NEAR(to_seconds(link.robot.infos[0].age), 0.02, 0.011);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
}

TEST(Command, IsRepeatedUntilAnsweredAndStillExecutedOnce) {
  VirtualLink link;
  link.run(2);
  int n_lost = 0;
  // the first three answers are lost
  link.takes = [&](const Letter& letter) { return letter.up || letter.bytes.size() != 61 || n_lost++ >= 3; };
  link.give(kGoal);
  link.run(1.5);
  EXPECT_GE(n_lost, 4);
  EXPECT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(link.server->counts().commands_executed, 1u);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
}

TEST(Command, OldOnesAreRefused) {
  VirtualLink link;
  link.run(3);
  std::vector<Letter> held;
  link.takes = [&](const Letter& letter) {
    if (!letter.up || letter.bytes.size() <= 52) return true;
    held.push_back(letter);
    return false;
  };
  link.give(kGoal);
  link.run(1.2);
  ASSERT_FALSE(held.empty());
  link.takes = nullptr;
  link.hand_over(held[0]);
  EXPECT_TRUE(link.robot.executed.empty());
  EXPECT_EQ(link.server->counts().commands_refused, 1u);
}

TEST(Command, NothingIsSavedUpDuringABlackout) {
  VirtualLink link;
  link.run(2);
  link.connected = false;
  link.give(kGoal);
  link.run(3);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::expired);
  link.run(10);
  // by now the viewer knows that nobody listens
  EXPECT_FALSE(link.give(kGoal));
  EXPECT_FALSE(link.give(kDrive));
  link.connected = true;
  link.run(20);
  EXPECT_EQ(link.client->state(link.viewer_time()), sync::LinkState::open);
  EXPECT_TRUE(link.robot.executed.empty());
}

TEST(Command, AStopIsRepeatedThroughABlackoutUntilItIsConfirmed) {
  VirtualLink link;
  link.run(2);
  link.connected = false;
  ASSERT_TRUE(link.give(kStop));
  link.run(20);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.connected = true;
  link.run(10);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(link.robot.executed[0].kind, CommandKind::stop);
  // it was given anew, and was fresh when it came
  EXPECT_LT(to_seconds(link.robot.infos[0].age), 0.2);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
}

TEST(Command, NothingButAGoalTakesThePlaceOfAnUnansweredStop) {
  VirtualLink link;
  link.run(2);
  link.connected = false;
  const auto stop = link.give(kStop);
  ASSERT_TRUE(stop);
  link.run(1);
  EXPECT_FALSE(link.give(kDrive));
  EXPECT_FALSE(link.give({.kind = CommandKind::cancel}));
  EXPECT_EQ(last_record(link).number, *stop);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.connected = true;
  link.run(1);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(link.robot.executed[0].kind, CommandKind::stop);
  // once it is answered the operator may drive
  EXPECT_TRUE(link.give(kDrive));
  link.run(0.1);
  link.give(kStop);
  link.run(0.03);
  EXPECT_TRUE(link.give(kGoal));
  link.run(1);
  EXPECT_EQ(link.robot.executed.back().kind, CommandKind::goal);
}

TEST(Command, OrdersThatWereOvertakenAreNotExecuted) {
  VirtualLink link;
  link.run(2);
  std::vector<Letter> held;
  link.takes = [&](const Letter& letter) {
    const bool command = letter.up && letter.bytes.size() > 60;
    if (command && held.empty()) held.push_back(letter);
    return !command || letter.bytes != held[0].bytes;
  };
  link.give(kGoal);
  link.run(0.05);
  link.give(kStop);
  link.run(0.1);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  link.hand_over(held[0]);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(link.robot.executed[0].kind, CommandKind::stop);
}

TEST(Command, WhatTheRobotCannotDoIsReported) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::refuse(robot::Refusal::cannot_stand);
  link.give(kGoal);
  link.run(1);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::refused);
  EXPECT_EQ(last_record(link).outcome, Outcome::impossible);
  EXPECT_EQ(last_record(link).refusal, robot::Refusal::cannot_stand);
  EXPECT_TRUE(last_record(link).words.empty());
}

TEST(Command, TheReasonOfARefusalSurvivesLosses) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::refuse(robot::Refusal::busy, "charging, 12 minutes to go");
  int n_lost = 0;
  const std::size_t size = 61 + sync::kRefusalSize + link.robot.reply.words.view().size();
  link.takes = [&](const Letter& letter) { return letter.up || letter.bytes.size() != size || n_lost++ >= 3; };
  link.give(kGoal);
  link.run(1.5);
  EXPECT_EQ(n_lost, 4);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::refused);
  EXPECT_EQ(last_record(link).refusal, robot::Refusal::busy);
  EXPECT_EQ(last_record(link).words.view(), "charging, 12 minutes to go");
}

TEST(Command, IsAnsweredWhenTheRobotHasGivenItsWord) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::wait();
  link.setup.delay_s = 0.2;  // so that the word comes while repetitions are under way
  link.give(kGoal);
  link.run(0.3);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.robot.words.push_back({link.robot.infos[0].ticket, robot::refuse(robot::Refusal::other, "the gate is shut")});
  link.run(1);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::refused);
  EXPECT_EQ(last_record(link).words.view(), "the gate is shut");
  EXPECT_EQ(link.robot.executed.size(), 1u) << "repetitions are not executed";
  EXPECT_EQ(link.server->counts().commands_executed, 0u);
}

TEST(Command, ARobotThatSaysNothingIsNotWaitedForLong) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::wait();
  link.give(kGoal);
  link.run(0.19);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.run(0.1);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
  EXPECT_EQ(link.server->counts().commands_executed, 1u);
  // a word that comes too late changes nothing
  link.robot.words.push_back({link.robot.infos[0].ticket, robot::refuse(robot::Refusal::other)});
  link.run(0.5);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
}

TEST(Command, NobodyWaitsForTheWordOnAStop) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::wait();
  link.give(kStop);
  link.run(0.07);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
}

TEST(Command, WhatDoesNotFitIntoTheMessageIsNotSent) {
  VirtualLink link;
  link.run(2);
  EXPECT_FALSE(link.give({.kind = CommandKind::goal, .goal = {1e9, 0}}));
  EXPECT_FALSE(link.give({.kind = CommandKind::goal, .goal = {kInfinity, 0}}));
  EXPECT_FALSE(link.give({.kind = CommandKind::drive, .velocity = {1e9, 0, 0}}));
}

TEST(HandDriving, EndsWhenItsCommandsCease) {
  VirtualLink link;
  link.run(2);
  for (int i = 0; i < 20; ++i) {
    link.give(kDrive);
    link.run(0.1);
  }
  EXPECT_GE(link.robot.executed.size(), 18u);
  EXPECT_EQ(link.robot.n_ended, 0);
  link.run(0.4);
  EXPECT_EQ(link.robot.n_ended, 0);
  link.run(0.2);
  EXPECT_EQ(link.robot.n_ended, 1);
  link.run(5);
  EXPECT_EQ(link.robot.n_ended, 1);
}

TEST(HandDriving, EndsInTimeWhenTheLinkGoes) {
  VirtualLink link;
  link.run(2);
  for (int i = 0; i < 10; ++i) {
    link.give(kDrive);
    link.run(0.1);
  }
  link.connected = false;
  for (int i = 0; i < 6; ++i) {
    link.give(kDrive);
    link.run(0.1);
  }
  EXPECT_EQ(link.robot.n_ended, 1);
  const std::size_t executed = link.robot.executed.size();
  // when the link returns, nothing of it is made up for
  link.run(20);
  link.connected = true;
  link.run(20);
  EXPECT_EQ(link.robot.executed.size(), executed);
}

TEST(HandDriving, KeepsItsTimeLimitWhenAGoalIsImpossible) {
  VirtualLink link;
  link.run(2);
  link.give(kDrive);
  link.run(0.1);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  link.robot.reply = robot::refuse(robot::Refusal::cannot_get_there);
  link.give(kGoal);
  link.run(1);
  EXPECT_EQ(link.robot.n_ended, 1);
}

TEST(HandDriving, SharesOneRecord) {
  VirtualLink link;
  link.run(2);
  link.give(kGoal);
  link.run(0.5);
  for (int i = 0; i < 100; ++i) {
    link.give(kDrive);
    link.run(0.01);
  }
  EXPECT_EQ(link.client->commands().records()[0].kind, CommandKind::goal);
}

// -- the gate by itself ----------------------------------------------------------------------------------------------

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
    if (at < 1.69) EXPECT_EQ(gate.robot.n_ended, 0) << at;
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
