// Which of the commands under way is in force at which time, and which of them reports show or contradict.
#include "forerun/ahead/own_commands.hpp"

#include <gtest/gtest.h>

namespace forerun::ahead {
namespace {

using Kind = OwnCommands::InForce::Kind;
using robot::CommandKind;

RobotTime at(double time_s) { return RobotTime{} + from_seconds(time_s); }

OwnCommand drive(std::uint64_t number, double time_s, double speed) {
  return {number, {CommandKind::drive, {}, {speed, 0, 0}}, at(time_s - 1), at(time_s), 0, 0};
}

OwnCommand command(CommandKind kind, std::uint64_t number, double time_s, Vec2 goal = {}) {
  return {number, {kind, goal, {}}, at(time_s - 1), at(time_s), 0, 0};
}

robot::Report report_at(double time_s, bool hand_driven) {
  robot::Report report;
  report.time = at(time_s);
  report.hand_driven = hand_driven;
  return report;
}

double speed(const OwnCommands& commands, double time_s, bool unlucky = false) {
  return commands.at(at(time_s), unlucky).velocity.vx;
}

// Held from 10 s to 12 s.
OwnCommands held() {
  OwnCommands commands;
  for (int i = 0; i <= 20; ++i) commands.give(drive(1, 10 + 0.1 * i, 0.3));
  return commands;
}

TEST(OwnCommands, AreInForceFromTheTimeOfTheirEffect) {
  const OwnCommands commands = held();
  EXPECT_EQ(commands.at(at(9.99)).kind, Kind::nothing);
  EXPECT_EQ(speed(commands, 10), 0.3);
  EXPECT_EQ(commands.begin(at(9)), at(10));
  EXPECT_EQ(commands.begin(at(11)), at(11));
}

TEST(OwnCommands, EndWithTheDeadMansSwitch) {
  const OwnCommands commands = held();
  EXPECT_EQ(speed(commands, 12.5), 0.3);
  EXPECT_EQ(speed(commands, 12.51), 0);
  EXPECT_EQ(commands.at(at(12.51)).kind, Kind::velocity) << "it was told to rest, by its own rules";
}

TEST(OwnCommands, ThatWereGivenLaterTakeEffectLater) {
  OwnCommands commands;
  commands.give(drive(1, 10, 0.3));
  commands.give(drive(2, 9.95, 0.2));  // the way was thought to be shorter
  EXPECT_EQ(speed(commands, 9.96), 0);
  EXPECT_EQ(speed(commands, 10), 0.2);
}

TEST(OwnCommands, WithBadLuckTheSecondMessageCountsAndForLettingGoTheDeadMansSwitch) {
  OwnCommands commands = held();
  commands.give(drive(2, 12.1, 0));
  EXPECT_EQ(speed(commands, 10.05), 0.3);
  EXPECT_EQ(commands.at(at(10.05), true).kind, Kind::nothing);
  EXPECT_EQ(speed(commands, 10.1, true), 0.3);
  EXPECT_EQ(speed(commands, 12.1), 0);
  EXPECT_EQ(speed(commands, 12.4, true), 0.3);
  EXPECT_EQ(speed(commands, 12.51, true), 0);
}

TEST(OwnCommands, ThatWereRefusedOrLostAreTakenOut) {
  for (const Settled outcome : {Settled::refused, Settled::lost}) {
    OwnCommands commands = held();
    EXPECT_FALSE(commands.settle(7, outcome));
    EXPECT_TRUE(commands.settle(1, outcome));
    EXPECT_TRUE(commands.empty());
  }
}

TEST(OwnCommands, ThatWereConfirmedStayUntilAReportShowsThem) {
  OwnCommands commands;
  commands.give(command(CommandKind::goal, 1, 10, {3, 4}));
  EXPECT_TRUE(commands.settle(1, Settled::confirmed));
  EXPECT_EQ(commands.at(at(10)).kind, Kind::goal);
  robot::Report report = report_at(10.3, false);
  report.goal = Vec2{3, 4};
  commands.take(report);
  EXPECT_TRUE(commands.empty());
}

TEST(OwnCommands, WhoIsNotDrivenLongAfterTheyWereDueHasNotGotThem) {
  OwnCommands commands = held();
  commands.take(report_at(10.05, false));
  EXPECT_EQ(speed(commands, 10.05), 0.3) << "it may just have come";
  commands.take(report_at(11, false));
  EXPECT_EQ(commands.begin(at(10)), at(11)) << "those that follow may get there";
  commands.take(report_at(12.3, false));
  EXPECT_TRUE(commands.empty());
}

TEST(OwnCommands, LettingGoThatWasLostLeavesTheDeadMansSwitch) {
  OwnCommands commands = held();
  commands.give(drive(2, 12.1, 0));
  commands.take(report_at(12.3, true));
  EXPECT_EQ(speed(commands, 12.4), 0.3);
  EXPECT_EQ(speed(commands, 12.51), 0);
}

TEST(OwnCommands, AStopComesAgainUntilItIsConfirmed) {
  OwnCommands commands = held();
  commands.give(command(CommandKind::stop, 2, 12.1));
  commands.take(report_at(12.3, true));
  EXPECT_EQ(speed(commands, 12.29), 0.3);
  EXPECT_EQ(speed(commands, 12.3), 0);
}

TEST(OwnCommands, AreForgottenWhenTheRobotRests) {
  OwnCommands commands = held();
  commands.give(drive(2, 12.1, 0));
  commands.take(report_at(13, false));
  EXPECT_FALSE(commands.empty()) << "the next report may still show what went wrong";
  commands.take(report_at(14, false));
  EXPECT_TRUE(commands.empty());
}

TEST(OwnCommands, AGoalThatNoReportShowsIsGivenUp) {
  OwnCommands commands;
  commands.give(command(CommandKind::goal, 1, 10, {3, 4}));
  commands.take(report_at(11, false));
  EXPECT_EQ(commands.at(at(11)).kind, Kind::goal) << "it is repeated";
  commands.take(report_at(13, false));
  EXPECT_TRUE(commands.empty());
}

TEST(OwnCommands, ARobotThatDoesNotMoveForThemIsHeldBySomething) {
  OwnCommands commands = held();
  robot::Report report = report_at(11.5, true);
  commands.take(report);
  EXPECT_EQ(speed(commands, 11.6), 0);
  report.time = at(11.8);
  report.state.velocity = {0.25, 0, 0};
  commands.take(report);
  EXPECT_EQ(speed(commands, 11.9), 0.3);
}

TEST(OwnCommands, TellWhenAGoalComesAndGoes) {
  OwnCommands commands;
  commands.give(drive(1, 10, 0.3));
  commands.give(command(CommandKind::goal, 2, 11, {3, 4}));
  commands.give(command(CommandKind::cancel, 3, 12));
  EXPECT_EQ(commands.next_goal_change(at(9)), at(11));
  EXPECT_EQ(commands.next_goal_change(at(11)), at(12));
  EXPECT_EQ(commands.next_goal_change(at(12)), std::nullopt);
}

TEST(OwnCommands, HaveRoomForTheNewest) {
  OwnCommands commands;
  for (int i = 0; i < 1000; ++i) commands.give(drive(1, 10 + 0.1 * i, 0.001 * i));
  EXPECT_NEAR(speed(commands, 200) + speed(commands, 109.9), 0.999, 1e-12);
  EXPECT_EQ(commands.begin(at(0)), at(10 + 0.1 * (1000 - OwnCommands::kMost)));
}

TEST(OwnCommands, AMissionEndsThemAll) {
  OwnCommands commands = held();
  commands.give(command(CommandKind::start, 2, 12));
  EXPECT_TRUE(commands.empty());
}

}  // namespace
}  // namespace forerun::ahead
