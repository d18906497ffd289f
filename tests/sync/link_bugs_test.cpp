// Bugs of the link that came to light while it was fuzzed, one test each.
#include <gtest/gtest.h>

#include "forerun/sync/greeter.hpp"
#include "forerun/sync/prologue.hpp"
#include "forerun/sync/wire.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::sync {
namespace {

using test::Letter;
using test::VirtualLink;

const robot::Command kStop{robot::CommandKind::stop};
const robot::Command kDrive{robot::CommandKind::drive, {}, {0.3, 0, 0}};

// A viewer that is told to renew its keys at once, so that a replaced session is still listened to.
test::LinkSetup renewing() {
  test::LinkSetup setup;
  setup.client.rekey_s = 3;
  setup.client.old_keys_s = 1000;
  return setup;
}

// Runs until a session has been replaced.
void run_past_renewal(VirtualLink& link) {
  while (link.client->counts().sessions_begun < 2 && to_seconds(link.now) < 20) link.run(0.1);
  ASSERT_EQ(link.client->counts().sessions_begun, 2u);
}

TEST(LinkBug, AGoodbyeAfterARenewalForgetsBothSessions) {
  VirtualLink link(renewing());
  run_past_renewal(link);
  link.client->close(link.viewer_time(), link.from_viewer);
  link.run(2);  // ticked with a replaced session and none that replaced it
  EXPECT_NE(link.client->state(link.viewer_time()), LinkState::silent);
}

TEST(LinkBug, ARefusalAfterARenewalForgetsBothSessions) {
  VirtualLink link(renewing());
  run_past_renewal(link);
  link.setup.role = Role::none;
  link.start_server();
  link.run(12);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::refused);
}

TEST(LinkBug, AWelcomeThatCannotBeUnderstoodEndsItsHandshake) {
  net::SodiumCipher cipher;
  const KeyPair own = make_key_pair(cipher);
  const KeyPair robot_side = make_key_pair(cipher);
  Greeter greeter(cipher, own, robot_side.open, {});
  const OperatorTime now{1'000'000'000'000};
  greeter.start(now, {});
  const auto hello = greeter.due(now);
  ASSERT_TRUE(hello);

  // authentic, but with a role that nobody knows
  Handshake handshake = Handshake::respond(cipher, make_prologue(*hello), robot_side);
  std::array<std::uint8_t, kGreetingContentSize> content;
  ASSERT_TRUE(handshake.read_first(hello->subspan(kHelloNoiseAt), content));
  content.fill(3);
  std::array<std::uint8_t, kWelcomeSize> welcome;
  ByteReader header(*hello);
  ByteWriter out(welcome);
  write(GreetingHeader{DatagramType::welcome, kVersion, read_greeting_header(header).session}, out);
  ASSERT_TRUE(handshake.write_second(content, MutableBytes(welcome).subspan(kGreetingHeaderSize)));

  EXPECT_EQ(greeter.on_welcome(now, welcome).problem, Drop::malformed);
  EXPECT_EQ(greeter.on_welcome(now, welcome).problem, Drop::unexpected);
  // it is asked again, but not at once, whatever happens to the clock
  greeter.start(now + from_seconds(5), {});
  EXPECT_FALSE(greeter.active());
  greeter.start(now - from_seconds(5000), {});
  EXPECT_TRUE(greeter.active());
}

TEST(LinkBug, AGreetingThatIsNoLongerNeededDoesNotKeepTheViewerBusy) {
  VirtualLink link;
  link.run(2);
  link.connected = false;
  link.run(8.5);  // greets anew
  link.takes = [](const Letter& letter) { return letter.bytes[0] == static_cast<std::uint8_t>(DatagramType::data); };
  link.connected = true;  // the old session lives, and nobody answers the greeting
  for (int i = 0; i < 40; ++i) {
    link.run(0.1);
    EXPECT_GT(link.client->next_tick(link.viewer_time()), link.viewer_time());
  }
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::open);
}

