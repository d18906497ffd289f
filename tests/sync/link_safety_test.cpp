// What a reviewer could make the link do, and must never again.
#include <gtest/gtest.h>

#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

using robot::CommandKind;
using sync::CommandRecord;
using sync::Drop;
using sync::Outcome;
using sync::Role;

const robot::Command kGoal{.kind = CommandKind::goal, .goal = {3, 1}};
const robot::Command kStop{.kind = CommandKind::stop};
const robot::Command kDrive{.kind = CommandKind::drive, .velocity = {0.3, 0, 0}};

const CommandRecord& last_record(const VirtualLink& link) { return link.client->commands().records().back(); }

TEST(LinkSafety, AGoalThatWasOvertakenIsNotGivenAgain) {
  sync::CommandSender sender;
  const OperatorTime now{5'000'000'000'000};
  const std::uint64_t number = *sender.give(now, kGoal);
  ASSERT_TRUE(sender.next(now));
  // another viewer with the same key has commanded since
  sender.on_answer(now, {number, Outcome::superseded, number + 1000});
  EXPECT_EQ(sender.records().back().state, CommandRecord::State::refused);
  EXPECT_FALSE(sender.next(now + from_seconds(0.3)));
  // its next command has a higher number
  EXPECT_GT(sender.give(now + from_seconds(0.001), kGoal), number + 1000);
}

TEST(LinkSafety, AStopIsRepeatedWhateverTheAnswerUntilItIsExecuted) {
  VirtualLink link;
  link.run(2);
  link.robot.reply = robot::refuse(robot::Refusal::absent);  // nobody is at the controls at the moment
  link.give(kStop);
  link.run(1);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::pending);
  link.robot.reply = robot::accept();
  link.run(0.5);
  EXPECT_EQ(last_record(link).state, CommandRecord::State::executed);
  ASSERT_EQ(link.robot.executed.size(), 1u);
}

