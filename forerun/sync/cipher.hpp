// The primitives that sessions are made of. The room stays free of libraries: `net` brings them from libsodium.
#pragma once

#include <array>
#include <cstdint>

#include "forerun/base/bytes.hpp"
#include "forerun/base/wipe.hpp"

namespace forerun::sync {

inline constexpr std::size_t kKeySize = 32;
inline constexpr std::size_t kHashSize = 32;
inline constexpr std::size_t kTagSize = 16;

using Key = std::array<std::uint8_t, kKeySize>;
using Digest = std::array<std::uint8_t, kHashSize>;

struct KeyPair {
  Key secret{};
  Key open{};  // the public half
  ~KeyPair() { wipe(secret); }
};

// Pure functions of their arguments, and the one source of chance.
class Cipher {
 public:
  virtual ~Cipher() = default;

  [[nodiscard]] virtual Digest hash(Bytes message) const noexcept = 0;            // SHA-256
  [[nodiscard]] virtual Digest mac(Bytes key, Bytes message) const noexcept = 0;  // HMAC-SHA-256
  // X25519; false when the result would be all zeros, which only hostile keys give.
  [[nodiscard]] virtual bool agree(const Key& secret, const Key& open, Key& shared) const noexcept = 0;
  [[nodiscard]] virtual Key open_half(const Key& secret) const noexcept = 0;
  // ChaCha20-Poly1305 with the nonce of Noise: four zero bytes and the little-endian counter. `sealed` has room for the
  // message and the tag; it may begin where the message begins.
  virtual void seal(const Key& key, std::uint64_t counter, Bytes associated, Bytes message,
                    MutableBytes sealed) const noexcept = 0;
  // False, and `message` is worthless, unless the tag is right. `message` is a tag shorter than `sealed`.
  [[nodiscard]] virtual bool open(const Key& key, std::uint64_t counter, Bytes associated, Bytes sealed,
                                  MutableBytes message) const noexcept = 0;
  // Unpredictable bytes.
  virtual void draw(MutableBytes bytes) noexcept = 0;
  std::uint16_t draw_u16() noexcept {
    std::array<std::uint8_t, 2> bytes;
    draw(bytes);
    return ByteReader(bytes).u16();
  }
};

}  // namespace forerun::sync
