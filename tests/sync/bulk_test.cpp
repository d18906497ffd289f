#include "forerun/sync/bulk.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "forerun/base/random.hpp"
#include "forerun/net/sodium_cipher.hpp"

namespace forerun::sync {
namespace {

using Content = std::vector<std::uint8_t>;

Content make_content(std::size_t size, std::uint64_t seed = 1) {
  Random random(seed, 1);
  Content content(size);
  for (auto& byte : content) byte = static_cast<std::uint8_t>(random.below(256));
  return content;
}

struct LinkKind {
  double loss = 0;
  double duplication = 0;
  Duration delay = from_seconds(0.05);    // one way
  Duration jitter = from_seconds(0);      // up to this much longer, so that datagrams overtake each other
  Duration chunk_time = from_seconds(0);  // that a chunk takes in a bottleneck, where the others wait behind it
  Duration down_from = from_seconds(0);   // nothing passes
  Duration down_to = from_seconds(0);
};

// A store and a receiver with a link between them, in virtual time.
struct Transfer {
  explicit Transfer(const LinkKind& kind, const BulkParams& params = {}) : link(kind), receiver(cipher, params) {}

  void send(FrameKind frame, Bytes body) {
    ++sent[frame];
    if (now >= link.down_from && now < link.down_to) return;
    const int copies = random.uniform() < link.loss ? 0 : random.uniform() < link.duplication ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
      const Duration jitter = from_seconds(to_seconds(link.jitter) * random.uniform());
      Duration waiting;
      if (frame == FrameKind::chunk) {
        bottleneck_free = std::max(bottleneck_free, now) + link.chunk_time;
        waiting = bottleneck_free - now;
      }
      on_the_way.emplace(now + waiting + link.delay + jitter, std::pair(frame, Content(body.begin(), body.end())));
    }
  }
  void deliver(FrameKind frame, Bytes body) {
    if (frame == FrameKind::request) {
      const auto request = decode_request(body);
      ASSERT_TRUE(request.has_value());
      store.answer(*request, [&](FrameKind f, Bytes b) { send(f, b); });
    } else if (frame == FrameKind::offer) {
      receiver.on_offer(*decode_offer(body));
    } else {
      receiver.on_chunk(*decode_chunk(body));
    }
  }
  // Until it is over or the time is.
  void run(double seconds) {
    const Duration end = now + from_seconds(seconds);
    const Duration round_trip{2 * link.delay.ns + link.jitter.ns};
    while (now < end && receiver.status() > BulkStatus::idle && receiver.status() < BulkStatus::complete) {
      now += from_seconds(0.005);
      while (!on_the_way.empty() && on_the_way.begin()->first <= now) {
        const auto [frame, body] = on_the_way.begin()->second;
        on_the_way.erase(on_the_way.begin());
        if (damage) damage(frame, const_cast<Content&>(body));
        deliver(frame, body);
      }
      receiver.tick(now, round_trip, [&](FrameKind f, Bytes b) { send(f, b); });
    }
  }
  [[nodiscard]] bool has(const Content& content) const {
    const Bytes bytes = receiver.bytes();
    return std::equal(bytes.begin(), bytes.end(), content.begin(), content.end());
  }

