// The handshake: published vectors, a transcript of our own, and what must hold of any two ends.
#include "forerun/sync/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "forerun/net/sodium_cipher.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/hex.hpp"
#include "tests/support/scripted_cipher.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::sync {
namespace {

using test::from_hex;
using test::ScriptedCipher;
using test::show_hex;
using test::to_bytes;
using Buffer = std::vector<std::uint8_t>;

Key key_from(std::string_view hex) { return test::array_from_hex<Key>(hex); }

Key constant_key(std::uint8_t value) {
  Key key;
  key.fill(value);
  return key;
}

// Both ends of one handshake, with the messages between them.
struct Meeting {
  explicit Meeting(ScriptedCipher& with)
      : initiator_keys(with.pair_of(constant_key(1))), responder_keys(with.pair_of(constant_key(2))), cipher(with) {}

  Buffer write_first(const Buffer& payload) {
    Buffer message(payload.size() + kFirstOverhead);
    EXPECT_TRUE(initiator.write_first(payload, message));
    return message;
  }
  bool read_first(const Buffer& message) {
    read.assign(message.size() - kFirstOverhead, 0);
    return responder.read_first(message, read);
  }
  Buffer write_second(const Buffer& payload) {
    Buffer message(payload.size() + kSecondOverhead);
    EXPECT_TRUE(responder.write_second(payload, message));
    return message;
  }
  bool read_second(const Buffer& message) {
    read.assign(message.size() - kSecondOverhead, 0);
    return initiator.read_second(message, read);
  }

  KeyPair initiator_keys, responder_keys;
  ScriptedCipher& cipher;
  Buffer prologue = to_bytes("forerun");
  Handshake initiator = Handshake::initiate(cipher, prologue, initiator_keys, responder_keys.open);
  Handshake responder = Handshake::respond(cipher, prologue, responder_keys);
  Buffer read;  // the payload that was read last
};

void flip(Buffer& bytes, std::size_t bit) { bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8)); }

nlohmann::json find_vector() {
  // published with the protocol by the cacophony project, in the public domain
  std::ifstream file(test::source_path("tests/sync/noise_vectors.json"));
  if (!file) return nullptr;
  const auto document = nlohmann::json::parse(file);
  for (const auto& vector : document.at("vectors")) {
    if (vector.at("protocol_name") == "Noise_IK_25519_ChaChaPoly_SHA256") return vector;
  }
  return nullptr;
}

TEST(Noise, ReproducesThePublishedVector) {
  const nlohmann::json vector = find_vector();
  ASSERT_FALSE(vector.is_null());
  const auto field = [&](const char* name) { return vector.at(name).get<std::string>(); };
  ScriptedCipher cipher({key_from(field("init_ephemeral")), key_from(field("resp_ephemeral"))});
  Meeting meeting(cipher);
  const KeyPair own = cipher.pair_of(key_from(field("init_static")));
  const KeyPair other = cipher.pair_of(key_from(field("resp_static")));
  ASSERT_EQ(show_hex(other.open), field("init_remote_static"));
  meeting.initiator = Handshake::initiate(cipher, from_hex(field("init_prologue")), own, other.open);
  meeting.responder = Handshake::respond(cipher, from_hex(field("resp_prologue")), other);

  const auto& messages = vector.at("messages");
  const auto payload = [&](std::size_t i) { return from_hex(messages.at(i).at("payload").get<std::string>()); };
  const auto sealed = [&](std::size_t i) { return from_hex(messages.at(i).at("ciphertext").get<std::string>()); };
  EXPECT_EQ(meeting.write_first(payload(0)), sealed(0));
  ASSERT_TRUE(meeting.read_first(sealed(0)));
  EXPECT_EQ(meeting.read, payload(0));
  EXPECT_EQ(meeting.responder.peer(), own.open);
  EXPECT_EQ(meeting.write_second(payload(1)), sealed(1));
  ASSERT_TRUE(meeting.read_second(sealed(1)));
  EXPECT_EQ(meeting.read, payload(1));
  EXPECT_EQ(show_hex(meeting.initiator.hash()), field("handshake_hash"));
  EXPECT_EQ(meeting.responder.hash(), meeting.initiator.hash());

  const TransportKeys ends[2] = {meeting.initiator.split(), meeting.responder.split()};
  for (std::size_t i = 2; i < messages.size(); ++i) {
    Buffer bytes(payload(i).size() + kTagSize), plain(payload(i).size());
    cipher.seal(ends[i % 2].send, (i - 2) / 2, {}, payload(i), bytes);
    EXPECT_EQ(bytes, sealed(i)) << i;
    ASSERT_TRUE(cipher.open(ends[1 - i % 2].receive, (i - 2) / 2, {}, bytes, plain)) << i;
    EXPECT_EQ(plain, payload(i)) << i;
  }
  EXPECT_GE(messages.size(), 4u);
}

