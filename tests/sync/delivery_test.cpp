// Objects that an operator brings to the robot: whole and verified, or not at all.
#include "forerun/sync/delivery.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

using sync::ObjectKind;
using sync::Taken;
using Content = std::vector<std::uint8_t>;

Content make_content(std::size_t size, std::uint64_t seed = 1) {
  Random random(seed, 1);
  Content content(size);
  for (auto& byte : content) byte = static_cast<std::uint8_t>(random.below(256));
  return content;
}

struct Uplink : VirtualLink {
  explicit Uplink(const LinkSetup& given = {}) : VirtualLink(given) { run(2); }

  void bring(Content content) {
    client->bring(viewer_time(), ObjectKind::mission, std::move(content), from_viewer);
    post();
  }
  // What became of it; nothing when nothing was heard.
  std::optional<sync::Verdict> await(double seconds) {
    const Duration end = now + from_seconds(seconds);
    while (now < end && !client->delivery().verdict()) run(0.1);
    return client->delivery().verdict();
  }
  void lose(double loss) {
    takes = [this, loss](const Letter&) { return random.uniform() >= loss; };
  }

  Random random{7, 7};
};

TEST(Delivery, AnObjectReachesTheRobotWholeAndOnce) {
  Uplink link;
  const Content content = make_content(100'000);
  link.bring(content);
  const auto verdict = link.await(10);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::yes);
  ASSERT_EQ(link.robot.objects.size(), 1u);
  EXPECT_EQ(link.robot.objects[0].kind, ObjectKind::mission);
  EXPECT_EQ(link.robot.objects[0].bytes, content);
  EXPECT_EQ(link.server->counts().objects_taken, 1u);
  // the same again is known already
  link.bring(content);
  EXPECT_EQ(link.await(10)->taken, Taken::yes);
  EXPECT_EQ(link.robot.objects.size(), 1u);
}

TEST(Delivery, ARobotThatTakesNoObjectsSaysSo) {
  Uplink link;
  link.robot.takes_objects = false;
  link.bring(make_content(1000));
  const auto verdict = link.await(10);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::refused);
  EXPECT_EQ(verdict->refusal, robot::Refusal::not_able);
  EXPECT_EQ(verdict->words.view(), "this robot takes no objects");
}

TEST(Delivery, ARobotThatRefusedIsAskedAgainLater) {
  Uplink link;
  link.robot.takes_objects = false;
  const Content content = make_content(1000);
  link.bring(content);
  ASSERT_EQ(link.await(10)->taken, Taken::refused);
  link.robot.takes_objects = true;
  link.bring(content);
  EXPECT_EQ(link.await(1)->taken, Taken::refused) << "it may be the same offer, whose answer was lost";
  link.run(10);
  link.bring(content);
  EXPECT_EQ(link.await(10)->taken, Taken::yes);
}

// Each try is the same object, of which a session may bring four.
TEST(Delivery, ARobotThatRefusesMayBeAskedAnyNumberOfTimes) {
  Uplink link;
  link.robot.takes_objects = false;
  for (std::size_t i = 0; i < sync::Inbox::kMostObjects + 2; ++i) {
    link.bring(make_content(sync::Inbox::kMostBytes / 2));
    ASSERT_EQ(link.await(10)->taken, Taken::refused) << i;
    link.run(11);
  }
}

TEST(Delivery, AnObjectOfAKindThatIsUnknownIsRefusedWithAReason) {
  Uplink link;
  link.client->bring(link.viewer_time(), static_cast<ObjectKind>(200), make_content(1000), link.from_viewer);
  link.post();
  const auto verdict = link.await(10);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::refused);
  EXPECT_EQ(verdict->refusal, robot::Refusal::not_able);
  EXPECT_EQ(link.server->counts().drops.of(sync::Drop::malformed), 0u);
  EXPECT_TRUE(link.robot.objects.empty());
}