  LinkKind link;
  net::SodiumCipher cipher;
  BulkStore store;
  BulkReceiver receiver;
  Random random{7, 3};
  Duration now = from_seconds(1000);
  Duration bottleneck_free;
  std::multimap<Duration, std::pair<FrameKind, Content>> on_the_way;
  std::map<FrameKind, int> sent;
  std::function<void(FrameKind, Content&)> damage;
};

TEST(BulkWire, BodiesAreWhatTheProtocolSays) {
  Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_EQ(object_of(digest), 0x0807060504030201u);
  const auto offer = encode(Offer{ObjectKind::mission, 0x01020304, digest});
  EXPECT_EQ(Content(offer.begin(), offer.begin() + 7), (Content{2, 4, 3, 2, 1, 1, 2}));
  EXPECT_EQ(offer.size(), 37u);
  const auto request = encode(Request{0x1122334455667788, 5, 0x0203});
  EXPECT_EQ(Content(request.begin(), request.end()),
            (Content{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 5, 0, 0, 0, 3, 2}));
  std::array<std::uint8_t, kChunkHeaderSize + kChunkSize> body;
  const Content bytes{9, 8};
  const Bytes chunk = encode(Chunk{1, 2, bytes}, body);
  EXPECT_EQ(Content(chunk.begin(), chunk.end()), (Content{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 9, 8}));
}

TEST(BulkWire, RefusesWhatContradictsItself) {
  const Offer offer{ObjectKind::model, 10, {}};
  const auto good = encode(offer);
  EXPECT_TRUE(decode_offer(good).has_value());
  Content longer(good.begin(), good.end());
  longer.push_back(1);
  EXPECT_TRUE(decode_offer(longer).has_value());
  EXPECT_FALSE(decode_offer(Bytes(good).first(36)).has_value());
  EXPECT_FALSE(decode_offer(encode(Offer{ObjectKind::model, 0, {}})).has_value());
  EXPECT_FALSE(decode_offer(encode(Offer{static_cast<ObjectKind>(0), 10, {}})).has_value());
  EXPECT_TRUE(decode_offer(encode(Offer{static_cast<ObjectKind>(200), 10, {}})).has_value()) << "of a newer version";
  EXPECT_TRUE(decode_request(encode(Request{1, 0, 0})).has_value());
  EXPECT_TRUE(decode_request(encode(Request{1, 4194303, 1})).has_value());
  EXPECT_FALSE(decode_request(encode(Request{1, 3, 0})).has_value());
  EXPECT_FALSE(decode_request(encode(Request{1, 4194303, 2})).has_value());
  EXPECT_FALSE(decode_request(encode(Request{1, UINT32_MAX, UINT16_MAX})).has_value());
  EXPECT_FALSE(decode_request(Bytes(encode(Request{1, 0, 0})).first(13)).has_value());
  EXPECT_FALSE(decode_chunk(Content(12)).has_value());
  EXPECT_TRUE(decode_chunk(Content(13)).has_value());
  EXPECT_TRUE(decode_chunk(Content(12 + 1024)).has_value());
  EXPECT_FALSE(decode_chunk(Content(12 + 1025)).has_value());
  EXPECT_FALSE(decode_chunk(Content(13, 0xff)).has_value());
}

TEST(Bulk, SizesAroundAChunkArriveWhole) {
  for (const std::size_t size : {1, 1023, 1024, 1025, 2048, 40000}) {
    Transfer transfer({});
    const Content content = make_content(size);
    transfer.receiver.begin(transfer.store.add(ObjectKind::mission, content, transfer.cipher));
    EXPECT_EQ(transfer.receiver.status(), BulkStatus::asking);
    transfer.run(30);
    EXPECT_EQ(transfer.receiver.status(), BulkStatus::complete) << size;
    EXPECT_EQ(transfer.receiver.kind(), ObjectKind::mission);
    EXPECT_EQ(transfer.receiver.progress(), 1);
    EXPECT_TRUE(transfer.has(content)) << size;
    EXPECT_EQ(static_cast<std::size_t>(transfer.sent[FrameKind::chunk]), (size + 1023) / 1024);
    EXPECT_EQ(transfer.receiver.take(), content);
    EXPECT_EQ(transfer.receiver.status(), BulkStatus::idle);
    EXPECT_TRUE(transfer.receiver.bytes().empty());
  }
}

TEST(Bulk, FiveMegabytesPassALinkThatLosesAThird) {
  Transfer transfer({.loss = 0.3, .duplication = 0.02, .jitter = from_seconds(0.03)});
  const Content content = make_content(5'000'000);
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, content, transfer.cipher));
  const Duration start = transfer.now;
  transfer.run(600);
  ASSERT_EQ(transfer.receiver.status(), BulkStatus::complete) << transfer.receiver.progress();
  EXPECT_TRUE(transfer.has(content));
  // without loss: an offer, 4883 chunks, and a request for each 32 of them and for the offer
  const double minimum = 1 + 4883 + 153 + 1;
  const double sent =
      transfer.sent[FrameKind::offer] + transfer.sent[FrameKind::chunk] + transfer.sent[FrameKind::request];
  RecordProperty("datagrams_over_minimum", std::to_string(sent / minimum));
  RecordProperty("seconds", std::to_string(to_seconds(transfer.now - start)));
  std::printf("%.0f datagrams, %.2f times the minimum, in %.1f s; %d requests, %d chunks, window %zu\n", sent,
              sent / minimum, to_seconds(transfer.now - start), transfer.sent[FrameKind::request],
              transfer.sent[FrameKind::chunk], transfer.receiver.window());
  // each chunk must be sent 1 / 0.7 times
  EXPECT_LT(transfer.sent[FrameKind::chunk], 1.6 * 4883);
  EXPECT_LT(sent / minimum, 2.5);
}

