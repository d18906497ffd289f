#include "forerun/sync/noise.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "forerun/base/check.hpp"
#include "forerun/base/wipe.hpp"

namespace forerun::sync {
namespace {

constexpr std::string_view kProtocolName = "Noise_IK_25519_ChaChaPoly_SHA256";
// a name as long as a hash is the first hash itself
static_assert(kProtocolName.size() == kHashSize);

constexpr std::size_t kSealedKeySize = kKeySize + kTagSize;

// HKDF with two outputs (section 4.3).
struct Derived {
  Digest first{};
  Digest second{};
};

Derived derive(const Cipher& cipher, const Digest& chaining, Bytes input) noexcept {
  Digest temporary = cipher.mac(chaining, input);
  Derived derived;
  std::array<std::uint8_t, kHashSize + 1> round{1};
  derived.first = cipher.mac(temporary, Bytes(round).first(1));
  std::copy(derived.first.begin(), derived.first.end(), round.begin());
  round.back() = 2;
  derived.second = cipher.mac(temporary, round);
  wipe(temporary);
  wipe(round);
  return derived;
}

void copy(Bytes from, MutableBytes to) noexcept { std::copy(from.begin(), from.end(), to.begin()); }

}  // namespace

KeyPair make_key_pair(Cipher& cipher) noexcept {
  KeyPair pair;
  cipher.draw(pair.secret);
  pair.open = cipher.open_half(pair.secret);
  return pair;
}

Handshake Handshake::initiate(Cipher& cipher, Bytes prologue, const KeyPair& own, const Key& responder) noexcept {
  return Handshake(cipher, prologue, own, responder, Step::write_first);
}

Handshake Handshake::respond(Cipher& cipher, Bytes prologue, const KeyPair& own) noexcept {
  return Handshake(cipher, prologue, own, own.open, Step::read_first);
}

Handshake::Handshake(Cipher& cipher, Bytes prologue, const KeyPair& own, const Key& responder, Step step) noexcept
    : cipher_(&cipher), own_(own), step_(step), initiator_(step == Step::write_first) {
  if (initiator_) peer_ = responder;
  std::copy(kProtocolName.begin(), kProtocolName.end(), hash_.begin());
  chaining_ = hash_;
  mix_hash(prologue);
  mix_hash(responder);  // the message before the first: <- s
}

Handshake::~Handshake() {
  wipe(own_.secret);
  wipe(ephemeral_.secret);
  wipe(chaining_);
  wipe(key_);
}

// -> e, es, s, ss
bool Handshake::write_first(Bytes payload, MutableBytes out) noexcept {
  FORERUN_CHECK(step_ == Step::write_first);
  FORERUN_CHECK(payload.size() <= kMaxHandshakePayload && out.size() == payload.size() + kFirstOverhead);
  Handshake next = *this;
  next.write_ephemeral(out);
  if (!next.mix_agreement(next.ephemeral_.secret, peer_)) return false;
  next.encrypt_and_hash(own_.open, out.subspan(kKeySize, kSealedKeySize));
  if (!next.mix_agreement(own_.secret, peer_)) return false;
  next.encrypt_and_hash(payload, out.subspan(kKeySize + kSealedKeySize));
  next.step_ = Step::read_second;
  *this = next;
  return true;
}

bool Handshake::read_first(Bytes message, MutableBytes payload) noexcept {
  FORERUN_CHECK(step_ == Step::read_first);
  Handshake next = *this;
  if (!next.take_first(message, payload)) return false;
  next.step_ = Step::write_second;
  *this = next;
  return true;
}

bool Handshake::take_first(Bytes message, MutableBytes payload) noexcept {
  if (message.size() < kFirstOverhead || message.size() > kFirstOverhead + kMaxHandshakePayload) return false;
  FORERUN_CHECK(payload.size() == message.size() - kFirstOverhead);
  copy(message.first(kKeySize), peer_ephemeral_);
  mix_hash(peer_ephemeral_);
  if (!mix_agreement(own_.secret, peer_ephemeral_)) return false;
  if (!decrypt_and_hash(message.subspan(kKeySize, kSealedKeySize), peer_)) return false;
  if (!mix_agreement(own_.secret, peer_)) return false;
  return decrypt_and_hash(message.subspan(kKeySize + kSealedKeySize), payload);
}

// <- e, ee, se
bool Handshake::write_second(Bytes payload, MutableBytes out) noexcept {
  FORERUN_CHECK(step_ == Step::write_second);
  FORERUN_CHECK(payload.size() <= kMaxHandshakePayload && out.size() == payload.size() + kSecondOverhead);
  Handshake next = *this;
  next.write_ephemeral(out);
  if (!next.mix_agreement(next.ephemeral_.secret, peer_ephemeral_)) return false;
  if (!next.mix_agreement(next.ephemeral_.secret, peer_)) return false;
  next.encrypt_and_hash(payload, out.subspan(kKeySize));
  next.step_ = Step::done;
  *this = next;
  return true;
}

bool Handshake::read_second(Bytes message, MutableBytes payload) noexcept {
  FORERUN_CHECK(step_ == Step::read_second);
  Handshake next = *this;
  if (!next.take_second(message, payload)) return false;
  next.step_ = Step::done;
  *this = next;
  return true;
}

bool Handshake::take_second(Bytes message, MutableBytes payload) noexcept {
  if (message.size() < kSecondOverhead || message.size() > kSecondOverhead + kMaxHandshakePayload) return false;
  FORERUN_CHECK(payload.size() == message.size() - kSecondOverhead);
  copy(message.first(kKeySize), peer_ephemeral_);
  mix_hash(peer_ephemeral_);
  if (!mix_agreement(ephemeral_.secret, peer_ephemeral_)) return false;
  if (!mix_agreement(own_.secret, peer_ephemeral_)) return false;
  return decrypt_and_hash(message.subspan(kKeySize), payload);
}

const Key& Handshake::peer() const noexcept {
  FORERUN_CHECK(step_ != Step::read_first);
  return peer_;
}

TransportKeys Handshake::split() const noexcept {
  FORERUN_CHECK(step_ == Step::done);
  Derived keys = derive(*cipher_, chaining_, {});
  const TransportKeys result =
      initiator_ ? TransportKeys{keys.first, keys.second} : TransportKeys{keys.second, keys.first};
  wipe(keys.first);
  wipe(keys.second);
  return result;
}

const Digest& Handshake::hash() const noexcept {
  FORERUN_CHECK(step_ == Step::done);
  return hash_;
}

void Handshake::write_ephemeral(MutableBytes out) noexcept {
  cipher_->draw(ephemeral_.secret);
  ephemeral_.open = cipher_->open_half(ephemeral_.secret);
  copy(ephemeral_.open, out);
  mix_hash(ephemeral_.open);
}

void Handshake::mix_hash(Bytes data) noexcept {
  std::array<std::uint8_t, kHashSize + kMaxHandshakePayload + kTagSize> both;
  FORERUN_CHECK(data.size() <= both.size() - kHashSize);
  copy(hash_, both);
  copy(data, MutableBytes(both).subspan(kHashSize));
  hash_ = cipher_->hash(Bytes(both).first(kHashSize + data.size()));
}

void Handshake::mix_key(Bytes input) noexcept {
  Derived keys = derive(*cipher_, chaining_, input);
  chaining_ = keys.first;
  key_ = keys.second;
  wipe(keys.first);
  wipe(keys.second);
}

bool Handshake::mix_agreement(const Key& secret, const Key& open) noexcept {
  Key shared{};
  const bool agreed = cipher_->agree(secret, open, shared);
  if (agreed) mix_key(shared);
  wipe(shared);
  return agreed;
}

// In this pattern every key seals exactly once, so that the specification's counter n is always zero.
void Handshake::encrypt_and_hash(Bytes plain, MutableBytes sealed) noexcept {
  cipher_->seal(key_, 0, hash_, plain, sealed);
  mix_hash(sealed);
}

bool Handshake::decrypt_and_hash(Bytes sealed, MutableBytes plain) noexcept {
  // hashed first: the plain text may lie where the sealed one was
  const Digest associated = hash_;
  mix_hash(sealed);
  return cipher_->open(key_, 0, associated, sealed, plain);
}

}  // namespace forerun::sync
