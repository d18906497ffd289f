#include "forerun/image/erasure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::image {
namespace {

using Byte = std::uint8_t;

std::vector<Byte> random_bytes(std::size_t n, Random& random) {
  std::vector<Byte> bytes(n);
  for (Byte& byte : bytes) byte = static_cast<Byte>(random.uniform() * 256);
  return bytes;
}

std::vector<Byte> spare(const std::vector<Byte>& parts, std::size_t n, Byte index) {
  std::vector<Byte> made(parts.size() / n);
  make_spare(parts, n, index, made);
  return made;
}

// By the text of the protocol, slowly: products of polynomials, and the inverse by trying all.
Byte product(Byte a, Byte b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum ^= (b >> i & 1u) != 0 ? unsigned{a} << i : 0;
  for (unsigned i = 15; i >= 8; --i) sum ^= (sum >> i & 1u) != 0 ? 0x11du << (i - 8) : 0;
  return static_cast<Byte>(sum);
}
Byte inverse_by_trying(Byte a) {
  for (unsigned b = 1; b < 256; ++b) {
    if (product(a, static_cast<Byte>(b)) == 1) return static_cast<Byte>(b);
  }
  return 0;
}

TEST(Erasure, SparePartsAreAsTheTextSays) {
  Random random(1, 1);
  constexpr std::size_t kParts = 5, kLength = 9;
  const auto parts = random_bytes(kParts * kLength, random);
  for (const Byte index : {Byte{5}, Byte{6}, Byte{127}}) {
    std::vector<Byte> expected(kLength);
    for (std::size_t j = 0; j < kParts; ++j) {
      const Byte share = inverse_by_trying(static_cast<Byte>(index ^ j));
      for (std::size_t i = 0; i < kLength; ++i) expected[i] ^= product(parts[j * kLength + i], share);
    }
    EXPECT_EQ(spare(parts, kParts, index), expected);
  }
}

// Any n of all parts give the whole, in whatever order they come.
TEST(Erasure, AnyNPartsGiveTheWhole) {
  Random random(7, 1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + static_cast<std::size_t>(random.uniform() * 20), length = 13;
    const auto parts = random_bytes(n * length, random);
    std::vector<Byte> all(2 * n + 3);
    std::iota(all.begin(), all.end(), Byte{0});
    for (std::size_t i = all.size(); i-- > 1;) {
      std::swap(all[i], all[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
    }
    all.resize(n);
    std::vector<Byte> came;
    for (const Byte index : all) {
      const auto part = index < n ? std::vector<Byte>(parts.begin() + index * 13, parts.begin() + (index + 1) * 13)
                                  : spare(parts, n, index);
      came.insert(came.end(), part.begin(), part.end());
    }
    recover_parts(came, all);
    EXPECT_EQ(came, parts) << "round " << round;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(all[i], i);
  }
}

TEST(Erasure, AllPartsMayBeSpareOnes) {
  Random random(3, 1);
  constexpr std::size_t kParts = 64;
  const auto parts = random_bytes(kParts * 4, random);
  std::vector<Byte> indices(kParts), came;
  std::iota(indices.begin(), indices.end(), Byte{kParts});
  for (const Byte index : indices) {
    const auto part = spare(parts, kParts, index);
    came.insert(came.end(), part.begin(), part.end());
  }
  recover_parts(came, indices);
  EXPECT_EQ(came, parts);
}

}  // namespace
}  // namespace forerun::image
