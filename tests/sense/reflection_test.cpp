#include "forerun/sense/reflection.hpp"

#include <gtest/gtest.h>

namespace forerun::sense {
namespace {

const world::Material kWall{.reflection_angle = 0.6, .reflection_angle_slope = 0.1, .reflection_range = 0.4};

TEST(Reflection, IsImpossibleHeadOn) { EXPECT_EQ(reflection_probability(kWall, 0, 1), 0); }

TEST(Reflection, RisesLinearlyFromThetaToThetaPlusBeta) {
  // θ(1 m) = 0.5
  EXPECT_EQ(reflection_probability(kWall, 0.499, 1), 0);
  EXPECT_NEAR(reflection_probability(kWall, 0.6, 1), 0.25, 1e-12);
  EXPECT_NEAR(reflection_probability(kWall, 0.7, 1), 0.5, 1e-12);
  EXPECT_EQ(reflection_probability(kWall, 0.9, 1), 1);
  EXPECT_EQ(reflection_probability(kWall, 1.5, 1), 1);
}

TEST(Reflection, ComesSoonerFarAway) {
  EXPECT_LT(reflection_probability(kWall, 0.6, 0.5), reflection_probability(kWall, 0.6, 3));
}

TEST(Reflection, ThetaIsClampedAtZero) {
  // θ(20 m) would be −1.4
  EXPECT_NEAR(reflection_probability(kWall, 0.2, 20), 0.5, 1e-12);
  EXPECT_EQ(reflection_probability(kWall, 0, 20), 0);
}

}  // namespace
}  // namespace forerun::sense
