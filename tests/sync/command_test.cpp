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

}  // namespace
}  // namespace forerun::test
