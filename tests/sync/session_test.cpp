// Greeting, keeping and moving sessions.
#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/base/random.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

using sync::DatagramType;
using sync::Drop;
using sync::LinkState;
using sync::Role;

bool is_a(const Letter& letter, DatagramType type) {
  return !letter.bytes.empty() && letter.bytes[0] == static_cast<std::uint8_t>(type);
}

// A greeting as the viewer sends it first.
Letter first_hello(VirtualLink& link) {
  link.client->tick(link.viewer_time(), link.from_viewer);
  return link.from_viewer.letters.at(0);
}

TEST(Session, AViewerGetsReports) {
  VirtualLink link;
  link.report.state.pose = {1.5, -2.5, 0.5};
  link.run(2);
  ASSERT_TRUE(link.client->newest());
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::open);
  EXPECT_EQ(link.client->role(), Role::operate);
  EXPECT_NEAR(link.client->newest()->state.pose.x, 1.5, 1e-4);
  EXPECT_GT(link.client->counts().reports, 15u);
  EXPECT_EQ(link.client->counts().drops.total(), 0u);
  EXPECT_EQ(link.server->counts().drops.total(), 0u);
}

TEST(Session, SectionsComeWithTheReport) {
  VirtualLink link;
  link.sections = {200, 3, 0, 1, 2, 3};
  link.run(2);
  ASSERT_TRUE(link.client->newest());
  const auto sent = sync::encode_report(*link.client->newest(), link.sections);
  ASSERT_TRUE(sent);
  const Bytes got = link.client->newest_body();
  EXPECT_TRUE(std::equal(got.begin(), got.end(), sent->begin(), sent->end()));
  // and are gone when the robot says no more of them
  link.sections.clear();
  link.run(1);
  EXPECT_EQ(link.client->newest_body().size(), sync::kReportBodySize);
  EXPECT_EQ(link.client->counts().drops.total(), 0u);
}

TEST(Session, SectionsThatAreNotWholeAreNotSent) {
  VirtualLink link;
  const std::vector<std::uint8_t> cut{200, 3, 0, 1, 2}, whole(sync::kMostSectionBytes / 3 * 3),
      long_one(sync::kMostSectionBytes + 2);
  EXPECT_FALSE(link.server->publish(link.robot_time(), {}, cut));
  EXPECT_FALSE(link.server->publish(link.robot_time(), {}, long_one));
  EXPECT_TRUE(link.server->publish(link.robot_time(), {}, whole));
}

TEST(Session, WhoComesGetsTheNewestReportAlsoWhenTheFirstOnesAreLost) {
  for (const Role role : {Role::operate, Role::watch}) {
    VirtualLink link({.role = role});
    link.publishing = false;
    link.publish();
    link.from_robot.letters.clear();  // nobody was there
    int n_lost = 0;
    link.takes = [&](const Letter& letter) {
      const bool lose = !letter.up && is_a(letter, DatagramType::data) && n_lost < 3;
      n_lost += lose;
      return !lose;
    };
    link.run(0.3);
    EXPECT_FALSE(link.client->newest());
    link.run(2);
    EXPECT_EQ(n_lost, 3);
    ASSERT_TRUE(link.client->newest());
    EXPECT_EQ(link.client->newest()->sequence, 1u);
    // and once it has one, no more of the same
    const auto n_reports = link.client->counts().reports;
    link.run(10);
    EXPECT_EQ(link.client->counts().reports, n_reports);
    EXPECT_EQ(link.client->counts().drops.total(), 0u);
  }
}

TEST(Session, AReportIsStaleWhenNoneHasComeForTwiceAsLongAsUsual) {
  VirtualLink link;
  link.run(2);
  EXPECT_DOUBLE_EQ(link.client->stale_after_s(), 3);
  link.publishing = false;
  for (int i = 0; i < 20; ++i) {
    link.run(10);
    link.publish();
  }
  EXPECT_NEAR(link.client->stale_after_s(), 20, 1);
}