struct Gate {
  Gate() { clock.add({start, {viewer(start)}, {viewer(start)}, start}); }
  [[nodiscard]] static std::int64_t viewer(RobotTime t) { return t.ns + 7'000'000'000; }
  Outcome decide(const sync::Key& who, const robot::Command& command, double given_s, double now_s) {
    const RobotTime now = start + from_seconds(now_s);
    return gate.decide(who, {clock, std::nullopt}, {++number, {viewer(start + from_seconds(given_s))}, command}, now)
        ->outcome;
  }

  RobotTime start{1'000'000'000'000};
  NotingRobot robot;
  sync::CommandGate gate{robot, {}, start};
  sync::RobotsClockMap clock;
  std::uint64_t number = 0;
};

TEST(LinkSafety, NothingGivenBeforeAStopIsExecutedAfterItWhoeverGaveIt) {
  Gate gate;
  EXPECT_EQ(gate.decide({1}, kStop, 1.3, 1.4), Outcome::executed);
  EXPECT_EQ(gate.decide({2}, kGoal, 1.2, 1.5), Outcome::superseded);
  EXPECT_EQ(gate.decide({2}, kDrive, 1.25, 1.5), Outcome::superseded);
  EXPECT_EQ(gate.decide({2}, kGoal, 1.45, 1.6), Outcome::executed);
}

TEST(LinkSafety, ClosingTheRobotSideEndsHandDriving) {
  VirtualLink link;
  link.run(2);
  link.give(kDrive);
  link.run(0.1);
  ASSERT_EQ(link.robot.executed.size(), 1u);
  link.server->close();
  EXPECT_EQ(link.robot.n_ended, 1);
}

TEST(LinkSafety, ManyRequestsInOneDatagramGetOneAnswer) {
  VirtualLink link;
  const std::uint64_t object =
      link.server->objects().add(sync::ObjectKind::model, std::vector<std::uint8_t>(500'000, 7), link.cipher);
  link.client->fetch().begin(object);
  link.run(3);
  ASSERT_EQ(link.client->fetch().status(), sync::BulkStatus::complete);

  // the same questions again and again: what one session gets in a second is bounded
  std::size_t n_bytes = 0;
  link.takes = [&](const Letter& letter) {
    if (!letter.up) n_bytes += letter.bytes.size();
    return true;
  };
  for (int i = 0; i < 50; ++i) {
    static_cast<void>(link.client->fetch().take());
    link.client->fetch().begin(object);
    link.run(0.1);
  }
  EXPECT_LT(n_bytes, 7'000'000u);
  EXPECT_GT(link.server->counts().drops.of(Drop::busy), 0u);
}

TEST(LinkSafety, StrangersCannotTakeTheOperatorsPlace) {
  const LinkSetup full{.role = Role::operate, .server = {.anyone_may_watch = true, .max_sessions = 0}};
  VirtualLink link(full);
  link.run(2);
  EXPECT_EQ(link.client->state(link.viewer_time()), sync::LinkState::open);

  VirtualLink stranger({.role = Role::none, .server = full.server});
  stranger.run(2);
  EXPECT_TRUE(stranger.client->found_no_room());
  EXPECT_EQ(stranger.client->state(stranger.viewer_time()), sync::LinkState::greeting);
  EXPECT_GE(stranger.server->counts().drops.of(Drop::busy), 1u);
}

TEST(LinkSafety, AForbiddenKeyLosesItsSession) {
  VirtualLink link;
  link.run(2);
  ASSERT_EQ(link.server->n_sessions(), 1u);
  link.server->set_allowed({{link.viewer_keys.open, Role::operate}});
  EXPECT_EQ(link.server->n_sessions(), 1u);
  link.server->set_allowed({{link.viewer_keys.open, Role::watch}});
  EXPECT_EQ(link.server->n_sessions(), 0u);
  link.run(12);
  EXPECT_EQ(link.client->role(), Role::watch);
  link.server->set_allowed({});
  link.run(25);
  EXPECT_EQ(link.client->state(link.viewer_time()), sync::LinkState::refused);
}

TEST(LinkSafety, AViewerThatNoLongerProvesItsPlaceGetsNoMoreReports) {
  VirtualLink link;
  link.run(2);
  // somebody goes on sending in its name, but nobody is there to answer
  std::size_t n_late = 0;
  link.takes = [&](const Letter& letter) {
    const bool response = letter.up && letter.bytes.size() == 52 && n_late > 0;
    if (!letter.up && to_seconds(link.now) > 130) ++n_late;
    return letter.up && !response;
  };
  link.run(125);
  n_late = 0;
  link.takes = [&](const Letter& letter) {
    if (!letter.up && letter.bytes.size() == 120) ++n_late;
    return letter.up;
  };
  link.run(5);
  EXPECT_EQ(n_late, 0u);
}

TEST(LinkSafety, AViewerThatIsThereIsServedForHours) {
  VirtualLink link;
  link.run(2);
  for (int minute = 0; minute < 30; ++minute) {
    const auto before = link.client->counts().reports;
    link.run(60);
    EXPECT_GT(link.client->counts().reports, before + 590);
  }
}

TEST(LinkSafety, AGreetingWithAnAlteredBeginningMakesNoSession) {
  for (const std::size_t at : {1u, 2u, 3u, 4u, 7u}) {
    VirtualLink link;
    link.takes = [&](const Letter& letter) {
      const bool with_token =
          letter.up && letter.bytes.size() == 144 && (letter.bytes[8] | letter.bytes[9] | letter.bytes[12]) != 0;
      if (!with_token) return true;
      Letter altered = letter;
      altered.bytes[at] ^= 1;
      link.on_road.push_back({link.now, altered});
      return false;
    };
    link.run(0.3);
    EXPECT_EQ(link.server->n_sessions(), 0u) << at;
  }
}

TEST(LinkSafety, AWelcomeWithAnAlteredBeginningIsRefused) {
  for (const std::size_t at : {1u, 2u, 3u, 4u}) {
    VirtualLink link;
    link.takes = [&](const Letter& letter) {
      if (letter.up || letter.bytes.size() != 72) return true;
      Letter altered = letter;
      altered.bytes[at] ^= 1;
      link.on_road.push_back({link.now, altered});
      return false;
    };
    link.run(0.3);
    EXPECT_EQ(link.client->counts().sessions_begun, 0u) << at;
  }
}

TEST(LinkSafety, AWrongCommandIsAnsweredSo) {
  VirtualLink link;
  link.run(2);
  std::array<std::uint8_t, sync::kLargestCommandBody> body;
  ByteWriter out(body);
  ASSERT_TRUE(write(sync::GivenCommand{5, link.viewer_time(), kStop}, out));
  body[16] = 99;  // no such command
  EXPECT_FALSE(sync::decode_command(out.written()));
  ByteWriter far(body);
  EXPECT_FALSE(write(sync::GivenCommand{5, link.viewer_time(), {.kind = CommandKind::goal, .goal = {150e3, 0}}}, far));
}

}  // namespace
}  // namespace forerun::test
