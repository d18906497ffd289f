// Real sockets on the loopback.
#include "forerun/net/udp_socket.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "forerun/net/resolve.hpp"
#include "forerun/net/wait.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::net {
namespace {

using Buffer = std::vector<std::uint8_t>;

constexpr double kPatience_s = 5;
// All that a test sends before it receives must fit into a buffer as small as systems give to ordinary users, 416 KiB.

struct Arrived {
  Buffer bytes;
  Address from;
};

Address loopback(std::uint16_t port = 0) { return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}, port}; }
Address loopback6(std::uint16_t port = 0) { return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, port}; }

UdpSocket open_socket(const Address& address = loopback(), const SocketOptions& options = {}) {
  auto socket = UdpSocket::open(address, options);
  EXPECT_TRUE(socket) << socket.error().message;
  return std::move(*socket);
}

bool has_ipv6() { return UdpSocket::open(loopback6()).ok(); }

// Takes in until `count` have come, or nothing comes any more.
std::vector<Arrived> collect(UdpSocket& socket, std::size_t count) {
  std::vector<Arrived> all;
  const int descriptors[] = {socket.descriptor()};
  while (all.size() < count && wait_readable(descriptors, kPatience_s)) {
    const auto batch = socket.receive();
    EXPECT_LE(batch.size(), kBatch);
    for (const Datagram& datagram : batch) {
      all.push_back({Buffer(datagram.bytes.begin(), datagram.bytes.end()), datagram.from});
    }
  }
  return all;
}

Buffer numbered(std::size_t number, std::size_t size) {
  Buffer bytes(size, static_cast<std::uint8_t>(number * 7));
  bytes[0] = static_cast<std::uint8_t>(number);
  bytes[1] = static_cast<std::uint8_t>(number >> 8);
  return bytes;
}

TEST(UdpSocket, DatagramsArriveInOrderWithTheirSender) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  EXPECT_TRUE(receiver.receive().empty());
  for (std::size_t i = 0; i < 5; ++i) sender.send(numbered(i, 10 + i), receiver.local_address());
  sender.flush();
  const auto arrived = collect(receiver, 5);
  ASSERT_EQ(arrived.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(arrived[i].bytes, numbered(i, 10 + i));
    EXPECT_EQ(arrived[i].from, sender.local_address());
  }
  EXPECT_EQ(sender.counts().sent, 5u);
  EXPECT_EQ(receiver.counts().received, 5u);
}

TEST(UdpSocket, FarMoreThanABatchArrivesAndFewCallsSendIt) {
  UdpSocket sender = open_socket(), receiver = open_socket(), other = open_socket();
  for (std::size_t i = 0; i < 200; ++i) {
    // never two in a row to the same address, so that each is a message of its own
    sender.send(numbered(i, 100), receiver.local_address());
    sender.send(numbered(i, 100), other.local_address());
  }
  sender.flush();
  for (UdpSocket* socket : {&receiver, &other}) {
    const auto arrived = collect(*socket, 200);
    ASSERT_EQ(arrived.size(), 200u);
    for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(arrived[i].bytes, numbered(i, 100)) << i;
  }
  EXPECT_EQ(sender.counts().sent, 400u);
  EXPECT_EQ(sender.counts().segmented, 0u);
  EXPECT_EQ(sender.counts().send_calls, 7u);  // 400 / 64
}

// Runs of equal sizes, a shorter one at the end of a run, and lonely ones between; with and without GSO.
void expect_runs_arrive(const SocketOptions& options) {
  UdpSocket sender = open_socket(loopback(), options), receiver = open_socket(), other = open_socket();
  std::vector<Buffer> sent;
  const auto send = [&](std::size_t size) {
    sent.push_back(numbered(sent.size(), size));
    sender.send(sent.back(), receiver.local_address());
  };
  for (int i = 0; i < 70; ++i) send(1100);
  send(300);
  send(300);
  send(301);
  for (int i = 0; i < 5; ++i) send(2);
  sender.send(numbered(0, 2), other.local_address());
  for (int i = 0; i < 40; ++i) send(2048);
  sender.flush();
  const auto arrived = collect(receiver, sent.size());
  ASSERT_EQ(arrived.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(arrived[i].bytes, sent[i]) << i;
  EXPECT_EQ(collect(other, 1).size(), 1u);
  EXPECT_EQ(sender.counts().sent, sent.size() + 1);
  EXPECT_EQ(sender.counts().send_errors + sender.counts().congested, 0u);
  if (!options.segmentation) {
    EXPECT_EQ(sender.counts().segmented, 0u);
  }
}

TEST(UdpSocket, SegmentsOfALongBufferArriveAsSingleDatagrams) { expect_runs_arrive({}); }
TEST(UdpSocket, TheSameArrivesWithoutSegmentation) { expect_runs_arrive({.segmentation = false}); }
TEST(UdpSocket, TheSameArrivesFromAnIpv4Socket) { expect_runs_arrive({.ipv6 = false}); }

TEST(UdpSocket, BulkCostsFewCallsWhereTheKernelCanCut) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  for (std::size_t i = 0; i < 100; ++i) sender.send(numbered(i, 1000), receiver.local_address());
  sender.flush();
  EXPECT_EQ(collect(receiver, 100).size(), 100u);
  // an old kernel does not cut: then 64 datagrams share a call
  const bool cuts = sender.counts().segmented > 0;
  EXPECT_EQ(sender.counts().segmented, cuts ? 100u : 0u);
  EXPECT_EQ(sender.counts().send_calls, cuts ? 1u : 2u);
}

