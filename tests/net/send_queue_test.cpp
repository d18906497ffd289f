// The outbox before a system that is full, forgetful or unwilling.
#include "forerun/net/send_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <memory>
#include <vector>

namespace forerun::net {
namespace {

using Sizes = std::vector<std::size_t>;

// Answers as told, then takes everything.
class MoodyPort final : public SendPort {
 public:
  int send(std::span<mmsghdr> messages) noexcept override {
    ++n_calls;
    if (refuses_segments != 0 && messages[0].msg_hdr.msg_controllen > 0) return -refuses_segments;
    int take = static_cast<int>(messages.size());
    if (!answers.empty()) {
      take = std::min(take, answers.front());
      answers.pop_front();
    }
    for (int i = 0; i < take; ++i) {
      taken.push_back(messages[static_cast<std::size_t>(i)].msg_hdr.msg_iov[0].iov_len);
      if (refuses_segments != 0 && i + 1 < take &&
          messages[static_cast<std::size_t>(i) + 1].msg_hdr.msg_controllen > 0) {
        return i + 1;
      }
    }
    return take;
  }
  void wait_for_room(int) noexcept override { ++n_waits; }

  std::deque<int> answers;   // how many to take, or a negative error number
  int refuses_segments = 0;  // with this error number
  Sizes taken;               // bytes of each message
  int n_calls = 0;
  int n_waits = 0;
};

struct Sending {
  // Sends datagrams of these sizes, each to another address unless told otherwise.
  void add(const Sizes& sizes, bool same_address = false) {
    for (const std::size_t size : sizes) {
      Address to{.ip = {}, .port = same_address ? std::uint16_t{1} : ++last_port};
      (void)outbox->begin(size, counts);
      outbox->commit(size, to, counts);
    }
  }
  void flush() { outbox->flush(counts); }

  MoodyPort port;
  SocketCounts counts;
  std::uint16_t last_port = 1;
  std::unique_ptr<SendQueue> outbox = std::make_unique<SendQueue>(port, AF_INET6, true);
};

TEST(SendQueue, AFullSystemIsGivenTimeAndNothingIsLost) {
  Sending sending;
  sending.port.answers = {2, -EAGAIN, -ENOBUFS, 1, -EAGAIN, -EINTR};
  sending.add({10, 11, 12, 13, 14});
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{10, 11, 12, 13, 14}));
  EXPECT_EQ(sending.port.n_waits, 3);
  EXPECT_EQ(sending.counts.sent, 5u);
  EXPECT_EQ(sending.counts.congested + sending.counts.send_errors, 0u);
}

TEST(SendQueue, ASystemThatStaysFullCostsTheRestAndBoundedTime) {
  Sending sending;
  sending.port.answers = {2};
  sending.port.answers.insert(sending.port.answers.end(), 100, -EAGAIN);
  sending.add({10, 11, 12, 13, 14});
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{10, 11}));
  EXPECT_EQ(sending.port.n_waits, 10);
  EXPECT_EQ(sending.counts.sent, 2u);
  EXPECT_EQ(sending.counts.congested, 3u);
  // the next flush begins anew
  sending.port.answers = {-EAGAIN};
  sending.add({15});
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{10, 11, 15}));
}

TEST(SendQueue, PatienceIsForAllThatIsSentUntilTheNextFlush) {
  Sending sending;
  sending.port.answers.assign(1000, -EAGAIN);
  sending.add(Sizes(10 * kBatch, 20));
  sending.flush();
  EXPECT_EQ(sending.port.n_waits, 10);
  EXPECT_EQ(sending.counts.congested, 10 * kBatch);
}

TEST(SendQueue, TheFateOfEarlierDatagramsIsNotThatOfTheNext) {
  Sending sending;
  sending.port.answers = {-ECONNREFUSED, 1, -EHOSTUNREACH, 1};
  sending.add({10, 11, 12});
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{10, 11, 12}));
  EXPECT_EQ(sending.counts.send_errors, 0u);
}

TEST(SendQueue, ADatagramThatIsRefusedTwiceIsSkipped) {
  Sending sending;
  sending.port.answers = {1, -ENETUNREACH, -ENETUNREACH, 1, -EMSGSIZE};
  sending.add({10, 11, 12, 13, 14});
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{10, 12, 14}));
  EXPECT_EQ(sending.counts.sent, 3u);
  EXPECT_EQ(sending.counts.send_errors, 2u);
}

TEST(SendQueue, NeighboursOfOneSizeToOneAddressBecomeOneMessage) {
  Sending sending;
  sending.add({100, 100, 100, 40}, true);  // a shorter one ends the run
  sending.add({40, 100}, true);            // a longer one cannot join
  sending.add({100});                      // another address neither
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{340, 40, 100, 100}));
  EXPECT_EQ(sending.counts.sent, 7u);
  EXPECT_EQ(sending.counts.segmented, 4u);
}

TEST(SendQueue, MessagesStayWithinWhatKernelsCut) {
  Sending sending;
  sending.add(Sizes(130, 10), true);  // at most 64 pieces
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{640, 640, 20}));
  sending.port.taken.clear();
  sending.add(Sizes(60, 1200), true);  // at most 65,000 bytes
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{54 * 1200, 6 * 1200}));
}

TEST(SendQueue, WhatIsNotCutByTheSystemIsSentOneByOne) {
  for (const int error : {EINVAL, EMSGSIZE, EIO}) {
    Sending sending;
    sending.port.refuses_segments = error;
    sending.add({10});
    sending.add({100, 100, 30}, true);
    sending.add({11});
    sending.flush();
    EXPECT_EQ(sending.port.taken, (Sizes{10, 100, 100, 30, 11})) << error;
    EXPECT_EQ(sending.counts.sent, 5u);
    EXPECT_EQ(sending.counts.segmented, 0u);
    // a device that cannot is not asked again
    sending.port.n_calls = 0;
    sending.add({100, 100, 30}, true);
    sending.flush();
    EXPECT_EQ(sending.port.n_calls, error == EIO ? 1 : 4) << error;
  }
}

TEST(SendQueue, OneByOneIsAsPatientAsTogether) {
  Sending sending;
  sending.port.refuses_segments = EINVAL;
  sending.port.answers = {1, -EAGAIN, 1, -ECONNREFUSED, 1, -EPERM, -EPERM};
  sending.add({100, 100, 100, 100, 30}, true);
  sending.flush();
  EXPECT_EQ(sending.port.taken, (Sizes{100, 100, 100, 30}));
  EXPECT_EQ(sending.counts.sent, 4u);
  EXPECT_EQ(sending.counts.send_errors, 1u);
  EXPECT_EQ(sending.port.n_waits, 1);
}

}  // namespace
}  // namespace forerun::net