TEST(Bulk, LossFromTheBeginningIsTakenAsUsualAndDoesNotStopTheGrowth) {
  Transfer transfer({.loss = 0.3, .delay = from_seconds(0.09)});
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, make_content(2'000'000), transfer.cipher));
  transfer.run(5);
  EXPECT_GT(transfer.receiver.window(), 100u);
}

TEST(Bulk, ThirtyChunksPassALinkThatLosesAThirdWithinTenRoundTrips) {
  std::vector<double> round_trips;
  int n_chunks_sent = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Transfer transfer({.loss = 0.3, .delay = from_seconds(0.09)});
    transfer.random = Random(seed, 3);
    transfer.receiver.begin(transfer.store.add(ObjectKind::model, make_content(30 * 1024), transfer.cipher));
    const Duration start = transfer.now;
    transfer.run(60);
    ASSERT_EQ(transfer.receiver.status(), BulkStatus::complete);
    round_trips.push_back(to_seconds(transfer.now - start) / 0.18);
    n_chunks_sent += transfer.sent[FrameKind::chunk];
  }
  std::sort(round_trips.begin(), round_trips.end());
  EXPECT_LT(round_trips[20], 10);
  EXPECT_LT(round_trips[36], 16);
  // each must be sent 1 / 0.7 times, and the last ones are sent twice as often
  EXPECT_LT(n_chunks_sent, 1.9 * 30 * 40);
}

TEST(Bulk, WhatIsMissingBetweenOthersIsAskedForAgainWithoutMuchWaiting) {
  Transfer transfer({.delay = from_seconds(0.2)});
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, make_content(20 * 1024), transfer.cipher));
  int n_came = 0;
  transfer.damage = [&](FrameKind frame, Content& body) {
    if (frame == FrameKind::chunk && n_came++ == 5) body[0] ^= 1;  // of no object that is known: as good as lost
  };
  const Duration start = transfer.now;
  transfer.run(60);
  EXPECT_EQ(transfer.receiver.status(), BulkStatus::complete);
  // the offer, the chunks, and the one again; to wait for it as long as for an answer that may be late takes 1.65 s
  EXPECT_LT(to_seconds(transfer.now - start), 1.45);
}

TEST(Bulk, ChunksThatQueueAreNotAskedForAgain) {
  // a window of 32 chunks takes seven seconds, a round trip without them a fifth of one
  Transfer transfer({.delay = from_seconds(0.1), .chunk_time = from_seconds(0.22)});
  const Content content = make_content(60 * 1024);
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, content, transfer.cipher));
  transfer.run(60);
  EXPECT_TRUE(transfer.has(content));
  EXPECT_EQ(transfer.sent[FrameKind::chunk], 60);
}