TEST(UdpSocket, BulkThatTheKernelRefusesToCutIsSentOneByOne) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  UdpSocket sender = open_socket(loopback6()), receiver = open_socket(loopback6());
  // a path that takes less in one piece than these datagrams have
  const int path_bytes = 1280;
  ASSERT_EQ(setsockopt(sender.descriptor(), IPPROTO_IPV6, IPV6_MTU, &path_bytes, sizeof path_bytes), 0);
  for (std::size_t i = 0; i < 20; ++i) sender.send(numbered(i, 2000), receiver.local_address());
  for (std::size_t i = 20; i < 40; ++i) sender.send(numbered(i, 200), receiver.local_address());
  sender.flush();
  const auto arrived = collect(receiver, 40);
  ASSERT_EQ(arrived.size(), 40u);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(arrived[i].bytes, numbered(i, i < 20 ? 2000 : 200)) << i;
  EXPECT_EQ(sender.counts().sent, 40u);
  EXPECT_EQ(sender.counts().send_errors, 0u);
}

TEST(UdpSocket, EmptyDatagramsAreDatagrams) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  for (int i = 0; i < 3; ++i) sender.send({}, receiver.local_address());
  sender.flush();
  const auto arrived = collect(receiver, 3);
  ASSERT_EQ(arrived.size(), 3u);
  for (const auto& datagram : arrived) EXPECT_TRUE(datagram.bytes.empty());
}

TEST(UdpSocket, ADatagramMayBeShorterThanItsRoom) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  for (const std::size_t size : {3u, 100u, 0u}) {
    const MutableBytes room = sender.begin(100);
    ASSERT_EQ(room.size(), 100u);
    std::fill(room.begin(), room.end(), static_cast<std::uint8_t>(size));
    sender.commit(size, receiver.local_address());
  }
  (void)sender.begin(50);  // begun, but never committed
  sender.flush();
  const auto arrived = collect(receiver, 3);
  ASSERT_EQ(arrived.size(), 3u);
  EXPECT_EQ(arrived[0].bytes, Buffer(3, 3));
  EXPECT_EQ(arrived[1].bytes, Buffer(100, 100));
  EXPECT_EQ(arrived[2].bytes, Buffer());
}

// Answers what comes, and checks that it went back to where it came from.
void expect_echo(UdpSocket& server, UdpSocket& client, const Address& server_address, std::size_t number) {
  client.send(numbered(number, 9), server_address);
  client.flush();
  const auto arrived = collect(server, 1);
  ASSERT_EQ(arrived.size(), 1u);
  server.send(arrived[0].bytes, arrived[0].from);
  server.flush();
  const auto answer = collect(client, 1);
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_EQ(answer[0].bytes, numbered(number, 9));
  EXPECT_EQ(answer[0].from, server_address);
}

// Where the machine has no IPv6, the same socket serves IPv4 alone.
TEST(UdpSocket, OneSocketServesIpv4AndIpv6) {
  UdpSocket server = open_socket(Address{});
  const std::uint16_t port = server.local_address().port;
  ASSERT_NE(port, 0);
  UdpSocket four = open_socket(loopback());
  expect_echo(server, four, loopback(port), 4);
  if (!has_ipv6()) return;
  UdpSocket six = open_socket(loopback6());
  expect_echo(server, six, loopback6(port), 6);
}

