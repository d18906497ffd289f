// Real ciphers whose chance is written down beforehand.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "forerun/net/sodium_cipher.hpp"

namespace forerun::test {

using sync::Cipher;
using sync::Digest;
using sync::Key;

// Real primitives, but what is drawn is known beforehand.
class ScriptedCipher final : public Cipher {
 public:
  explicit ScriptedCipher(std::deque<Key> draws = {}) : draws_(std::move(draws)) {}

  [[nodiscard]] Digest hash(Bytes message) const noexcept override { return real_.hash(message); }
  [[nodiscard]] Digest mac(Bytes key, Bytes message) const noexcept override { return real_.mac(key, message); }
  [[nodiscard]] bool agree(const Key& secret, const Key& open, Key& shared) const noexcept override {
    shared = Key{};
    return (hostile_secret && secret == *hostile_secret) || real_.agree(secret, open, shared);
  }
  [[nodiscard]] Key open_half(const Key& secret) const noexcept override { return real_.open_half(secret); }
  void seal(const Key& key, std::uint64_t counter, Bytes associated, Bytes message,
            MutableBytes sealed) const noexcept override {
    real_.seal(key, counter, associated, message, sealed);
  }
  [[nodiscard]] bool open(const Key& key, std::uint64_t counter, Bytes associated, Bytes sealed,
                          MutableBytes message) const noexcept override {
    return real_.open(key, counter, associated, sealed, message);
  }
  void draw(MutableBytes bytes) noexcept override {
    if (draws_.empty()) return real_.draw(bytes);
    std::copy_n(draws_.front().begin(), bytes.size(), bytes.begin());
    draws_.pop_front();
  }
  [[nodiscard]] sync::KeyPair pair_of(const Key& secret) const { return {secret, open_half(secret)}; }

  std::optional<Key> hostile_secret;  // all agreements of this one are zeros, as those of a hostile public key are

 private:
  net::SodiumCipher real_;
  std::deque<Key> draws_;
};

}  // namespace forerun::test
