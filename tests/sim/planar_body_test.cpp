#include "forerun/sim/planar_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/allocation_counter.hpp"

namespace forerun::sim {
namespace {

robot::Description make_robot() {
  robot::Description robot;
  robot.drive = robot::make_differential({.left_diameter = 0.1, .right_diameter = 0.1, .base = 0.3});
  robot.drive.ticks_per_turn = 500;
  robot.limits = {.max_speed = 0.5, .acceleration = 0.4, .deceleration = 0.4};
  return robot;
}

const robot::Description kRobot = make_robot();

void drive(PlanarBody& plant, const robot::Twist& command, double seconds) {
  for (int i = 0; i < static_cast<int>(seconds * 100 + 0.5); ++i) plant.step(command, 0.01);
}

TEST(PlanarBody, ExactlyFollowsItsCommandWithinTheLimits) {
  PlanarBody plant(kRobot, kExact, {}, Random(1));
  drive(plant, {0.4, 0, 0}, 1);
  EXPECT_NEAR(plant.state().velocity.vx, 0.4, 1e-12);
  drive(plant, {0.4, 0, 0}, 1);
  // ½ · 0.4 m while speeding up, then 0.4 m; the ramp is ahead by half a step
  EXPECT_NEAR(plant.state().pose.x, 0.6, 0.003);
  EXPECT_EQ(plant.odometry().x, plant.state().pose.x);
}

TEST(PlanarBody, LagsBehindLikeAFirstOrderMotor) {
  Reality lazy = kExact;
  lazy.motor_lag = 0.1;
  robot::Description robot = make_robot();
  robot.limits.acceleration = 1e6;  // a step of the ramp
  PlanarBody plant(robot, lazy, {}, Random(1));
  for (int i = 0; i < 10; ++i) plant.step({0.5, 0, 0}, 0.01);
  EXPECT_NEAR(plant.state().velocity.vx, 0.5 * (1 - std::exp(-1.0)), 1e-9);
}

TEST(PlanarBody, VelocityNoiseHasTheStatedSizeAndMemory) {
  // PSS-7: v multiplied by 1 + 0.05 n(t), n of unit variance with 0.2 s correlation time
  PlanarBody plant(kRobot, kNoisy, {}, Random(3));
  drive(plant, {0.5, 0, 0}, 5);
  std::vector<double> n;
  for (int i = 0; i < 200000; ++i) {
    drive(plant, {0.5, 0, 0}, 0.01);
    n.push_back((plant.state().velocity.vx / 0.5 - 1) / 0.05);
  }
  double variance = 0, product = 0;
  const std::size_t lag = 20;  // 0.2 s
  for (std::size_t i = 0; i + lag < n.size(); ++i) {
    variance += n[i] * n[i];
    product += n[i] * n[i + lag];
  }
  EXPECT_NEAR(variance / static_cast<double>(n.size()), 1, 0.05);
  EXPECT_NEAR(product / variance, std::exp(-1.0), 0.04);
}

TEST(PlanarBody, OdometryErrsByTheStatedShare) {
  // over many runs: scale σ 1 %, heading drift σ 0.01 rad/m
  double scale2 = 0, drift2 = 0;
  const int runs = 400;
  for (int run = 0; run < runs; ++run) {
    PlanarBody plant(kRobot, kNoisy, {}, Random(static_cast<std::uint64_t>(run)));
    drive(plant, {0.5, 0, 0}, 10);
    scale2 += square(length(plant.odometry().position()) / plant.path_length() - 1);
    drift2 += square(plant.odometry().theta / plant.path_length());
  }
  EXPECT_NEAR(std::sqrt(scale2 / runs), 0.01, 0.0015);
  EXPECT_NEAR(std::sqrt(drift2 / runs), 0.01, 0.0015);
}

TEST(PlanarBody, CountsWholeTicks) {
  PlanarBody plant(kRobot, kExact, {}, Random(1));
  drive(plant, {0.3, 0, 0}, 4);
  const double turns = plant.path_length() / (kPi * 0.1);
  EXPECT_EQ(plant.ticks(0), static_cast<std::int64_t>(std::floor(turns * 500 + 1e-9)));
  EXPECT_EQ(plant.ticks(0), plant.ticks(1));
}

TEST(PlanarBody, BlockedStandsWhereItWas) {
  PlanarBody plant(kRobot, kExact, {}, Random(1));
  drive(plant, {0.4, 0, 0}, 1);
  const Pose2 before = plant.state().pose;
  const double way = plant.path_length();
  drive(plant, {0.4, 0, 0}, 0.01);
  plant.block(false);
  EXPECT_EQ(plant.state().pose, before);
  EXPECT_NEAR(plant.path_length(), way, 1e-12);
  EXPECT_FALSE(plant.moves());
}

TEST(PlanarBody, AllocatesNothing) {
  PlanarBody plant(kRobot, kNoisy, {}, Random(1));
  const AllocationCounter allocations;
  plant.step({0.4, 0, 0.1}, 0.01);
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::sim
