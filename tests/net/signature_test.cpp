#include "forerun/net/signature.hpp"

#include <gtest/gtest.h>

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"
#include "tests/support/hex.hpp"

namespace forerun::net {
namespace {

TEST(Signature, IsKnownByTheOpenHalfOfASessionKey) {
  SodiumCipher cipher;
  for (int i = 0; i < 40; ++i) {
    const sync::KeyPair pair = sync::make_key_pair(cipher);
    const auto message = test::to_bytes("drive to the store " + std::to_string(i));
    const Signature signature = sign(pair.secret, message, cipher);
    EXPECT_TRUE(is_signed_by(pair.open, message, signature)) << i;
    EXPECT_FALSE(is_signed_by(sync::make_key_pair(cipher).open, message, signature));
    EXPECT_FALSE(is_signed_by(pair.open, test::to_bytes("drive to the stairs"), signature));
  }
}

TEST(Signature, EveryChangedBitBreaksIt) {
  SodiumCipher cipher;
  const sync::KeyPair pair = sync::make_key_pair(cipher);
  const auto message = test::to_bytes("forward");
  const Signature signature = sign(pair.secret, message, cipher);
  for (std::size_t bit = 0; bit < kSignatureSize * 8; ++bit) {
    Signature changed = signature;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ (1u << bit % 8));
    EXPECT_FALSE(is_signed_by(pair.open, message, changed)) << bit;
  }
}

TEST(Signature, OfRubbishIsNone) {
  SodiumCipher cipher;
  const sync::KeyPair pair = sync::make_key_pair(cipher);
  Signature rubbish{};
  EXPECT_FALSE(is_signed_by(pair.open, {}, rubbish));
  EXPECT_FALSE(is_signed_by(sync::Key{}, {}, rubbish));
  for (int i = 0; i < 100; ++i) {
    cipher.draw(rubbish);
    EXPECT_FALSE(is_signed_by(pair.open, {}, rubbish));
  }
}

TEST(Signature, OfTheSameMessageIsAnotherEachTime) {
  SodiumCipher cipher;
  const sync::KeyPair pair = sync::make_key_pair(cipher);
  EXPECT_NE(sign(pair.secret, test::to_bytes("x"), cipher), sign(pair.secret, test::to_bytes("x"), cipher));
}

}  // namespace
}  // namespace forerun::net
