#include "forerun/net/sodium_cipher.hpp"

#include <sodium.h>

#include "forerun/base/check.hpp"

namespace forerun::net {

using sync::Digest;
using sync::Key;

static_assert(sync::kKeySize == crypto_scalarmult_BYTES && sync::kKeySize == crypto_scalarmult_SCALARBYTES);
static_assert(sync::kKeySize == crypto_aead_chacha20poly1305_ietf_KEYBYTES);
static_assert(sync::kTagSize == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sync::kHashSize == crypto_hash_sha256_BYTES && sync::kHashSize == crypto_auth_hmacsha256_BYTES);

namespace {

using Nonce = std::array<std::uint8_t, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

Nonce make_nonce(std::uint64_t counter) noexcept {
  Nonce nonce{};
  ByteWriter writer(nonce);
  writer.u32(0);
  writer.u64(counter);
  return nonce;
}

}  // namespace

SodiumCipher::SodiumCipher() noexcept { FORERUN_CHECK(sodium_init() >= 0); }

Digest SodiumCipher::hash(Bytes message) const noexcept {
  Digest digest;
  crypto_hash_sha256(digest.data(), message.data(), message.size());
  return digest;
}

Digest SodiumCipher::mac(Bytes key, Bytes message) const noexcept {
  // the one-call form knows only keys of 32 bytes
  crypto_auth_hmacsha256_state state;
  Digest digest;
  crypto_auth_hmacsha256_init(&state, key.data(), key.size());
  crypto_auth_hmacsha256_update(&state, message.data(), message.size());
  crypto_auth_hmacsha256_final(&state, digest.data());
  sodium_memzero(&state, sizeof state);
  return digest;
}

bool SodiumCipher::agree(const Key& secret, const Key& open, Key& shared) const noexcept {
  return crypto_scalarmult(shared.data(), secret.data(), open.data()) == 0;
}

Key SodiumCipher::open_half(const Key& secret) const noexcept {
  Key open;
  FORERUN_CHECK(crypto_scalarmult_base(open.data(), secret.data()) == 0);
  return open;
}

void SodiumCipher::seal(const Key& key, std::uint64_t counter, Bytes associated, Bytes message,
                        MutableBytes sealed) const noexcept {
  FORERUN_CHECK(sealed.size() == message.size() + sync::kTagSize);
  const Nonce nonce = make_nonce(counter);
  crypto_aead_chacha20poly1305_ietf_encrypt(sealed.data(), nullptr, message.data(), message.size(), associated.data(),
                                            associated.size(), nullptr, nonce.data(), key.data());
}

bool SodiumCipher::open(const Key& key, std::uint64_t counter, Bytes associated, Bytes sealed,
                        MutableBytes message) const noexcept {
  if (sealed.size() < sync::kTagSize) return false;
  FORERUN_CHECK(message.size() == sealed.size() - sync::kTagSize);
  const Nonce nonce = make_nonce(counter);
  return crypto_aead_chacha20poly1305_ietf_decrypt(message.data(), nullptr, nullptr, sealed.data(), sealed.size(),
                                                   associated.data(), associated.size(), nonce.data(), key.data()) == 0;
}

void SodiumCipher::draw(MutableBytes bytes) noexcept { randombytes_buf(bytes.data(), bytes.size()); }

}  // namespace forerun::net