TEST(Session, ARobotSideWithoutReportsIsNotAskedForOneForEver) {
  VirtualLink link;
  link.publishing = false;
  link.run(15);
  const auto n_sent = link.client->counts().sent;
  link.run(10);
  EXPECT_LE(link.client->counts().sent - n_sent, 11u);
}

TEST(Session, ASyncDatagramHas120Bytes) {
  VirtualLink link;
  std::size_t largest = 0;
  link.takes = [&](const Letter& letter) {
    if (!letter.up && is_a(letter, DatagramType::data)) largest = std::max(largest, letter.bytes.size());
    return true;
  };
  link.report.target = Vec2{1, 2};
  link.report.goal = Vec2{10, 20};
  link.run(2);
  EXPECT_EQ(largest, 120u);
}

TEST(Session, AStrangerCostsNoStateAndNoAnswerLongerThanItsGreeting) {
  VirtualLink link;
  const Letter hello = first_hello(link);
  ASSERT_EQ(hello.bytes.size(), 144u);
  for (int i = 0; i < 1000; ++i) {
    link.server->receive(link.robot_time(), {{9}, static_cast<std::uint16_t>(i)}, hello.bytes, link.from_robot);
  }
  EXPECT_EQ(link.server->n_sessions(), 0u);
  ASSERT_EQ(link.from_robot.letters.size(), 1000u);
  for (const Letter& letter : link.from_robot.letters) {
    EXPECT_TRUE(is_a(letter, DatagramType::retry));
    EXPECT_LT(letter.bytes.size(), hello.bytes.size());
  }
}

TEST(Session, ATokenIsGoodForItsAddressOnlyAndForAWhile) {
  VirtualLink link;
  Letter hello;
  link.takes = [&](const Letter& letter) {
    if (letter.up) hello = letter;
    return !letter.up || letter.bytes[8] == 0;  // keeps back the greeting that shows a token
  };
  link.run(0.1);
  ASSERT_NE(hello.bytes[8] | hello.bytes[9] | hello.bytes[10], 0);
  link.takes = nullptr;
  const sync::Address elsewhere{{10, 3}, 5000};
  link.server->receive(link.robot_time(), elsewhere, hello.bytes, link.from_robot);
  EXPECT_EQ(link.server->counts().drops.of(Drop::bad_token), 1u);
  const RobotTime much_later = link.robot_time() + from_seconds(31);
  link.server->receive(much_later, kViewerPlace, hello.bytes, link.from_robot);
  EXPECT_EQ(link.server->counts().drops.of(Drop::bad_token), 2u);
  EXPECT_EQ(link.server->n_sessions(), 0u);
  link.server->receive(link.robot_time(), kViewerPlace, hello.bytes, link.from_robot);
  EXPECT_EQ(link.server->n_sessions(), 1u);
}

TEST(Session, TheSameGreetingMakesOneSessionAndTheSameAnswer) {
  VirtualLink link;
  std::vector<Letter> hellos, welcomes;
  link.takes = [&](const Letter& letter) {
    if (letter.up) hellos.push_back(letter);
    if (is_a(letter, DatagramType::welcome)) welcomes.push_back(letter);
    return !is_a(letter, DatagramType::welcome);
  };
  link.run(0.2);
  ASSERT_EQ(welcomes.size(), 1u);
  link.hand_over(hellos.back());
  ASSERT_EQ(welcomes.size(), 2u);
  EXPECT_EQ(welcomes[0].bytes, welcomes[1].bytes);
  EXPECT_EQ(link.server->n_sessions(), 1u);

  // once it has been used, it is a replay
  link.takes = nullptr;
  link.hand_over(welcomes[0]);
  link.run(0.5);
  ASSERT_EQ(link.server->counts().sessions_begun, 1u);
  link.hand_over(hellos.back());
  EXPECT_EQ(link.server->counts().drops.of(Drop::replayed), 1u);
  EXPECT_EQ(link.server->n_sessions(), 1u);
}

