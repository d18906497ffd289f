// How fast a robot turns out to be.
#include "forerun/predict/speed_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/base/random.hpp"

namespace forerun::predict {
namespace {

constexpr double kFarthest = 3;  // at the described top speed, between two reports [m]

// A robot with this share of the described speed drives as fast as it can, and so does the replica at its scale.
void cruise(SpeedLearner& learner, double truth, double noise = 0) {
  const double far = learner.scale() * kFarthest;
  learner.observe(truth * kFarthest + noise, far, far, 0.001);
}

TEST(SpeedLearner, BelievesTheDescriptionAtFirst) {
  const SpeedLearner learner;
  EXPECT_EQ(learner.scale(), 1);
  EXPECT_NEAR(std::sqrt(learner.variance()), 0.1, 1e-12);
}

TEST(SpeedLearner, FindsOutThatARobotIsTenPercentSlower) {
  SpeedLearner learner;
  for (int i = 0; i < 3; ++i) cruise(learner, 0.9);
  EXPECT_NEAR(learner.scale(), 0.9, 0.01);
  EXPECT_LT(std::sqrt(learner.variance()), 0.02);
}

TEST(SpeedLearner, FindsOutThatARobotIsFaster) {
  SpeedLearner learner;
  for (int i = 0; i < 5; ++i) cruise(learner, 1.1);
  EXPECT_NEAR(learner.scale(), 1.1, 0.01);
}

// The mean of its squared errors, over many robots and ways measured with errors, is the variance that it states.
TEST(SpeedLearner, IsAsSureAsItIsRight) {
  Random random(1, 2);
  constexpr int kRobots = 2000;
  double squares = 0, stated = 0;
  for (int i = 0; i < kRobots; ++i) {
    const double truth = 1 + 0.1 * clamp(random.normal(), -2.0, 2.0);
    SpeedLearner learner;
    // by 1.5 % by chance, and as much as the variance of the way says
    for (int k = 0; k < 10; ++k) {
      cruise(learner, truth * (1 + 0.015 * random.normal()), std::sqrt(0.001) * random.normal());
    }
    squares += square(learner.scale() - truth) / kRobots;
    stated += learner.variance() / kRobots;
  }
  EXPECT_LT(squares, 1.2 * stated);
  EXPECT_GT(squares, 0.4 * stated);  // it allows for robots that change, which these do not
}

TEST(SpeedLearner, OneOutlierHardlyMovesIt) {
  SpeedLearner learner;
  for (int i = 0; i < 10; ++i) cruise(learner, 0.9);
  const double before = learner.scale();
  cruise(learner, 0.3);  // somebody stood in its way
  EXPECT_NEAR(learner.scale(), before, 0.02);
  for (int i = 0; i < 3; ++i) cruise(learner, 0.9);
  EXPECT_NEAR(learner.scale(), 0.9, 0.01);
}

// Slowly at first, since it could be a hold-up; but it does.
TEST(SpeedLearner, FollowsARobotThatHasBecomeSlower) {
  SpeedLearner learner;
  for (int i = 0; i < 20; ++i) cruise(learner, 1);
  for (int i = 0; i < 40; ++i) cruise(learner, 0.8);
  EXPECT_LT(learner.scale(), 0.9);
  for (int i = 0; i < 60; ++i) cruise(learner, 0.8);
  EXPECT_NEAR(learner.scale(), 0.8, 0.01);
}

TEST(SpeedLearner, StaysWithinWhatIsBelievable) {
  SpeedLearner slow, fast;
  for (int i = 0; i < 200; ++i) {
    cruise(slow, 0);
    cruise(fast, 10);
    EXPECT_GE(slow.scale(), 0.3);
    EXPECT_LE(fast.scale(), 1.3);
    EXPECT_GT(slow.variance(), 0);
  }
  EXPECT_NEAR(slow.scale(), 0.3, 0.01);
  EXPECT_NEAR(fast.scale(), 1.3, 0.01);
}

// Where the replica itself slowed down, the robot may have decided otherwise.
TEST(SpeedLearner, SlowStretchesTeachLittle) {
  SpeedLearner slow, fast;
  slow.observe(0.9, 1, 3, 0.001);
  fast.observe(2.7, 3, 3, 0.001);
  EXPECT_LT(1 - slow.scale(), 0.3 * (1 - fast.scale()));
  EXPECT_GT(slow.variance(), 3 * fast.variance());
}

TEST(SpeedLearner, WaysThatAreMeasuredBadlyTeachLittle) {
  SpeedLearner vague, sure;
  vague.observe(2.7, 3, 3, 1);
  sure.observe(2.7, 3, 3, 0.001);
  EXPECT_LT(1 - vague.scale(), 0.3 * (1 - sure.scale()));
}

TEST(SpeedLearner, ShortWaysAndStandingTeachNothing) {
  SpeedLearner learner;
  learner.observe(0.1, 0.4, 3, 0.001);
  learner.observe(0, 0, 0, 0);
  learner.observe(1, 1, 0, 0.001);
  EXPECT_EQ(learner.scale(), 1);
  EXPECT_EQ(learner.variance(), SpeedLearner().variance());
}

}  // namespace
}  // namespace forerun::predict