TEST(LinkBug, AStopThatWaitsForAClockDoesNotKeepTheViewerBusy) {
  VirtualLink link;
  link.takes = [](const Letter& letter) { return letter.bytes[0] != static_cast<std::uint8_t>(DatagramType::data); };
  link.run(1);
  ASSERT_EQ(link.client->counts().sessions_begun, 1u);
  ASSERT_FALSE(link.client->clock().ready());
  link.give(kStop);
  link.run(0.5);
  EXPECT_GT(link.client->next_tick(link.viewer_time()), link.viewer_time());
}

TEST(LinkBug, CommandsFromANewPlaceAreNotAnsweredWithMoreThanTheyBrought) {
  VirtualLink link;
  link.run(2);
  const Address elsewhere{{10, 77}, 6000};
  std::size_t n_up = 0, n_down = 0;
  link.takes = [&](const Letter& letter) {
    if (letter.up) n_up += letter.bytes.size();
    if (letter.to == elsewhere && link.server->counts().moves == 0) n_down += letter.bytes.size();
    return true;
  };
  link.from_viewer.from = elsewhere;
  link.give(kStop);
  link.run(0.03);
  EXPECT_EQ(link.robot.executed.size(), 1u);
  EXPECT_GT(n_down, 0u);
  EXPECT_LE(n_down, n_up);
  // the answer comes when the viewer has proved that it is there
  link.run(1);
  EXPECT_EQ(link.server->counts().moves, 1u);
  EXPECT_EQ(link.client->commands().records().back().state, CommandRecord::State::executed);
}

TEST(LinkBug, ADriveIsNotSentAgainWhenItsTimeIsUp) {
  CommandSender sender;
  const OperatorTime given{1'000'000'000};
  sender.give(given, kDrive);
  EXPECT_TRUE(sender.next(given));
  EXPECT_FALSE(sender.next(given + from_seconds(2)));
  EXPECT_EQ(sender.records().back().state, CommandRecord::State::expired);
}

TEST(LinkBug, ADriveIsNotSentAgainWhenTheClockIsSetBack) {
  CommandSender sender;
  const OperatorTime given{100'000'000'000};
  sender.give(given, kDrive);
  EXPECT_TRUE(sender.next(given));
  EXPECT_FALSE(sender.next(given - from_seconds(10)));
  EXPECT_FALSE(sender.next(given - from_seconds(9)));
}

TEST(LinkBug, AGreetingFromNoTimeAtAllIsRefused) {
  for (const std::int64_t sent : {std::int64_t{-1}, kTimeLimit, INT64_MIN, INT64_MAX}) {
    std::array<std::uint8_t, kGreetingContentSize> body;
    ByteWriter hello(body);
    write(HelloContent{.sent = sent}, hello);
    EXPECT_FALSE(decode_hello_content(body)) << sent;
    ByteWriter welcome(body);
    write(WelcomeContent{.sent = sent}, welcome);
    EXPECT_FALSE(decode_welcome_content(body)) << sent;
  }
}

TEST(LinkBug, OneShortBodySpoilsAllFramesOfItsDatagram) {
  std::array<std::uint8_t, 64> room;
  std::array<std::uint8_t, kLargestCommandBody> body;
  ByteWriter body_out(body);
  ASSERT_TRUE(write(GivenCommand{1, OperatorTime{5}, {robot::CommandKind::goal, {1, 2}}}, body_out));
  const Bytes whole = body_out.written();
  for (const std::size_t length : {whole.size(), whole.size() - 1, std::size_t{3}}) {
    ByteWriter out(room);
    write_frame(FrameKind::response, Bytes(body).first(8), out);
    write_frame(FrameKind::command, whole.first(length), out);
    EXPECT_EQ(has_whole_frames(ByteReader(out.written())), length == whole.size()) << length;
  }
}

}  // namespace
}  // namespace forerun::sync