TEST(Session, SessionsThatAreNeverUsedEnd) {
  VirtualLink link;
  link.takes = [](const Letter& letter) { return !is_a(letter, DatagramType::welcome); };
  link.run(1);
  EXPECT_EQ(link.server->n_sessions(), 1u);
  link.connected = false;
  link.run(32);
  EXPECT_EQ(link.server->n_sessions(), 0u);
}

TEST(Session, UnknownKeysAreRefusedAndToldSo) {
  VirtualLink link({.role = Role::none});
  link.run(2);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::refused);
  EXPECT_FALSE(link.client->newest());
  EXPECT_EQ(link.server->n_sessions(), 0u);
  EXPECT_GE(link.server->counts().drops.of(Drop::not_allowed), 1u);
}

TEST(Session, WhereAnyoneMayWatchNobodyMayOperateUnasked) {
  VirtualLink link({.role = Role::none, .server = {.anyone_may_watch = true}});
  link.run(2);
  EXPECT_EQ(link.client->role(), Role::watch);
  EXPECT_TRUE(link.client->newest());
  EXPECT_TRUE(link.give({.kind = robot::CommandKind::stop}));
  link.run(1);
  EXPECT_TRUE(link.robot.executed.empty());
  EXPECT_EQ(link.client->commands().records().back().outcome, sync::Outcome::not_allowed);
}

TEST(Session, GreetingsBeyondTheBudgetAreDropped) {
  VirtualLink link({.server = {.greetings_per_s = 1}});
  // both cost a greeting: the first is answered
  link.run(0.3);
  EXPECT_EQ(link.server->n_sessions(), 1u);
  VirtualLink second({.server = {.greetings_per_s = 0.5}});
  second.run(0.3);
  EXPECT_EQ(second.server->n_sessions(), 0u);
  EXPECT_EQ(second.server->counts().drops.of(Drop::busy), 1u);
}

TEST(Session, NoMoreStrangersThanThereIsRoomFor) {
  VirtualLink link({.role = Role::none, .server = {.anyone_may_watch = true, .max_sessions = 0}});
  link.run(1);
  EXPECT_EQ(link.server->n_sessions(), 0u);
  EXPECT_GE(link.server->counts().drops.of(Drop::busy), 1u);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::greeting);
}

TEST(Session, DatagramsOpenOnceAndOnlyUnchanged) {
  VirtualLink link;
  std::vector<Letter> letters;
  link.takes = [&](const Letter& letter) {
    if (is_a(letter, DatagramType::data)) letters.push_back(letter);
    return true;
  };
  link.run(2);
  link.publishing = false;
  link.run(0.5);  // nothing is on the road any more
  link.takes = nullptr;
  const auto reports = link.client->counts().reports;
  for (const Letter& letter : letters) link.hand_over(letter);
  const auto replayed = link.client->counts().drops.of(Drop::replayed) + link.server->counts().drops.of(Drop::replayed);
  EXPECT_EQ(replayed, letters.size());
  for (std::size_t i = 0; i < letters.back().bytes.size(); ++i) {
    Letter changed = letters.back();
    changed.bytes[i] ^= 1;
    link.hand_over(changed);
  }
  EXPECT_EQ(link.client->counts().reports, reports);
}

TEST(Session, TheViewerMayMove) {
  VirtualLink link;
  link.run(2);
  const sync::Address elsewhere{{10, 77}, 6000};
  link.from_viewer.from = elsewhere;
  bool to_new_place = false;
  link.takes = [&](const Letter& letter) {
    if (!letter.up && letter.to == elsewhere && letter.bytes.size() == 120) to_new_place = true;
    return letter.up || letter.to == elsewhere;  // nobody is at the old place
  };
  link.run(3);
  EXPECT_TRUE(to_new_place);
  EXPECT_EQ(link.server->counts().moves, 1u);
  EXPECT_EQ(link.client->counts().sessions_begun, 1u);
}

