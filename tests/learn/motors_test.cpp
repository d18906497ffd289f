// Accelerations, lag and top speeds from what was commanded and what came of it.
#include "forerun/learn/motors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::learn {
namespace {

constexpr double kStep = 0.04;  // [s]

const Motors kTruth{{.max_speed = 0.5,
                     .max_turn_rate = 1,
                     .acceleration = 0.35,
                     .deceleration = 0.7,
                     .turn_acceleration = 1.2,
                     .turn_deceleration = 2},
                    0.15};

// Commands at random, held for a while, and motors with noise.
MotorLog drive(const Motors& motors, double noise, std::uint64_t seed) {
  MotorLog log;
  Random random(seed, 0);
  robot::Twist command, ramped, velocity;
  for (int i = 0; i < 4000; ++i) {
    if (i % 50 == 0) command = {random.uniform(0, 0.5), 0, random.uniform(-1, 1)};
    const double factor = 1 + noise * random.normal();
    log.push_back({i * kStep, command, {velocity.vx * factor, 0, velocity.w * factor}});
    ramped = robot::approach(ramped, command, motors.limits, kStep);
    const double share = 1 - std::exp(-kStep / motors.lag);
    velocity = {velocity.vx + (ramped.vx - velocity.vx) * share, 0, velocity.w + (ramped.w - velocity.w) * share};
  }
  return log;
}

Motors as_believed() {
  Motors believed = kTruth;
  believed.limits.acceleration = believed.limits.deceleration = 0.5;
  believed.limits.turn_acceleration = believed.limits.turn_deceleration = 1.5;
  believed.lag = 0.05;
  return believed;
}

TEST(Motors, SidewaysCountsLikeForwards) {
  MotorLog aside = drive(kTruth, 0, 1);
  for (MotorRow& row : aside) {
    for (robot::Twist* twist : {&row.command, &row.velocity}) std::swap(twist->vx, twist->vy);
  }
  const std::vector<MotorLog> logs{aside}, ahead{drive(kTruth, 0, 1)};
  EXPECT_LT(motor_error(logs, kTruth), 1e-12);
  EXPECT_NEAR(motor_error(logs, as_believed()), motor_error(ahead, as_believed()), 1e-12);
}

TEST(Motors, TheTrueOnesExplainADriveExactly) {
  const std::vector<MotorLog> logs{drive(kTruth, 0, 1)};
  EXPECT_LT(motor_error(logs, kTruth), 1e-12);
  EXPECT_GT(motor_error(logs, as_believed()), 0.01);
}

TEST(Motors, AreFoundFromNoisyDrives) {
  const std::vector<MotorLog> logs{drive(kTruth, 0.05, 1), drive(kTruth, 0.05, 2)};
  const Motors found = fit_motors(logs, as_believed());
  EXPECT_NEAR(found.limits.acceleration, 0.35, 0.02);
  EXPECT_NEAR(found.limits.deceleration, 0.7, 0.05);
  EXPECT_NEAR(found.limits.turn_acceleration, 1.2, 0.07);
  EXPECT_NEAR(found.limits.turn_deceleration, 2, 0.15);
  EXPECT_NEAR(found.lag, 0.15, 0.02);
  EXPECT_EQ(found.limits.max_speed, 0.5);
}

TEST(Motors, BreaksAndRowsWithoutCommandDoNotCount) {
  MotorLog log = drive(kTruth, 0, 1);
  log.erase(log.begin() + 1000, log.begin() + 1500);
  for (std::size_t i = 2000; i < 2100; ++i) log[i].command.vx = std::numeric_limits<double>::quiet_NaN();
  std::vector<MotorLog> logs{log};
  EXPECT_TRUE(has_commands(logs));
  // after a break the motors are where they are seen, but what they were ramping to is not known
  EXPECT_LT(motor_error(logs, kTruth), 1e-3);
  for (MotorRow& row : logs[0]) row.command.w = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(has_commands(logs));
  EXPECT_EQ(motor_error(logs, as_believed()), 0);
}

TEST(CruisingSpeed, IsWhatTheRobotKeepsToDespiteNoiseStartsAndStops) {
  Random random(3, 0);
  std::vector<double> speeds;
  for (int i = 0; i < 3000; ++i) speeds.push_back(0.4 * (1 + 0.05 * random.normal()));
  for (int i = 0; i < 800; ++i) speeds.push_back(0.4 * i / 800);
  speeds.insert(speeds.end(), 2000, 0.0);
  EXPECT_NEAR(cruising_speed(speeds), 0.4, 0.006);
}

TEST(CruisingSpeed, IsNothingForOneThatStands) {
  EXPECT_EQ(cruising_speed({}), 0);
  EXPECT_EQ(cruising_speed({0, 0.001, 0, std::numeric_limits<double>::quiet_NaN()}), 0);
}

}  // namespace
}  // namespace forerun::learn
