#include "forerun/robot/motors.hpp"

#include <gtest/gtest.h>

namespace forerun::robot {
namespace {

constexpr Limits kLimits{.max_speed = 1, .max_turn_rate = 2, .acceleration = 0.5, .turn_acceleration = 1};

TEST(Motors, WithoutLagFollowTheLimits) {
  Motors motors;
  motors.step({1, -1, 2}, kLimits, 0.1, lag_share(0, 0.1));
  EXPECT_DOUBLE_EQ(motors.velocity.vx, 0.05);
  EXPECT_DOUBLE_EQ(motors.velocity.vy, -0.05);
  EXPECT_DOUBLE_EQ(motors.velocity.w, 0.1);
  EXPECT_EQ(motors.velocity, motors.ramped);
}

TEST(Motors, LagBehindWhatTheLimitsAllow) {
  EXPECT_NEAR(lag_share(0.1, 0.1), 1 - 1 / 2.718281828459045, 1e-12);
  Motors motors;
  motors.begin({0.5, 0, 0});
  motors.step({1, 0, 0}, kLimits, 0.1, 0.25);
  EXPECT_DOUBLE_EQ(motors.ramped.vx, 0.55);
  EXPECT_DOUBLE_EQ(motors.velocity.vx, 0.5 + 0.25 * 0.05);
}

// Two half steps are one whole step of the lag.
TEST(Motors, SharesCompose) {
  const double half = lag_share(0.2, 0.05), whole = lag_share(0.2, 0.1);
  EXPECT_NEAR(1 - (1 - half) * (1 - half), whole, 1e-14);
}

}  // namespace
}  // namespace forerun::robot