TEST(Session, NobodyElseCanMoveASession) {
  VirtualLink link;
  link.run(2);
  // somebody catches a datagram before it arrives and sends it from elsewhere
  const sync::Address elsewhere{{66, 6}, 666};
  std::size_t n_sent = 0, n_caught = 0, longest = 0;
  link.takes = [&](const Letter& letter) {
    if (!letter.up && letter.to == elsewhere) {
      ++n_sent;
      longest = std::max(longest, letter.bytes.size());
      return false;
    }
    if (!letter.up || letter.from == elsewhere || n_caught > 0) return true;
    n_caught = letter.bytes.size();
    Letter stolen = letter;
    stolen.from = elsewhere;
    link.on_road.push_back({link.now, stolen});
    return false;
  };
  link.run(3);
  EXPECT_EQ(link.server->counts().moves, 0u);
  EXPECT_LE(n_sent, 1u);
  EXPECT_LE(longest, n_caught);
}

TEST(Session, TheRobotMayMove) {
  VirtualLink link;
  link.run(2);
  const sync::Address elsewhere{{10, 88}, 7777};
  link.from_robot.from = elsewhere;
  link.takes = [&](const Letter& letter) {
    return !letter.up || letter.to == elsewhere || link.client->counts().moves == 0;
  };
  const auto before = link.client->counts().reports;
  link.run(3);
  EXPECT_EQ(link.client->counts().moves, 1u);
  EXPECT_GT(link.client->counts().reports, before + 20);
  EXPECT_EQ(link.client->counts().sessions_begun, 1u);
}

TEST(Session, KeysAreRenewedWithoutAGap) {
  VirtualLink link({.client = {.rekey_s = 5}});
  link.run(2);
  std::uint64_t before = link.client->counts().reports;
  for (int second = 0; second < 30; ++second) {
    link.run(1);
    EXPECT_GE(link.client->counts().reports, before + 8);
    before = link.client->counts().reports;
  }
  EXPECT_GE(link.client->counts().sessions_begun, 6u);
  EXPECT_EQ(link.server->n_sessions(), 1u);
}

TEST(Session, ARestartOfTheRobotSideIsSurvived) {
  VirtualLink link;
  link.run(2);
  link.start_server();
  link.run(12);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::open);
  const auto before = link.client->counts().reports;
  link.run(1);
  EXPECT_GE(link.client->counts().reports, before + 8);
}

TEST(Session, ABlackoutIsSurvivedAndShown) {
  VirtualLink link;
  link.run(2);
  link.connected = false;
  link.run(30);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::silent);
  link.connected = true;
  link.run(5);
  EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::open);
}

TEST(Session, AViewerThatSaysGoodbyeIsForgotten) {
  VirtualLink link;
  link.run(2);
  ASSERT_EQ(link.server->n_sessions(), 1u);
  link.client->close(link.viewer_time(), link.from_viewer);
  link.post();
  link.now += from_seconds(1);
  link.deliver();
  EXPECT_EQ(link.server->n_sessions(), 0u);
}

TEST(Session, AHighDelayDoesNotPreventGreeting) {
  for (const double delay : {0.3, 1.0, 3.0, 5.0}) {
    VirtualLink link({.delay_s = delay});
    link.run(60);
    EXPECT_EQ(link.client->state(link.viewer_time()), LinkState::open) << delay;
    EXPECT_GT(link.client->counts().reports, 50u) << delay;
  }
}

