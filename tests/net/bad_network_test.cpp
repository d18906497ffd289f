// The relay between real sockets of this machine.
#include "forerun/net/bad_network.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "forerun/net/resolve.hpp"

namespace forerun::net {
namespace {

constexpr int kPatience = 2000;  // turns of a millisecond at most; only a failing test needs them all

UdpSocket open_local() {
  auto socket = UdpSocket::open(*resolve("127.0.0.1:0"));
  EXPECT_TRUE(socket) << socket.error().message;
  return std::move(*socket);
}

void say(UdpSocket& socket, const std::string& text, const Address& to) {
  socket.send(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), to);
  socket.flush();
}

struct Heard {
  std::string text;
  Address from;
};

std::vector<Heard> hear(UdpSocket& socket) {
  std::vector<Heard> heard;
  for (const Datagram& datagram : socket.receive()) {
    heard.push_back({std::string(datagram.bytes.begin(), datagram.bytes.end()), datagram.from});
  }
  return heard;
}

// Turns the relay until the socket has heard so many.
std::vector<Heard> hear(BadNetwork& relay, UdpSocket& socket, std::size_t count) {
  std::vector<Heard> heard;
  for (int i = 0; i < kPatience && heard.size() < count; ++i) {
    relay.turn(from_seconds(0.001));
    for (Heard& one : hear(socket)) heard.push_back(std::move(one));
  }
  return heard;
}

// A server behind a relay.
struct Road {
  explicit Road(const impair::LinkProfile& what = {}, std::size_t clients = 32) : profile(what), relay(make(clients)) {}

  BadNetwork make(std::size_t clients) {
    auto made = BadNetwork::open({.listen = *resolve("127.0.0.1:0"), .to = server.local_address(), .clients = clients},
                                 profile);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  UdpSocket server = open_local();
  impair::LinkProfile profile;
  BadNetwork relay;
};

TEST(BadNetwork, EverythingArrivesInOrderBothWays) {
  Road road;
  UdpSocket client = open_local();
  constexpr std::size_t kCount = 200;
  for (std::size_t i = 0; i < kCount; ++i) {
    say(client, "up " + std::to_string(i), road.relay.local_address());
    const auto heard = hear(road.relay, road.server, 1);
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].text, "up " + std::to_string(i));
    say(road.server, "down " + std::to_string(i), heard[0].from);
    const auto answer = hear(road.relay, client, 1);
    ASSERT_EQ(answer.size(), 1u);
    EXPECT_EQ(answer[0].text, "down " + std::to_string(i));
    EXPECT_EQ(answer[0].from, road.relay.local_address());
  }
  for (const impair::Way way : {impair::Way::up, impair::Way::down}) {
    const BadNetworkCounts& counts = road.relay.counts(way);
    EXPECT_EQ(counts.received, kCount);
    EXPECT_EQ(counts.sent, kCount);
    EXPECT_EQ(counts.lost + counts.duplicated + counts.reordered + counts.dropped, 0u);
  }
}

TEST(BadNetwork, ClientsAreKeptApart) {
  Road road;
  UdpSocket first = open_local(), second = open_local();
  say(first, "from the first", road.relay.local_address());
  const auto one = hear(road.relay, road.server, 1);
  say(second, "from the second", road.relay.local_address());
  const auto two = hear(road.relay, road.server, 1);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(two.size(), 1u);
  EXPECT_FALSE(one[0].from == two[0].from) << "the server must be able to tell them apart";
  say(road.server, "to the second", two[0].from);
  say(road.server, "to the first", one[0].from);
  const auto to_first = hear(road.relay, first, 1), to_second = hear(road.relay, second, 1);
  ASSERT_EQ(to_first.size(), 1u);
  ASSERT_EQ(to_second.size(), 1u);
  EXPECT_EQ(to_first[0].text, "to the first");
  EXPECT_EQ(to_second[0].text, "to the second");
  EXPECT_TRUE(hear(first).empty());
  EXPECT_EQ(road.relay.clients(), 2u);
}

TEST(BadNetwork, TheClientSilentLongestMakesRoom) {
  Road road({}, 2);
  UdpSocket first = open_local(), second = open_local(), third = open_local();
  std::vector<Address> seen;
  for (UdpSocket* client : {&first, &second, &first, &third}) {
    say(*client, "hello", road.relay.local_address());
    const auto heard = hear(road.relay, road.server, 1);
    ASSERT_EQ(heard.size(), 1u);
    seen.push_back(heard[0].from);
  }
  EXPECT_EQ(road.relay.clients(), 2u);
  EXPECT_EQ(seen[0], seen[2]);
  // the second's socket is gone, the others' work
  say(road.server, "to the second", seen[1]);
  say(road.server, "to the first", seen[2]);
  say(road.server, "to the third", seen[3]);
  EXPECT_EQ(hear(road.relay, first, 1).size(), 1u);
  EXPECT_EQ(hear(road.relay, third, 1).size(), 1u);
  EXPECT_TRUE(hear(second).empty());
}

