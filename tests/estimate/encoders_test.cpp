// Counters that wrap, start anew or skip.
#include "forerun/estimate/encoders.hpp"

#include <gtest/gtest.h>

namespace forerun::estimate {
namespace {

constexpr EncoderScale kParams{.ticks_per_turn = 1000, .max_turns_per_s = 10};

TEST(Encoders, TheFirstReadingSaysNothing) {
  Encoders encoders(kParams);
  EXPECT_FALSE(encoders.advance({500, 700}, 0.1));
  const auto turns = encoders.advance({600, 650}, 0.1);
  ASSERT_TRUE(turns);
  EXPECT_DOUBLE_EQ(turns->left, 0.1);
  EXPECT_DOUBLE_EQ(turns->right, -0.05);
}

TEST(Encoders, GoOnWhereACounterWraps) {
  for (const double size : {65536.0, 16777216.0, 4294967296.0}) {
    Encoders encoders(kParams);
    (void)encoders.advance({size - 30, -size / 2 + 20}, 0.1);
    const auto turns = encoders.advance({70, size / 2 - 80}, 0.1);
    ASSERT_TRUE(turns) << size;
    EXPECT_DOUBLE_EQ(turns->left, 0.1) << size;
    EXPECT_DOUBLE_EQ(turns->right, -0.1) << size;
  }
}

TEST(Encoders, CountOnAfterAReset) {
  Encoders encoders(kParams);
  (void)encoders.advance({500000, 300000}, 0.1);
  EXPECT_FALSE(encoders.advance({12, 3}, 0.1));
  EXPECT_TRUE(encoders.advance({112, 103}, 0.1));
  // a small counter that falls to 0 could have been driven there, but not both at once
  (void)encoders.advance({712, 703}, 0.1);
  EXPECT_FALSE(encoders.advance({0, 0}, 0.1));
}

TEST(Encoders, BackAtTheBeginningIsNoReset) {
  Encoders encoders(kParams);
  (void)encoders.advance({0, 0}, 0.1);
  (void)encoders.advance({20, -20}, 0.1);
  EXPECT_TRUE(encoders.advance({0, 0}, 0.1));
}

TEST(Encoders, RefuseAJump) {
  Encoders encoders(kParams);
  (void)encoders.advance({0, 0}, 0.1);
  EXPECT_FALSE(encoders.advance({5000, 10}, 0.1));
  EXPECT_TRUE(encoders.advance({5100, 110}, 0.1));
}

}  // namespace
}  // namespace forerun::estimate