TEST(Session, AnotherVersionIsNamed) {
  VirtualLink link;
  Letter hello = first_hello(link);
  hello.bytes[1] = 9;
  link.from_viewer.letters.clear();
  link.server->receive(link.robot_time(), kViewerPlace, hello.bytes, link.from_robot);
  ASSERT_EQ(link.from_robot.letters.size(), 1u);
  EXPECT_EQ(link.from_robot.letters[0].bytes[1], sync::kVersion);
  EXPECT_EQ(link.server->counts().drops.of(Drop::wrong_version), 1u);
  // and the other way round
  Letter retry = link.from_robot.letters[0];
  retry.bytes[1] = 7;
  link.client->receive(link.viewer_time(), kRobotPlace, retry.bytes, link.from_viewer);
  EXPECT_EQ(link.client->server_version(), 7);
}

TEST(Session, ReportsFromOutsideTheWorldAreDropped) {
  VirtualLink link;
  link.client->set_world_bounds({{0, 0}, {20, 10}});
  link.report.state.pose = {12, 3, 0};
  link.run(1);
  ASSERT_TRUE(link.client->newest());
  link.report.state.pose = {500, 3, 0};
  link.run(1);
  EXPECT_LT(link.client->newest()->state.pose.x, 20);
  EXPECT_GT(link.client->counts().drops.of(Drop::outside_world), 5u);
}

TEST(Session, NoiseFromTheNetworkNeverDoesHarm) {
  VirtualLink link;
  link.run(1);
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    Letter letter{random.below(2) == 0, kViewerPlace, kRobotPlace, std::vector<std::uint8_t>(random.below(1300))};
    for (std::uint8_t& byte : letter.bytes) byte = static_cast<std::uint8_t>(random.bits());
    if (!letter.bytes.empty()) letter.bytes[0] = static_cast<std::uint8_t>(random.below(6));
    if (letter.bytes.size() > 1) letter.bytes[1] = static_cast<std::uint8_t>(random.below(2));
    link.hand_over(letter);
  }
  EXPECT_EQ(link.server->n_sessions(), 1u);
  const auto before = link.client->counts().reports;
  link.run(1);
  EXPECT_GE(link.client->counts().reports, before + 8);
}

TEST(Session, AWatcherCostsLessThanAKibibyte) {
  EXPECT_LE(sizeof(sync::ServerSession) + sizeof(sync::WelcomeBytes), 700u);
}

TEST(Session, APlanThatIsNotSaidAgainIsAsItWas) {
  VirtualLink link;
  link.publishing = false;
  link.run(1);
  const auto publish = [&](std::optional<robot::PlannedPath> plan) {
    link.report.planned_path = plan;
    link.publish();
    link.run(0.1);
    return link.client->newest()->planned_path;
  };
  robot::PlannedPath plan;
  plan.push_back({1, 2});
  plan.push_back({3, 4});
  EXPECT_FALSE(publish(std::nullopt));
  EXPECT_EQ(publish(plan), plan);
  EXPECT_EQ(publish(std::nullopt), plan);
  EXPECT_EQ(publish(robot::PlannedPath{}), robot::PlannedPath{}) << "it has none any more";
  EXPECT_EQ(publish(plan), plan);
  link.report.sequence = 0;
  EXPECT_FALSE(publish(std::nullopt)) << "the robot side was started anew";
}

TEST(Session, WheelsThatAreNotSaidAgainAreAsTheyWere) {
  VirtualLink link;
  link.publishing = false;
  link.run(1);
  const auto base_after = [&](std::optional<robot::FoundWheels> wheels) {
    link.report.wheels = wheels;
    link.publish();
    link.run(0.1);
    const auto& known = link.client->newest()->wheels;
    return known ? known->wheels.base : -1;
  };
  EXPECT_EQ(base_after(std::nullopt), -1);
  EXPECT_EQ(base_after(robot::FoundWheels{{0.1, 0.1, 0.36}, {}}), 0.36);
  EXPECT_EQ(base_after(std::nullopt), 0.36);
  EXPECT_EQ(base_after(robot::FoundWheels{{0.1, 0.1, 0.37}, {}}), 0.37);
  link.report.sequence = 0;
  EXPECT_EQ(base_after(std::nullopt), -1) << "the robot side was started anew";
}

}  // namespace
}  // namespace forerun::test
