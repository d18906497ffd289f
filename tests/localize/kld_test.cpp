// How many particles it takes.
#include "forerun/localize/kld.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "forerun/base/random.hpp"

namespace forerun::localize {
namespace {

TEST(Kld, CountsAsFoxWrote) {
  const KldParams params{.error = 0.05, .quantile = 2.326};
  EXPECT_EQ(kld_count(0, params), 1);
  EXPECT_EQ(kld_count(1, params), 1);
  // χ²(0.99) with 10 and 100 degrees of freedom is 23.21 and 135.8, over 2ε = 0.1
  EXPECT_NEAR(kld_count(11, params), 232.1, 3);
  EXPECT_NEAR(kld_count(101, params), 1358, 3);
  EXPECT_LT(kld_count(101, {.error = 0.1, .quantile = 2.326}), kld_count(101, params));
  EXPECT_LT(kld_count(101, {.error = 0.05, .quantile = 1}), kld_count(101, params));
}

TEST(BinCounter, CountsEachBinOnce) {
  const KldParams params{.bin_m = 0.5, .bin_rad = 0.3};
  Random random(5, 1);
  BinCounter counter(400);
  std::set<std::tuple<double, double, double>> bins;
  for (int i = 0; i < 2000; ++i) {
    const Pose2 pose{random.uniform(-2, 2), random.uniform(-1, 1), random.uniform(-0.6, 0.6)};
    const bool fresh = bins.insert({std::floor(pose.x / params.bin_m), std::floor(pose.y / params.bin_m),
                                    std::floor(pose.theta / params.bin_rad)})
                           .second;
    ASSERT_EQ(counter.add(pose, params), fresh);
  }
  EXPECT_EQ(counter.n_bins(), bins.size());
  counter.clear();
  EXPECT_EQ(counter.n_bins(), 0u);
  EXPECT_TRUE(counter.add({1, 1, 0.1}, params));
  EXPECT_FALSE(counter.add({1, 1, 0.1 + kTwoPi}, params)) << "a turn on is the same heading";
}

TEST(BinCounter, IsFullAtItsCapacity) {
  BinCounter counter(3);
  const KldParams params;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(counter.add({i * 1.0, 0, 0}, params), i < 3);
  EXPECT_EQ(counter.n_bins(), 3u);
}

}  // namespace
}  // namespace forerun::localize
