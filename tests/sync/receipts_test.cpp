// What the robot side knows of what operators have.
#include "forerun/sync/receipts.hpp"

#include <gtest/gtest.h>

#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

constexpr std::size_t kLeastWithAReport = 100;  // bytes; stamps and challenges are shorter

// A link on which reports are sent by hand.
struct QuietLink : VirtualLink {
  explicit QuietLink(const LinkSetup& given = {}) : VirtualLink(given) {
    publishing = false;
    run(3);
    takes = [this](const Letter& letter) { return letter.up || letter.bytes.size() < kLeastWithAReport || !losing; };
  }
  void send(bool lost = false) {
    losing = lost;
    publish();
    post();
    losing = false;
  }

  bool losing = false;
};

TEST(Receipts, AnOperatorsReportIsKnownToHaveCome) {
  QuietLink link;
  EXPECT_FALSE(link.server->receipt());
  link.send();
  link.run(1.5);
  ASSERT_TRUE(link.server->receipt());
  EXPECT_EQ(link.server->receipt()->sequence, link.report.sequence);
  EXPECT_FALSE(link.server->receipt()->missed);
}

TEST(Receipts, ALostOneIsMissedUntilAnotherIsSent) {
  QuietLink link;
  link.send();
  link.run(1.5);
  const std::uint32_t has = link.report.sequence;
  link.send(true);
  link.run(3);
  ASSERT_TRUE(link.server->receipt());
  EXPECT_EQ(link.server->receipt()->sequence, has);
  EXPECT_TRUE(link.server->receipt()->missed);
  link.send();
  EXPECT_FALSE(link.server->receipt()->missed) << "nobody can know yet";
  link.run(1.5);
  EXPECT_EQ(link.server->receipt()->sequence, link.report.sequence);
  EXPECT_FALSE(link.server->receipt()->missed);
}

TEST(Receipts, ManyInARowAreJudgedByTheNewest) {
  QuietLink link;
  for (int i = 0; i < 40; ++i) {
    link.send(i % 2 == 0);
    link.run(0.2);
  }
  link.run(1.5);
  EXPECT_EQ(link.server->receipt()->sequence, link.report.sequence);
  EXPECT_FALSE(link.server->receipt()->missed);
}

TEST(Receipts, ASlowLinkIsNotALossyOne) {
  QuietLink link({.delay_s = 0.8});
  link.run(5);
  for (int i = 0; i < 10; ++i) {
    link.send();
    for (int k = 0; k < 37; ++k) {
      link.run(0.1);
      const auto receipt = link.server->receipt();
      ASSERT_FALSE(receipt && receipt->missed) << i << " " << k;
    }
    ASSERT_TRUE(link.server->receipt());
    EXPECT_EQ(link.server->receipt()->sequence, link.report.sequence);
  }
}

TEST(Receipts, NothingIsAskedOfWatchers) {
  QuietLink link({.role = sync::Role::watch});
  link.send();
  link.run(2);
  EXPECT_EQ(link.client->counts().reports, 1u);
  EXPECT_FALSE(link.server->receipt());
}

TEST(Receipts, WhatWasOvertakenByAnAnswerCountsAsComeUnlessTheViewerSpokeWithoutIt) {
  const auto at = [](double s) { return RobotTime{} + from_seconds(s); };
  sync::Receipts receipts;
  receipts.on_sent(3, 30, at(0));
  receipts.on_echo(3, from_seconds(0.1), at(0.2));
  receipts.on_sent(5, 31, at(1));
  receipts.on_echo(6, from_seconds(0.1), at(1.3));
  EXPECT_EQ(receipts.newest()->sequence, 31u);
  receipts.on_sent(7, 32, at(2));
  receipts.on_echo(6, from_seconds(0.1), at(2.3));
  EXPECT_TRUE(receipts.newest()->missed);
  receipts.on_echo(8, from_seconds(0.1), at(3.3));
  EXPECT_EQ(receipts.newest()->sequence, 31u);
  EXPECT_TRUE(receipts.newest()->missed);
  // it was only late
  receipts.on_echo(7, from_seconds(0.1), at(3.4));
  EXPECT_EQ(receipts.newest()->sequence, 32u);
  EXPECT_FALSE(receipts.newest()->missed);
}

}  // namespace
}  // namespace forerun::test
