// What it takes to hold the robot as often as stated.
#include "forerun/predict/needed_sizes.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::predict {
namespace {

constexpr NeededSizes::Asked kAsked{.gap = 6, .activity = 0, .reach = 0.6, .elsewhere = 0.3};

TEST(NeededSizes, AreWhatWasThoughtAtFirstUntilSomethingIsSeen) {
  EXPECT_NEAR(NeededSizes().holding(0.5, kAsked), 0, 1e-3);
  EXPECT_LT(NeededSizes().holding(0.2, kAsked), -0.5);
  EXPECT_GT(NeededSizes().holding(0.8, kAsked), 0.5);
}

// Against the shares of an even distribution, with all gaps about the one asked for.
TEST(NeededSizes, HoldTheStatedShareOfWhatWasSeen) {
  Random random(3, 1);
  NeededSizes sizes;
  for (int i = 0; i < 400; ++i) sizes.learn({.gap = random.uniform(3, 12), .size = random.uniform(-3, -1)});
  for (const double share : {0.2, 0.5, 0.8}) EXPECT_NEAR(sizes.holding(share, kAsked), -3 + 2 * share, 0.35) << share;
}

TEST(NeededSizes, GoByTheNewestOfEachGap) {
  NeededSizes sizes;
  for (int i = 0; i < 100; ++i) sizes.learn({.gap = 6, .size = 2});
  for (int i = 0; i < 16; ++i) sizes.learn({.gap = 6, .size = -2});
  EXPECT_NEAR(sizes.holding(0.5, kAsked), -2, 0.2);
}

TEST(NeededSizes, OfOtherGapsAndOtherActivitiesSayLess) {
  NeededSizes sizes;
  for (int i = 0; i < 16; ++i) {
    sizes.learn({.gap = 0.5, .size = 3});
    sizes.learn({.gap = 6, .activity = 3, .size = 3});
    sizes.learn({.gap = 6, .size = -1});
  }
  EXPECT_LT(sizes.holding(0.5, kAsked), -0.5);
  EXPECT_GT(sizes.holding(0.5, {.gap = 0.5, .activity = 0, .reach = 0.6, .elsewhere = 0.3}), 2.5);
}

TEST(NeededSizes, WhatSaysNothingChangesNothing) {
  NeededSizes sizes;
  for (int i = 0; i < 16; ++i) sizes.learn({.gap = 6, .size = 3, .weight = 0});
  EXPECT_NEAR(sizes.holding(0.5, kAsked), 0, 1e-3);
}

}  // namespace
}  // namespace forerun::predict
