#include "forerun/base/hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace forerun {
namespace {

template <class... Words>
std::uint64_t hash_of(Words... words) {
  Hash hash;
  (hash.add(words), ...);
  return hash.value();
}

TEST(Hash, KnownValueForKnownWords) { EXPECT_EQ(hash_of(std::uint64_t{1}, 2.5, -3), 8490149626095336492u); }

TEST(Hash, OneBitOfANumberChangesIt) {
  EXPECT_NE(hash_of(1.0), hash_of(std::nextafter(1.0, 2.0)));
  EXPECT_NE(hash_of(1.0), hash_of(-1.0));
}

TEST(Hash, OrderAndCountMatter) {
  EXPECT_NE(hash_of(1, 2), hash_of(2, 1));
  EXPECT_NE(hash_of(0), hash_of(0, 0));
  EXPECT_NE(hash_of(), hash_of(0));
}

TEST(Hash, BothZerosAreTheSameNumber) { EXPECT_EQ(hash_of(0.0), hash_of(-0.0)); }

TEST(Hash, EveryNanIsTheSame) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hash_of(nan), hash_of(-nan));
  EXPECT_NE(hash_of(nan), hash_of(std::numeric_limits<double>::infinity()));
}

TEST(Hash, WholeNumbersCountByValue) {
  EXPECT_EQ(hash_of(7), hash_of(std::uint64_t{7}));
  EXPECT_EQ(hash_of(-7), hash_of(std::int64_t{-7}));
  EXPECT_EQ(hash_of(std::uint8_t{7}), hash_of(7ull));
}

TEST(Hash, SmallNumbersDoNotCollide) {
  std::set<std::uint64_t> values;
  for (int i = -5000; i < 5000; ++i) values.insert(hash_of(i));
  EXPECT_EQ(values.size(), 10000u);
}

TEST(Hash, EveryInputBitReachesHalfOfTheOutputBits) {
  int changed = 0;
  for (int bit = 0; bit < 64; ++bit) {
    changed += __builtin_popcountll(hash_of(std::uint64_t{12345}) ^ hash_of(std::uint64_t{12345} ^ (1ull << bit)));
  }
  EXPECT_NEAR(changed / 64.0, 32, 2);
}

}  // namespace
}  // namespace forerun