TEST(Delivery, SurvivesLosses) {
  Uplink link;
  link.lose(0.3);
  const Content content = make_content(300'000);
  link.bring(content);
  const auto verdict = link.await(120);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::yes);
  ASSERT_EQ(link.robot.objects.size(), 1u);
  EXPECT_EQ(link.robot.objects[0].bytes, content);
}

TEST(Delivery, GoesOnInTheNextSession) {
  LinkSetup setup;
  setup.client.rekey_s = 1;
  Uplink link(setup);
  link.lose(0.3);
  link.bring(make_content(900'000));
  ASSERT_TRUE(link.await(120));
  EXPECT_EQ(link.client->delivery().verdict()->taken, Taken::yes);
  EXPECT_GT(link.client->counts().sessions_begun, 3u);
  EXPECT_EQ(link.robot.objects.size(), 1u);
}

TEST(Delivery, ARobotSideThatStartsAnewInTheMiddleGetsItFromTheBeginning) {
  Uplink link;
  const Content content = make_content(900'000);
  link.bring(content);
  link.run(0.5);
  ASSERT_TRUE(link.robot.objects.empty());
  link.start_server();
  const auto verdict = link.await(60);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::yes);
  ASSERT_EQ(link.robot.objects.size(), 1u);
  EXPECT_EQ(link.robot.objects[0].bytes, content);
}

TEST(Delivery, WhoGoesInTheMiddleLeavesNothingBehind) {
  Uplink link;
  link.bring(make_content(900'000));
  link.run(0.5);
  link.connected = false;
  link.run(70);
  EXPECT_EQ(link.server->n_sessions(), 0u);
  EXPECT_TRUE(link.robot.objects.empty());
  // nobody is asked for anything any more
  const std::uint64_t sent = link.server->counts().sent;
  link.publishing = false;
  link.run(5);
  EXPECT_EQ(link.server->counts().sent, sent);
}

TEST(Delivery, AnObjectThatIsTooLargeIsRefusedBeforeMemoryIsTaken) {
  Uplink link;
  link.bring(make_content(sync::Inbox::kMostBytes + 1));
  const std::uint64_t sent = link.client->counts().sent;
  EXPECT_EQ(link.await(10)->taken, Taken::too_large);
  EXPECT_LT(link.client->counts().sent, sent + 5) << "no chunk was asked for";
}

TEST(Delivery, ASessionBringsNoMoreThanItMay) {
  Uplink link;
  for (std::uint64_t i = 0; i < sync::Inbox::kMostObjects; ++i) {
    link.bring(make_content(2000, i));
    ASSERT_EQ(link.await(10)->taken, Taken::yes);
  }
  link.bring(make_content(2000, 99));
  EXPECT_EQ(link.await(10)->taken, Taken::too_many);
  Uplink large;
  large.bring(make_content(sync::Inbox::kMostBytes - 1000));
  ASSERT_EQ(large.await(20)->taken, Taken::yes);
  large.bring(make_content(2000, 2));
  EXPECT_EQ(large.await(10)->taken, Taken::too_large) << "together they are";
  EXPECT_EQ(large.robot.objects.size(), 1u);
}

TEST(Delivery, AWatcherBringsNothing) {
  Uplink link({.role = sync::Role::watch});
  link.bring(make_content(1000));
  const auto verdict = link.await(10);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::not_allowed);
  EXPECT_TRUE(link.robot.objects.empty());
  EXPECT_GT(link.server->counts().drops.of(sync::Drop::not_allowed), 0u);
}

TEST(Delivery, TheNewestObjectTakesThePlaceOfTheOneUnderWay) {
  Uplink link;
  link.bring(make_content(500'000));
  link.run(0.2);
  const Content content = make_content(1000, 5);
  link.bring(content);
  EXPECT_EQ(link.await(10)->taken, Taken::yes);
  ASSERT_EQ(link.robot.objects.size(), 1u);
  EXPECT_EQ(link.robot.objects[0].bytes, content);
}

// Operators at one robot side, each with a key of its own; letters arrive at once.
struct ManyOperators {
  explicit ManyOperators(std::size_t n) {
    std::vector<sync::AllowedKey> allowed;
    std::vector<sync::KeyPair> keys;
    for (std::size_t i = 0; i < n; ++i) {
      keys.push_back(sync::make_key_pair(cipher));
      allowed.push_back({keys.back().open, sync::Role::operate});
    }
    server.emplace(cipher, robot_keys, allowed, robot, sync::ServerParams{}, RobotTime{});
    for (std::size_t i = 0; i < n; ++i) {
      clients.push_back(std::make_unique<sync::Client>(cipher, keys[i], robot_keys.open, kRobotPlace,
                                                       sync::ClientParams{}, OperatorTime{}));
    }
    run(1);
  }
  static sync::Address place_of(std::size_t i) { return {{10, 2}, static_cast<std::uint16_t>(5000 + i)}; }

  void run(double seconds) {
    const Duration end = now + from_seconds(seconds);
    for (; now < end; now += from_seconds(0.01)) {
      server->tick({now.ns}, from_robot);
      for (std::size_t i = 0; i < clients.size(); ++i) {
        clients[i]->tick({now.ns}, from_viewer);
        pass_up(i);
      }
      while (!from_robot.letters.empty()) {
        const Letter letter = from_robot.letters.front();
        from_robot.letters.pop_front();
        const std::size_t i = letter.to.port - 5000u;
        clients[i]->receive({now.ns}, kRobotPlace, letter.bytes, from_viewer);
        pass_up(i);
      }
    }
  }
  void pass_up(std::size_t i) {
    const auto letters = std::exchange(from_viewer.letters, {});
    for (const Letter& letter : letters) server->receive({now.ns}, place_of(i), letter.bytes, from_robot);
  }

  net::SodiumCipher cipher;
  sync::KeyPair robot_keys = sync::make_key_pair(cipher);
  NotingRobot robot;
  std::optional<sync::Server> server;
  std::vector<std::unique_ptr<sync::Client>> clients;
  Mailbox from_robot, from_viewer;
  Duration now;
};

// 32 may be under way at the same time; those that have arrived are not.
TEST(Delivery, AnyNumberOfOperatorsBringObjectsOneAfterAnother) {
  ManyOperators link(34);
  for (std::size_t i = 0; i < link.clients.size(); ++i) {
    sync::Client& client = *link.clients[i];
    client.bring({link.now.ns}, ObjectKind::mission, make_content(1000, i), link.from_viewer);
    link.pass_up(i);
    link.run(0.3);
    ASSERT_TRUE(client.delivery().verdict()) << i;
    ASSERT_EQ(client.delivery().verdict()->taken, Taken::yes) << i;
  }
}

// -- the robot side's part by itself ----------------------------------------------------------------------------------

TEST(Inbox, TakesNothingThatIsNotWhatWasOffered) {
  const net::SodiumCipher cipher;
  sync::Inbox inbox(cipher);
  NotingRobot robot;
  const Content good = make_content(1500), bad = make_content(1500, 2);
  ASSERT_FALSE(inbox.on_offer({}, {ObjectKind::mission, 1500, cipher.hash(good)}));
  const std::uint64_t object = sync::object_of(cipher.hash(good));
  EXPECT_FALSE(inbox.on_chunk({}, {object, 0, Bytes(good).first(1024)}, {}, robot));
  const auto verdict = inbox.on_chunk({}, {object, 1, Bytes(bad).subspan(1024)}, {}, robot);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->taken, Taken::mismatch);
  EXPECT_TRUE(robot.objects.empty());
  EXPECT_FALSE(inbox.is_fetching());
}

TEST(Inbox, AFloodOfOffersIsBounded) {
  const net::SodiumCipher cipher;
  sync::Inbox inbox(cipher);
  std::size_t n_begun = 0;
  for (std::uint8_t i = 0; i < 200; ++i) {
    n_begun += inbox.on_offer({}, {ObjectKind::mission, 200'000, cipher.hash(Content(1, i))}) ? 0 : 1;
  }
  EXPECT_EQ(n_begun, sync::Inbox::kMostObjects);
}

}  // namespace
}  // namespace forerun::test