TEST(UdpSocket, WithoutIpv6ItStillServesIpv4) {
  UdpSocket server = open_socket(Address{}, {.ipv6 = false});
  UdpSocket client = open_socket();
  client.send(numbered(1, 5), loopback(server.local_address().port));
  client.flush();
  const auto arrived = collect(server, 1);
  ASSERT_EQ(arrived.size(), 1u);
  EXPECT_EQ(arrived[0].from, client.local_address());
  // what it cannot reach is dropped and counted
  server.send(numbered(1, 5), loopback6(9));
  server.send(numbered(2, 5), client.local_address());
  server.flush();
  EXPECT_EQ(server.counts().send_errors, 1u);
  EXPECT_EQ(collect(client, 1).size(), 1u);
}

// Sends whole what our own sockets refuse to send.
void send_long(const UdpSocket& from, const UdpSocket& to, std::size_t size) {
  const Buffer bytes(size, 1);
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  ASSERT_EQ(getsockname(to.descriptor(), reinterpret_cast<sockaddr*>(&address), &length), 0);
  ASSERT_EQ(sendto(from.descriptor(), bytes.data(), size, 0, reinterpret_cast<sockaddr*>(&address), length),
            static_cast<ssize_t>(size));
}

TEST(UdpSocket, TooLongDatagramsAreDroppedAndCounted) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  sender.send(numbered(1, kMaxDatagram), receiver.local_address());
  sender.flush();
  send_long(sender, receiver, kMaxDatagram + 1);
  send_long(sender, receiver, 9000);
  sender.send(numbered(2, 10), receiver.local_address());
  sender.flush();
  const auto arrived = collect(receiver, 2);
  ASSERT_EQ(arrived.size(), 2u);
  EXPECT_EQ(arrived[0].bytes, numbered(1, kMaxDatagram));
  EXPECT_EQ(arrived[1].bytes, numbered(2, 10));
  EXPECT_EQ(receiver.counts().truncated, 2u);
  EXPECT_EQ(receiver.counts().received, 2u);
}

TEST(UdpSocket, ARefusedPortDoesNotBreakLaterSends) {
  std::optional<UdpSocket> gone = open_socket();
  const Address nobody = gone->local_address();
  gone.reset();
  UdpSocket sender = open_socket(), receiver = open_socket();
  // with this the kernel tells about every refusal, as connected sockets have it
  const int on = 1;
  ASSERT_EQ(setsockopt(sender.descriptor(), IPPROTO_IP, IP_RECVERR, &on, sizeof on), 0);
  for (std::size_t round = 0; round < 20; ++round) {
    sender.send(numbered(0, 50), nobody);
    sender.flush();
    sender.send(numbered(round, 50), receiver.local_address());
    sender.send(numbered(0, 50), nobody);
    sender.flush();
    EXPECT_TRUE(sender.receive().empty());
  }
  const auto arrived = collect(receiver, 20);
  ASSERT_EQ(arrived.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(arrived[i].bytes, numbered(i, 50));
}

TEST(UdpSocket, AnImpossibleAddressCostsOnlyItsOwnDatagrams) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  for (std::size_t i = 0; i < 10; ++i) {
    sender.send(numbered(i, 20), receiver.local_address());
    sender.send(numbered(i, 20), loopback(0));  // nobody has port 0
  }
  sender.flush();
  EXPECT_EQ(collect(receiver, 10).size(), 10u);
  EXPECT_EQ(sender.counts().sent, 10u);
  EXPECT_EQ(sender.counts().send_errors, 10u);
}

TEST(UdpSocket, ATakenPortIsOneSentence) {
  UdpSocket first = open_socket();
  const auto second = UdpSocket::open(first.local_address());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(to_string(first.local_address())), std::string::npos) << second.error().message;
  EXPECT_EQ(second.error().kind, ErrorKind::impossible);
}

TEST(UdpSocket, TakesNothingFromTheHeapAfterOpening) {
  UdpSocket sender = open_socket(), receiver = open_socket();
  const Address to = receiver.local_address();
  const Buffer bytes(100, 1);
  const AllocationCounter counter;
  for (int i = 0; i < 150; ++i) sender.send(bytes, to);
  sender.flush();
  std::size_t n = 0;
  for (auto batch = receiver.receive(); !batch.empty(); batch = receiver.receive()) n += batch.size();
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_EQ(n, 150u);
}

TEST(WaitReadable, TellsWhetherAnythingCame) {
  UdpSocket sender = open_socket(), one = open_socket(), two = open_socket();
  const int descriptors[] = {one.descriptor(), two.descriptor()};
  EXPECT_FALSE(wait_readable(descriptors, 0));
  EXPECT_FALSE(wait_readable(descriptors, 0.001));
  sender.send(numbered(1, 5), two.local_address());
  sender.flush();
  EXPECT_TRUE(wait_readable(descriptors, kPatience_s));
}

}  // namespace
}  // namespace forerun::net
