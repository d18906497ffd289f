#include "forerun/net/signature.hpp"

#include <sodium.h>

#include <algorithm>

#include "forerun/base/check.hpp"
#include "forerun/base/wipe.hpp"

namespace forerun::net {
namespace {

using sync::Key;
using Scalar = std::array<std::uint8_t, crypto_core_ed25519_SCALARBYTES>;
using Wide = std::array<std::uint8_t, crypto_core_ed25519_NONREDUCEDSCALARBYTES>;
static_assert(sizeof(Wide) == crypto_hash_sha512_BYTES && sizeof(Scalar) == sync::kKeySize);
static_assert(kSignatureSize == sizeof(Key) + crypto_sign_BYTES);

// The hash of all parts, as a number below the order of the curve's group.
Scalar hash_to_scalar(std::initializer_list<Bytes> parts) noexcept {
  crypto_hash_sha512_state state;
  crypto_hash_sha512_init(&state);
  for (const Bytes part : parts) crypto_hash_sha512_update(&state, part.data(), part.size());
  Wide wide;
  crypto_hash_sha512_final(&state, wide.data());
  Scalar scalar;
  crypto_core_ed25519_scalar_reduce(scalar.data(), wide.data());
  sodium_memzero(&state, sizeof state);
  wipe(wide);
  return scalar;
}

// The secret half as it multiplies points, and the open half on Edwards' curve with sign 0.
struct EdwardsPair {
  Scalar secret{};
  Key open{};
  ~EdwardsPair() { wipe(secret); }
};

EdwardsPair to_edwards(const Key& secret) noexcept {
  Wide clamped{};
  std::copy(secret.begin(), secret.end(), clamped.begin());
  clamped[0] &= 248;
  clamped[31] = static_cast<std::uint8_t>((clamped[31] & 127) | 64);
  EdwardsPair pair;
  crypto_core_ed25519_scalar_reduce(pair.secret.data(), clamped.data());
  wipe(clamped);
  FORERUN_CHECK(crypto_scalarmult_ed25519_base_noclamp(pair.open.data(), pair.secret.data()) == 0);
  if ((pair.open[31] & 128) != 0) {
    crypto_core_ed25519_scalar_negate(pair.secret.data(), pair.secret.data());
    pair.open[31] &= 127;
  }
  return pair;
}

}  // namespace

Signature sign(const Key& secret, Bytes message, sync::Cipher& cipher) noexcept {
  const EdwardsPair pair = to_edwards(secret);
  // hash₁ of XEdDSA: 2²⁵⁶ − 2 in front keeps it apart from all hashes of Ed25519
  std::array<std::uint8_t, 32> front;
  front.fill(0xff);
  front[0] = 0xfe;
  std::array<std::uint8_t, 64> chance;
  cipher.draw(chance);
  Scalar r = hash_to_scalar({front, pair.secret, message, chance});
  Key point;
  FORERUN_CHECK(crypto_scalarmult_ed25519_base_noclamp(point.data(), r.data()) == 0);
  const Scalar h = hash_to_scalar({point, pair.open, message});
  Scalar s;
  crypto_core_ed25519_scalar_mul(s.data(), h.data(), pair.secret.data());
  crypto_core_ed25519_scalar_add(s.data(), s.data(), r.data());
  wipe(r);
  Signature signature;
  auto end = std::copy(pair.open.begin(), pair.open.end(), signature.begin());
  end = std::copy(point.begin(), point.end(), end);
  std::copy(s.begin(), s.end(), end);
  return signature;
}

bool is_signed_by(const Key& open, Bytes message, const Signature& signature) noexcept {
  const std::uint8_t* signer = signature.data();
  const std::uint8_t* ed25519 = signature.data() + sizeof(Key);
  Key as_open;
  if ((signer[31] & 128) != 0) return false;  // the other point with the same open half
  if (crypto_sign_ed25519_pk_to_curve25519(as_open.data(), signer) != 0) return false;
  if (as_open != open) return false;
  return crypto_sign_verify_detached(ed25519, message.data(), message.size(), signer) == 0;
}

}  // namespace forerun::net