// Frozen when the published vector passed. Statics are 32 times 1 and 2, ephemerals 32 times 3 and 4.
TEST(Noise, KeepsItsOwnTranscript) {
  ScriptedCipher cipher({constant_key(3), constant_key(4)});
  Meeting meeting(cipher);
  const Buffer first = meeting.write_first(to_bytes("hello"));
  EXPECT_EQ(show_hex(first),
            "5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22d5ea48b87c259312e4124f5b8ab09dba"
            "bfeeac5b1a722c5a59f272aaf50460066b57bbf61b634841eccfeae4bf3467751b13553d304f5afee57a765bafe7fac3"
            "7bdeaabf2b");
  ASSERT_TRUE(meeting.read_first(first));
  const Buffer second = meeting.write_second(to_bytes("welcome"));
  EXPECT_EQ(show_hex(second),
            "ac01b2209e86354fb853237b5de0f4fab13c7fcbf433a61c019369617fecf10b290a9f97bbf59162b35a8bf6c1fe66dc"
            "76e0bdb81c7426");
  ASSERT_TRUE(meeting.read_second(second));
  EXPECT_EQ(show_hex(meeting.initiator.hash()), "91846747650ac41f0ef2c7a4422f06382515f656c8d62ea605c99f2c7d705968");
  EXPECT_EQ(show_hex(meeting.initiator.split().send),
            "e411c75d3a8cc5d9f7d54bdfb3dbf282f5f115a2088c3fa57e4e56d5a0448f5d");
  EXPECT_EQ(show_hex(meeting.initiator.split().receive),
            "06926038b594fd280341938917a4ed44ac8048fa7b74d2d8b399403cb6b67802");
}

TEST(Noise, BothEndsAgreeOnCrossedKeysAndOnEachOther) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  ASSERT_TRUE(meeting.read_first(meeting.write_first({})));
  EXPECT_EQ(meeting.responder.peer(), meeting.initiator_keys.open);
  ASSERT_TRUE(meeting.read_second(meeting.write_second({})));
  EXPECT_EQ(meeting.initiator.peer(), meeting.responder_keys.open);
  const TransportKeys a = meeting.initiator.split(), b = meeting.responder.split();
  EXPECT_EQ(a.send, b.receive);
  EXPECT_EQ(a.receive, b.send);
  EXPECT_NE(a.send, a.receive);
  EXPECT_EQ(meeting.initiator.hash(), meeting.responder.hash());
}

TEST(Noise, EveryMeetingHasItsOwnKeys) {
  ScriptedCipher cipher;
  Meeting one(cipher), two(cipher);
  for (Meeting* meeting : {&one, &two}) {
    ASSERT_TRUE(meeting->read_first(meeting->write_first({})));
    ASSERT_TRUE(meeting->read_second(meeting->write_second({})));
  }
  EXPECT_NE(one.initiator.split().send, two.initiator.split().send);
  EXPECT_NE(one.initiator.hash(), two.initiator.hash());
}

TEST(Noise, AFlippedBitOfTheFirstMessageIsRefusedAndSpoilsNothing) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  Buffer message = meeting.write_first(to_bytes("role"));
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    flip(message, bit);
    EXPECT_FALSE(meeting.read_first(message)) << bit;
    flip(message, bit);
  }
  EXPECT_TRUE(meeting.read_first(message));
  EXPECT_EQ(meeting.read, to_bytes("role"));
}

TEST(Noise, AFlippedBitOfTheSecondMessageIsRefusedAndSpoilsNothing) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  ASSERT_TRUE(meeting.read_first(meeting.write_first({})));
  Buffer message = meeting.write_second(to_bytes("role"));
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    flip(message, bit);
    EXPECT_FALSE(meeting.read_second(message)) << bit;
    flip(message, bit);
  }
  EXPECT_TRUE(meeting.read_second(message));
  EXPECT_EQ(meeting.read, to_bytes("role"));
}

TEST(Noise, MessagesOfImpossibleLengthAreRefused) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  const Buffer first = meeting.write_first(to_bytes("payload"));
  for (std::size_t size = 0; size < kFirstOverhead; ++size) {
    EXPECT_FALSE(meeting.responder.read_first(Bytes(first).first(size), {})) << size;
  }
  EXPECT_FALSE(meeting.responder.read_first(Buffer(kFirstOverhead + kMaxHandshakePayload + 1), {}));
  Buffer longer = first;
  longer.push_back(0);
  EXPECT_FALSE(meeting.read_first(longer));
  ASSERT_TRUE(meeting.read_first(first));
  const Buffer second = meeting.write_second({});
  for (std::size_t size = 0; size < kSecondOverhead; ++size) {
    EXPECT_FALSE(meeting.initiator.read_second(Bytes(second).first(size), {})) << size;
  }
  EXPECT_FALSE(meeting.initiator.read_second(Buffer(kSecondOverhead + kMaxHandshakePayload + 1), {}));
}

TEST(Noise, TheLongestPayloadsFit) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  const Buffer payload(kMaxHandshakePayload, 9);
  ASSERT_TRUE(meeting.read_first(meeting.write_first(payload)));
  EXPECT_EQ(meeting.read, payload);
  ASSERT_TRUE(meeting.read_second(meeting.write_second(payload)));
  EXPECT_EQ(meeting.read, payload);
}

