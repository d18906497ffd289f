#include "forerun/base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/base/normal_table.hpp"

namespace forerun {
namespace {

// Pearson's χ² of counts that should all be alike, in standard deviations of what chance gives.
double chi_squared_excess(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double chi2 = 0;
  for (const int count : counts) chi2 += square(count - expected) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  return (chi2 - freedom) / std::sqrt(2 * freedom);
}

TEST(Random, FirstValuesAreKnown) {
  Random random(1, 2);
  EXPECT_EQ(random.bits(), 3973785019428940532u);
  EXPECT_EQ(random.bits(), 12932042581634824882u);
  EXPECT_EQ(random.bits(), 3714251513836207186u);
}

TEST(Random, SameSeedSameStream) {
  Random a(5, 9);
  Random b(5, 9);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(a.bits(), b.bits());
    EXPECT_EQ(a.normal(), b.normal());
  }
}

TEST(Random, DefaultIsSeedZero) { EXPECT_EQ(Random().bits(), Random(0, 0).bits()); }

TEST(Random, CopyGoesOnAlike) {
  Random a(5);
  (void)a.normal();
  Random b = a;
  EXPECT_EQ(a.normal(), b.normal());
  EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, UniformFillsTheIntervalEvenly) {
  Random random(11);
  std::vector<int> counts(256);
  for (int i = 0; i < 1000000; ++i) {
    const double u = random.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    ++counts[static_cast<std::size_t>(u * 256)];
  }
  EXPECT_LT(std::fabs(chi_squared_excess(counts)), 4);
}

TEST(Random, UniformBetweenBounds) {
  Random random(12);
  double low = kInfinity;
  double high = -kInfinity;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform(-3, 5);
    low = std::min(low, u);
    high = std::max(high, u);
  }
  EXPECT_GE(low, -3);
  EXPECT_LT(low, -2.9);
  EXPECT_LT(high, 5);
  EXPECT_GT(high, 4.9);
}

TEST(Random, BelowGivesEveryValueAlike) {
  Random random(13);
  for (const std::uint64_t bound : {2u, 3u, 10u, 97u}) {
    std::vector<int> counts(bound);
    for (int i = 0; i < 200000; ++i) {
      const std::uint64_t value = random.below(bound);
      ASSERT_LT(value, bound);
      ++counts[value];
    }
    EXPECT_LT(chi_squared_excess(counts), 4) << bound;
  }
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, BelowIsEvenForBoundsNearTheWordSize) {
  // a plain remainder would give the lower half of 3 · 2^62 twice as often as the rest
  Random random(14);
  const std::uint64_t bound = 3ull << 62;
  int low_third = 0;
  for (int i = 0; i < 30000; ++i) low_third += random.below(bound) < (1ull << 62) ? 1 : 0;
  EXPECT_NEAR(low_third, 10000, 400);
}

TEST(Random, NormalHasTheRightMoments) {
  Random random(15);
  const int n = 2000000;
  double sums[5] = {};
  for (int i = 0; i < n; ++i) {
    double power = 1;
    const double x = random.normal();
    for (double& sum : sums) {
      sum += power;
      power *= x;
    }
  }
  // five standard errors each
  EXPECT_NEAR(sums[1] / n, 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(sums[2] / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(sums[3] / n, 0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(sums[4] / n, 3, 5 * std::sqrt(96.0 / n));
}

TEST(Random, NormalFallsIntoQuantilesAlike) {
  Random random(16);
  std::vector<int> counts(200);
  for (int i = 0; i < 2000000; ++i) {
    const double below = 0.5 * std::erfc(-random.normal() / std::sqrt(2.0));
    ++counts[std::min(static_cast<std::size_t>(below * 200), std::size_t{199})];
  }
  EXPECT_LT(std::fabs(chi_squared_excess(counts)), 4);
}

TEST(Random, NormalHasTheRightTails) {
  Random random(17);
  const int n = 4000000;
  int beyond_3 = 0;
  int beyond_edge = 0;  // only the separate tail method reaches there
  int beyond_4 = 0;
  for (int i = 0; i < n; ++i) {
    const double x = std::fabs(random.normal());
    beyond_3 += x > 3 ? 1 : 0;
    beyond_edge += x > kNormalEdges[1] ? 1 : 0;
    beyond_4 += x > 4 ? 1 : 0;
  }
  const auto expect_count = [&](int count, double edge) {
    const double expected = n * std::erfc(edge / std::sqrt(2.0));
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << edge;
  };
  expect_count(beyond_3, 3);
  expect_count(beyond_edge, kNormalEdges[1]);
  expect_count(beyond_4, 4);
}

TEST(Random, NormalTableIsTheZigguratOfEqualAreas) {
  const auto curve = [](long double x) { return expl(-0.5L * x * x); };
  const long double r = kNormalEdges[1];
  const long double area = r * curve(r) + sqrtl(acosl(-1) / 2) * erfcl(r / sqrtl(2));
  EXPECT_NEAR(static_cast<double>(kNormalEdges[0] * curve(r) / area), 1, 1e-14);
  for (std::size_t i = 1; i < kNormalLayers; ++i) {
    const long double layer = kNormalEdges[i] * (curve(kNormalEdges[i + 1]) - curve(kNormalEdges[i]));
    ASSERT_NEAR(static_cast<double>(layer / area), 1, 1e-13) << i;
  }
  EXPECT_EQ(kNormalEdges[kNormalLayers], 0);
}

TEST(Random, StreamsOfOneSeedAreUnrelated) {
  std::set<std::uint64_t> firsts;
  double correlation = 0;
  const int n = 2000;
  for (std::uint64_t stream = 0; stream < n; ++stream) {
    Random a(1, stream);
    Random b(1, stream + 1);
    firsts.insert(a.bits());
    correlation += a.normal() * b.normal();
  }
  EXPECT_EQ(firsts.size(), static_cast<std::size_t>(n));
  EXPECT_NEAR(correlation / n, 0, 5 / std::sqrt(n));
}

TEST(Random, SeedAndStreamAreNotInterchangeable) {
  EXPECT_NE(Random(1, 2).bits(), Random(2, 1).bits());
  EXPECT_NE(Random(0, 0).bits(), Random(0, 1).bits());
  EXPECT_NE(Random(0, 0).bits(), Random(1, 0).bits());
}

TEST(Random, HashFollowsTheState) {
  Random random(1);
  Hash before;
  random.add_to(before);
  Hash same;
  random.add_to(same);
  EXPECT_EQ(before.value(), same.value());
  (void)random.bits();
  Hash after;
  random.add_to(after);
  EXPECT_NE(before.value(), after.value());
}

}  // namespace
}  // namespace forerun
