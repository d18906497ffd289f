// The primitives, by the answers that their specifications print.
#include "forerun/net/sodium_cipher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "forerun/sync/noise.hpp"
#include "tests/support/hex.hpp"

namespace forerun::net {
namespace {

using sync::Digest;
using sync::Key;
using test::from_hex;
using test::show_hex;
using test::to_bytes;

Key key_from(std::string_view hex) { return test::array_from_hex<Key>(hex); }

TEST(SodiumCipher, HashesAsFips180Says) {
  const SodiumCipher cipher;
  EXPECT_EQ(show_hex(cipher.hash(to_bytes("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(show_hex(cipher.hash({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(SodiumCipher, AuthenticatesAsRfc4231SaysWithKeysOfAnyLength) {
  const SodiumCipher cipher;
  EXPECT_EQ(show_hex(cipher.mac(std::vector<std::uint8_t>(20, 0x0b), to_bytes("Hi There"))),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(show_hex(cipher.mac(to_bytes("Jefe"), to_bytes("what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(show_hex(cipher.mac(std::vector<std::uint8_t>(131, 0xaa),
                                to_bytes("Test Using Larger Than Block-Size Key - Hash Key First"))),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(SodiumCipher, AgreesAsRfc7748Says) {
  const SodiumCipher cipher;
  const Key alice = key_from("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
  const Key bob = key_from("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
  EXPECT_EQ(show_hex(cipher.open_half(alice)), "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
  EXPECT_EQ(show_hex(cipher.open_half(bob)), "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  Key shared{}, same{};
  ASSERT_TRUE(cipher.agree(alice, cipher.open_half(bob), shared));
  ASSERT_TRUE(cipher.agree(bob, cipher.open_half(alice), same));
  EXPECT_EQ(show_hex(shared), "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
  EXPECT_EQ(shared, same);
}

TEST(SodiumCipher, RefusesPublicKeysThatMakeEverySecretTheSame) {
  const SodiumCipher cipher;
  const Key secret = key_from("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
  Key shared{};
  // the points of small order that fit into 255 bits
  for (const char* open : {"0000000000000000000000000000000000000000000000000000000000000000",
                           "0100000000000000000000000000000000000000000000000000000000000000",
                           "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
                           "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
                           "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"}) {
    EXPECT_FALSE(cipher.agree(secret, key_from(open), shared)) << open;
  }
}

// RFC 8439, appendix A.5: its nonce begins with four zero bytes, as ours do.
TEST(SodiumCipher, SealsAsRfc8439Says) {
  const SodiumCipher cipher;
  const Key key = key_from("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0");
  const std::uint64_t counter = 0x0807060504030201;
  const auto associated = from_hex("f33388860000000000004e91");
  const auto message = to_bytes(
      "Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or "
      "obsoleted by other documents at any time. It is inappropriate to use Internet-Drafts as reference material or "
      "to cite them other than as /\xe2\x80\x9cwork in progress./\xe2\x80\x9d");
  ASSERT_EQ(message.size(), 265u);
  std::vector<std::uint8_t> sealed(message.size() + sync::kTagSize);
  cipher.seal(key, counter, associated, message, sealed);
  EXPECT_EQ(show_hex(Bytes(sealed).first(16)), "64a0861575861af460f062c79be643bd");
  EXPECT_EQ(show_hex(Bytes(sealed).last(16)), "eead9d67890cbb22392336fea1851f38");
  std::vector<std::uint8_t> opened(message.size());
  ASSERT_TRUE(cipher.open(key, counter, associated, sealed, opened));
  EXPECT_EQ(opened, message);
}

TEST(SodiumCipher, SealsAndOpensInPlace) {
  const SodiumCipher cipher;
  const Key key = key_from("01");
  std::vector<std::uint8_t> bytes(100 + sync::kTagSize, 7);
  const std::vector<std::uint8_t> message(100, 7);
  std::vector<std::uint8_t> elsewhere(bytes.size());
  cipher.seal(key, 5, {}, message, elsewhere);
  cipher.seal(key, 5, {}, Bytes(bytes).first(100), bytes);
  EXPECT_EQ(bytes, elsewhere);
  ASSERT_TRUE(cipher.open(key, 5, {}, bytes, MutableBytes(bytes).first(100)));
  EXPECT_TRUE(std::equal(message.begin(), message.end(), bytes.begin()));
}

TEST(SodiumCipher, OpensOnlyWhatWasSealed) {
  const SodiumCipher cipher;
  const Key key = key_from("01");
  const auto message = to_bytes("to the door");
  const auto associated = to_bytes("header");
  std::vector<std::uint8_t> sealed(message.size() + sync::kTagSize), opened(message.size());
  cipher.seal(key, 1, associated, message, sealed);
  ASSERT_TRUE(cipher.open(key, 1, associated, sealed, opened));
  EXPECT_FALSE(cipher.open(key, 2, associated, sealed, opened));
  EXPECT_FALSE(cipher.open(key_from("02"), 1, associated, sealed, opened));
  EXPECT_FALSE(cipher.open(key, 1, to_bytes("Header"), sealed, opened));
  EXPECT_FALSE(cipher.open(key, 1, {}, Bytes(sealed).first(15), {}));
  for (std::size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    sealed[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    EXPECT_FALSE(cipher.open(key, 1, associated, sealed, opened)) << bit;
    sealed[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
  }
}

TEST(SodiumCipher, NeverDrawsTheSameKeyTwice) {
  SodiumCipher cipher;
  std::set<Key> secrets;
  for (int i = 0; i < 100; ++i) {
    const sync::KeyPair pair = sync::make_key_pair(cipher);
    EXPECT_EQ(pair.open, cipher.open_half(pair.secret));
    secrets.insert(pair.secret);
  }
  EXPECT_EQ(secrets.size(), 100u);
}

}  // namespace
}  // namespace forerun::net