TEST(BadNetwork, WhatWaitsForAReplacedClientReachesNobodyElse) {
  impair::LinkProfile profile;
  profile.down.delay = 0.5;
  Road road(profile, 1);
  UdpSocket first = open_local(), second = open_local();
  say(first, "hello", road.relay.local_address());
  const auto heard = hear(road.relay, road.server, 1);
  ASSERT_EQ(heard.size(), 1u);
  say(road.server, "to the first", heard[0].from);
  for (int i = 0; i < kPatience && road.relay.waiting() == 0; ++i) road.relay.turn(from_seconds(0.001));
  say(second, "hello", road.relay.local_address());
  ASSERT_EQ(hear(road.relay, road.server, 1).size(), 1u);
  for (int i = 0; i < kPatience && road.relay.waiting() > 0; ++i) road.relay.turn(from_seconds(0.001));
  EXPECT_TRUE(hear(second).empty());
  // a machine that stalls may deliver it before the second comes
  EXPECT_EQ(hear(first).size() + road.relay.counts(impair::Way::down).dropped, 1u);
}

TEST(BadNetwork, StrangersDoNotReachAClient) {
  Road road;
  UdpSocket client = open_local(), stranger = open_local();
  say(client, "hello", road.relay.local_address());
  const auto heard = hear(road.relay, road.server, 1);
  ASSERT_EQ(heard.size(), 1u);
  say(stranger, "not from the server", heard[0].from);
  say(road.server, "from the server", heard[0].from);
  const auto answer = hear(road.relay, client, 1);
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_EQ(answer[0].text, "from the server");
}

TEST(BadNetwork, HoldsDatagramsForTheLinksDelay) {
  impair::LinkProfile profile;
  profile.up.delay = 0.05;
  Road road(profile);
  UdpSocket client = open_local();
  say(client, "hello", road.relay.local_address());
  ASSERT_EQ(hear(road.relay, road.server, 1).size(), 1u);
  EXPECT_GE(road.relay.counts(impair::Way::up).mean_delay(), 0.05);
}

TEST(BadNetwork, CopiesAndLossesAreCounted) {
  impair::LinkProfile profile;
  profile.up.duplicate = 1;
  profile.down.loss = 1;
  Road road(profile);
  UdpSocket client = open_local();
  say(client, "hello", road.relay.local_address());
  const auto heard = hear(road.relay, road.server, 2);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].text, heard[1].text);
  EXPECT_EQ(road.relay.counts(impair::Way::up).duplicated, 1u);
  EXPECT_EQ(road.relay.counts(impair::Way::up).sent, 2u);
  EXPECT_EQ(road.relay.counts(impair::Way::up).reordered, 0u);
  say(road.server, "lost", heard[0].from);
  for (int i = 0; i < kPatience && road.relay.counts(impair::Way::down).received == 0; ++i) {
    road.relay.turn(from_seconds(0.001));
  }
  EXPECT_EQ(road.relay.counts(impair::Way::down).lost, 1u);
  EXPECT_TRUE(hear(client).empty());
}

TEST(BadNetwork, NothingPassesInABlackout) {
  Road road;
  UdpSocket client = open_local();
  road.relay.black_out(from_seconds(3600));
  EXPECT_TRUE(road.relay.black());
  say(client, "hello", road.relay.local_address());
  for (int i = 0; i < kPatience && road.relay.counts(impair::Way::up).received == 0; ++i) {
    road.relay.turn(from_seconds(0.001));
  }
  EXPECT_EQ(road.relay.counts(impair::Way::up).lost, 1u);
  EXPECT_EQ(road.relay.waiting(), 0u);
}

TEST(TimerHeap, GivesBackByTimeThenByOrder) {
  TimerHeap heap(4);
  const std::array<std::uint8_t, 3> bytes{1, 2, 3};
  EXPECT_TRUE(heap.push(from_seconds(2), bytes, {.number = 1}));
  EXPECT_TRUE(heap.push(from_seconds(1), Bytes(bytes).first(2), {.number = 2}));
  EXPECT_TRUE(heap.push(from_seconds(2), bytes, {.number = 3}));
  EXPECT_TRUE(heap.push(from_seconds(0), {}, {.number = 4}));
  EXPECT_FALSE(heap.push(from_seconds(0), bytes, {.number = 5})) << "full";
  std::vector<std::uint64_t> order;
  std::vector<std::size_t> sizes;
  for (; !heap.empty(); heap.pop()) {
    order.push_back(heap.next_tag().number);
    sizes.push_back(heap.next_bytes().size());
  }
  EXPECT_EQ(order, (std::vector<std::uint64_t>{4, 2, 1, 3}));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{0, 2, 3, 3}));
  EXPECT_TRUE(heap.push(from_seconds(0), bytes, {.number = 6})) << "places are used again";
  const std::vector<std::uint8_t> longest(kMaxDatagram + 1);
  EXPECT_FALSE(heap.push(from_seconds(0), longest, {}));
}

}  // namespace
}  // namespace forerun::net