TEST(Noise, AnotherResponderCannotReadTheFirstMessage) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  const Buffer message = meeting.write_first({});
  meeting.responder = Handshake::respond(cipher, meeting.prologue, cipher.pair_of(constant_key(5)));
  EXPECT_FALSE(meeting.read_first(message));
}

TEST(Noise, AnotherResponderCannotAnswer) {
  ScriptedCipher cipher;
  Meeting meeting(cipher), other(cipher);
  (void)meeting.write_first({});
  ASSERT_TRUE(other.read_first(other.write_first({})));
  EXPECT_FALSE(meeting.read_second(other.write_second({})));
}

TEST(Noise, BothEndsMustMeanTheSamePrologue) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  meeting.responder = Handshake::respond(cipher, to_bytes("forerun 2"), meeting.responder_keys);
  EXPECT_FALSE(meeting.read_first(meeting.write_first({})));
}

TEST(Noise, NobodyCanClaimAKeyThatIsNotTheirs) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  KeyPair stolen = meeting.initiator_keys;
  stolen.secret = constant_key(6);
  meeting.initiator = Handshake::initiate(cipher, meeting.prologue, stolen, meeting.responder_keys.open);
  EXPECT_FALSE(meeting.read_first(meeting.write_first({})));
}

TEST(Noise, KeysOfLowOrderAreRefused) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  // a responder's key of zeros
  Handshake misled = Handshake::initiate(cipher, meeting.prologue, meeting.initiator_keys, Key{});
  Buffer out(kFirstOverhead);
  EXPECT_FALSE(misled.write_first({}, out));
  // an ephemeral key of zeros, in either message
  Buffer first = meeting.write_first({});
  const Buffer good = first;
  std::fill_n(first.begin(), kKeySize, std::uint8_t{0});
  EXPECT_FALSE(meeting.read_first(first));
  ASSERT_TRUE(meeting.read_first(good));
  Buffer second = meeting.write_second({});
  std::fill_n(second.begin(), kKeySize, std::uint8_t{0});
  EXPECT_FALSE(meeting.read_second(second));
}

// Whoever claims the key of zeros knows what everybody's agreement with it is, so that all else in the message is
// right.
TEST(Noise, NobodyCanConnectWithTheKeyOfZeros) {
  ScriptedCipher cipher, hostile;
  Meeting meeting(cipher);
  hostile.hostile_secret = meeting.initiator_keys.secret;
  const KeyPair pair{meeting.initiator_keys.secret, Key{}};
  meeting.initiator = Handshake::initiate(hostile, meeting.prologue, pair, meeting.responder_keys.open);
  EXPECT_FALSE(meeting.read_first(meeting.write_first({})));
}

TEST(Noise, PayloadsMayBeReadInPlace) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  Buffer first = meeting.write_first(to_bytes("in place"));
  const MutableBytes payload = MutableBytes(first).subspan(kFirstOverhead - kTagSize, 8);
  ASSERT_TRUE(meeting.responder.read_first(first, payload));
  EXPECT_EQ(Buffer(payload.begin(), payload.end()), to_bytes("in place"));
  EXPECT_TRUE(meeting.read_second(meeting.write_second({})));
}

TEST(Noise, TakesNothingFromTheHeap) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  Buffer first(kFirstOverhead), second(kSecondOverhead);
  const AllocationCounter counter;
  const bool met = meeting.initiator.write_first({}, first) && meeting.responder.read_first(first, {}) &&
                   meeting.responder.write_second({}, second) && meeting.initiator.read_second(second, {});
  const TransportKeys keys = meeting.initiator.split();
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_TRUE(met);
  EXPECT_NE(keys.send, keys.receive);
}

TEST(Noise, NoSecretOutlivesItsHandshake) {
  ScriptedCipher cipher({constant_key(3)});
  const Meeting meeting(cipher);
  alignas(Handshake) std::array<std::uint8_t, sizeof(Handshake)> storage{};
  auto* handshake = new (storage.data())
      Handshake(Handshake::initiate(cipher, meeting.prologue, meeting.initiator_keys, meeting.responder_keys.open));
  Buffer out(kFirstOverhead);
  ASSERT_TRUE(handshake->write_first({}, out));
  const auto holds = [&](const Key& secret) {
    return std::search(storage.begin(), storage.end(), secret.begin(), secret.end()) != storage.end();
  };
  EXPECT_TRUE(holds(constant_key(1)) && holds(constant_key(3)));
  handshake->~Handshake();
  EXPECT_FALSE(holds(constant_key(1)));
  EXPECT_FALSE(holds(constant_key(3)));
}

TEST(NoiseDeathTest, AWrongOrderOfCallsBreaksAPromise) {
  ScriptedCipher cipher;
  Meeting meeting(cipher);
  Buffer out(kSecondOverhead);
  EXPECT_DEATH((void)meeting.responder.write_second({}, out), "write_second");
  EXPECT_DEATH((void)meeting.initiator.read_second(out, {}), "read_second");
  EXPECT_DEATH((void)meeting.initiator.split(), "done");
  EXPECT_DEATH((void)meeting.responder.peer(), "read_first");
}

}  // namespace
}  // namespace forerun::sync