TEST(Bulk, ALinkThatWasDownForMinutesCostsOnlyThoseMinutes) {
  Transfer transfer({.loss = 0.05, .down_from = from_seconds(1001), .down_to = from_seconds(1301)});
  const Content content = make_content(3'000'000);
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, content, transfer.cipher));
  transfer.run(10);
  const double progress = transfer.receiver.progress();
  EXPECT_GT(progress, 0.02);
  EXPECT_LT(progress, 0.9);
  const int before = transfer.sent[FrameKind::request];
  transfer.run(290);
  EXPECT_EQ(transfer.receiver.progress(), progress);
  EXPECT_LT(transfer.sent[FrameKind::request] - before, 250) << "a dead link needs no more than a knock now and then";
  // asking for the same object again changes nothing
  transfer.receiver.begin(transfer.receiver.object());
  EXPECT_EQ(transfer.receiver.progress(), progress);
  transfer.run(120);
  EXPECT_EQ(transfer.receiver.status(), BulkStatus::complete);
  EXPECT_TRUE(transfer.has(content));
  EXPECT_LT(transfer.sent[FrameKind::chunk], 1.2 * 2930);
}

TEST(Bulk, TheWindowGrowsOnAGoodLinkAndShrinksOnOneThatChokes) {
  Transfer good({});
  good.receiver.begin(good.store.add(ObjectKind::model, make_content(30'000'000), good.cipher));
  good.run(10);
  const std::size_t window = good.receiver.window();
  EXPECT_GT(window, 50u);
  good.link.loss = 0.4;
  good.run(1.5);
  EXPECT_LT(good.receiver.window(), window / 2 + 10);
}

TEST(Bulk, AQueueThatFillsMakesTheWindowSmaller) {
  Transfer transfer({});
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, make_content(30'000'000), transfer.cipher));
  transfer.run(5);
  const std::size_t window = transfer.receiver.window();
  transfer.link.delay = from_seconds(0.3);  // nothing is lost, but everything waits
  transfer.run(10);
  EXPECT_LT(transfer.receiver.window(), window / 2);
}

TEST(Bulk, AWholeThatWasDamagedIsFetchedAgain) {
  Transfer transfer({});
  const Content content = make_content(20000);
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, content, transfer.cipher));
  int damaged = 0;
  transfer.damage = [&](FrameKind frame, Content& body) {
    if (frame == FrameKind::chunk && damaged++ == 7) body[100] ^= 1;
  };
  transfer.run(60);
  EXPECT_EQ(transfer.receiver.counts().mismatches, 1);
  EXPECT_EQ(transfer.receiver.status(), BulkStatus::complete);
  EXPECT_TRUE(transfer.has(content));
}

TEST(Bulk, AnObjectThatIsNeverRightFailsAfterAFewTries) {
  Transfer transfer({});
  transfer.receiver.begin(transfer.store.add(ObjectKind::model, make_content(20000), transfer.cipher));
  transfer.damage = [](FrameKind frame, Content& body) {
    if (frame == FrameKind::chunk) body.back() ^= 1;
  };
  transfer.run(60);
  EXPECT_EQ(transfer.receiver.status(), BulkStatus::failed);
  EXPECT_EQ(transfer.receiver.failure(), BulkFailure::mismatch);
  EXPECT_EQ(transfer.receiver.counts().mismatches, 4);
  EXPECT_TRUE(transfer.receiver.bytes().empty());
  EXPECT_EQ(transfer.sent[FrameKind::chunk], 4 * 20);
  // whoever asks again gets another chance
  transfer.damage = nullptr;
  transfer.receiver.begin(transfer.receiver.object());
  transfer.run(60);
  EXPECT_EQ(transfer.receiver.status(), BulkStatus::complete);
}

