#include "forerun/bridge/kenaf_controllers.hpp"

#include <gtest/gtest.h>

namespace forerun::bridge {
namespace {

using Verdict = KenafControllers::Verdict;

sync::Address address(int port) { return {{}, static_cast<std::uint16_t>(port)}; }

struct Sender {
  int port = 1;
  std::uint32_t session = 7, sequence = 0;

  [[nodiscard]] std::vector<std::uint8_t> command(double speed = 10) {
    return encode(kenaf::Datagram{session, ++sequence, {kenaf::encode(kenaf::TrackSpeeds{speed, speed, 1})}});
  }
  [[nodiscard]] std::vector<std::uint8_t> ask() {
    return encode(kenaf::Datagram{session, ++sequence, {kenaf::ask_for_status()}});
  }
};

TEST(KenafControllers, CommandsAreTaken) {
  KenafControllers controllers;
  Sender sender;
  const auto heard = controllers.hear(sender.command(12), address(1), 0);
  EXPECT_EQ(heard.verdict, Verdict::taken);
  ASSERT_TRUE(heard.tracks);
  EXPECT_EQ(heard.tracks->left_mm, 12);
  EXPECT_FALSE(heard.flippers);
  EXPECT_TRUE(controllers.hear(sender.ask(), address(1), 0).asks);
}

TEST(KenafControllers, WhatWasOvertakenIsOldButASenderMayStartAnew) {
  KenafControllers controllers;
  Sender sender;
  const auto first = sender.command(), second = sender.command();
  EXPECT_EQ(controllers.hear(second, address(1), 0).verdict, Verdict::taken);
  EXPECT_EQ(controllers.hear(first, address(1), 0).verdict, Verdict::old);
  EXPECT_EQ(controllers.hear(second, address(1), 0).verdict, Verdict::old);
  sender = {1, 8, 0};
  EXPECT_EQ(controllers.hear(sender.command(), address(1), 0).verdict, Verdict::taken);
}

TEST(KenafControllers, OneDrivesAtATime) {
  KenafControllers controllers;
  Sender a, b{2, 9, 0};
  EXPECT_TRUE(controllers.hear(a.command(), address(1), 0).tracks);
  EXPECT_EQ(controllers.hear(b.command(), address(2), 0.4).verdict, Verdict::not_its_turn);
  EXPECT_EQ(controllers.hear(b.ask(), address(2), 0.4).verdict, Verdict::taken) << "who only listens may";
  EXPECT_TRUE(controllers.hear(b.command(), address(2), 0.6).tracks) << "the other one is silent";
  EXPECT_EQ(controllers.hear(a.command(), address(1), 0.7).verdict, Verdict::not_its_turn);
}

TEST(KenafControllers, WhoWasHeardLatelyListens) {
  KenafControllers controllers;
  Sender a, b{2, 9, 0};
  static_cast<void>(controllers.hear(a.command(), address(1), 0));
  static_cast<void>(controllers.hear(b.ask(), address(2), 1.5));
  EXPECT_EQ(controllers.listeners(1.9).size(), 2u);
  EXPECT_EQ(controllers.listeners(2.1), std::vector{address(2)});
}

TEST(KenafControllers, AFloodOfSendersFillsOnlyTheRoomThereIs) {
  KenafControllers controllers;
  Sender driver;
  EXPECT_TRUE(controllers.hear(driver.command(), address(1), 0).tracks);
  for (int port = 2; port < 2000; ++port) {
    Sender other{port};
    const auto verdict = controllers.hear(other.ask(), address(port), 0.1).verdict;
    EXPECT_EQ(verdict, port <= int{KenafControllers::kMost} ? Verdict::taken : Verdict::too_many) << port;
  }
  EXPECT_EQ(controllers.listeners(0.1).size(), KenafControllers::kMost);
  EXPECT_TRUE(controllers.hear(driver.command(), address(1), 0.2).tracks) << "who is there stays";
  Sender late{5000};
  EXPECT_EQ(controllers.hear(late.ask(), address(5000), 2.15).verdict, Verdict::taken) << "others were forgotten";
}

TEST(KenafControllers, NonsenseIsNoSender) {
  KenafControllers controllers;
  EXPECT_EQ(controllers.hear({}, address(1), 0).verdict, Verdict::nonsense);
  const std::vector<std::uint8_t> zeros(100, 0);
  EXPECT_EQ(controllers.hear(zeros, address(1), 0).verdict, Verdict::nonsense);
  EXPECT_TRUE(controllers.listeners(0).empty());
}

}  // namespace
}  // namespace forerun::bridge