TEST(Bulk, HostileOffersTakeNoMemory) {
  const net::SodiumCipher cipher;
  BulkReceiver receiver(cipher, {.largest_object = 1 << 20});
  const Digest digest = cipher.hash(make_content(10));
  receiver.begin(object_of(digest));
  receiver.on_offer({ObjectKind::model, 0, digest});
  EXPECT_EQ(receiver.status(), BulkStatus::asking);
  Digest other = digest;
  other[0] ^= 1;
  receiver.on_offer({ObjectKind::model, 10, other});
  EXPECT_EQ(receiver.status(), BulkStatus::asking);
  EXPECT_EQ(receiver.counts().refused, 2u);
  receiver.on_offer({ObjectKind::model, UINT32_MAX, digest});
  EXPECT_EQ(receiver.status(), BulkStatus::failed);
  EXPECT_EQ(receiver.failure(), BulkFailure::too_large);
  int sent = 0;
  receiver.tick(from_seconds(1), {}, [&](FrameKind, Bytes) { ++sent; });
  EXPECT_EQ(sent, 0);
}

TEST(Bulk, ADigestWithTheRightBeginningOnlyIsNotEnough) {
  const net::SodiumCipher cipher;
  const Content content = make_content(100);
  Digest digest = cipher.hash(content);
  digest[31] ^= 1;
  BulkReceiver receiver(cipher);
  for (int i = 0; i < 4; ++i) {
    if (i == 0) receiver.begin(Offer{ObjectKind::model, 100, digest});
    receiver.on_offer({ObjectKind::model, 100, digest});
    receiver.on_chunk({receiver.object(), 0, content});
  }
  EXPECT_EQ(receiver.status(), BulkStatus::failed);
  EXPECT_TRUE(receiver.bytes().empty());
}

TEST(Bulk, ChunksThatDoNotBelongAreCountedAndLeftAlone) {
  const net::SodiumCipher cipher;
  const Content content = make_content(2500);
  const Offer offer{ObjectKind::model, 2500, cipher.hash(content)};
  BulkReceiver receiver(cipher);
  const std::uint64_t object = object_of(offer.digest);
  receiver.on_chunk({object, 0, Bytes(content).first(1024)});  // nobody asked
  EXPECT_EQ(receiver.status(), BulkStatus::idle);
  receiver.begin(offer);
  receiver.on_chunk({object + 1, 0, Bytes(content).first(1024)});
  receiver.on_chunk({object, 3, Bytes(content).first(1024)});
  receiver.on_chunk({object, 0, Bytes(content).first(1023)});
  receiver.on_chunk({object, 2, Bytes(content).first(453)});
  EXPECT_EQ(receiver.counts().refused, 4u);
  EXPECT_EQ(receiver.progress(), 0);
  receiver.on_chunk({object, 2, Bytes(content).last(452)});
  receiver.on_chunk({object, 2, Bytes(content).last(452)});
  EXPECT_EQ(receiver.counts().duplicates, 1u);
  receiver.on_chunk({object, 0, Bytes(content).first(1024)});
  EXPECT_NEAR(receiver.progress(), 2.0 / 3, 1e-9);
  receiver.on_chunk({object, 1, Bytes(content).subspan(1024, 1024)});
  EXPECT_EQ(receiver.status(), BulkStatus::complete);
}

TEST(Bulk, AStoreAnswersOnlyWhatItHasAndNoMoreThanItsShare) {
  const net::SodiumCipher cipher;
  BulkStore store;
  const std::uint64_t object = store.add(ObjectKind::model, make_content(100'000), cipher);
  int frames = 0;
  const auto count = [&](FrameKind, Bytes) { ++frames; };
  EXPECT_TRUE(store.answer({object, 0, 65535}, count));
  EXPECT_EQ(frames, kMostChunksPerRequest);
  frames = 0;
  EXPECT_TRUE(store.answer({object, 97, 32}, count));
  EXPECT_EQ(frames, 1);
  frames = 0;
  EXPECT_FALSE(store.answer({object, 98, 1}, count));
  EXPECT_FALSE(store.answer({object + 1, 0, 1}, count));
  EXPECT_FALSE(store.answer({object + 1, 0, 0}, count));
  store.remove(object);
  EXPECT_FALSE(store.answer({object, 0, 0}, count));
  EXPECT_EQ(frames, 0);
}

}  // namespace
}  // namespace forerun::sync
