#include "forerun/sim/reality.hpp"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

TEST(Reality, LevelsAreThoseOfTheSpecification) {
  // PSS-7's table, row by row
  EXPECT_EQ(kExact.velocity_noise, 0);
  EXPECT_EQ(kExact.motor_lag, 0);
  EXPECT_EQ(kNoisy.velocity_noise, 0.05);
  EXPECT_EQ(kNoisy.velocity_correlation, 0.2);
  EXPECT_EQ(kNoisy.motor_lag, 0.1);
  EXPECT_EQ(kNoisy.control_jitter, 0.02);
  EXPECT_EQ(kNoisy.laser_noise, 0.02);
  EXPECT_EQ(kNoisy.odometry_scale, 0.01);
  EXPECT_EQ(kNoisy.odometry_turn_scale, 0.02);
  EXPECT_EQ(kNoisy.heading_drift, 0.01);
  EXPECT_EQ(kNoisy.pose_error, 0);
  EXPECT_EQ(kMismatched.slower, 0.1);
  EXPECT_EQ(kMismatched.weight_error, 0.1);
  EXPECT_EQ(kMismatched.pose_error, 0.05);
  EXPECT_NEAR(kMismatched.heading_error, 0.0174533, 1e-6);
  EXPECT_EQ(kMismatched.pose_correlation, 5);
  EXPECT_EQ(kMismatched.people, 0);
  EXPECT_EQ(kCrowded.people, 6);
  EXPECT_EQ(kCrowded.slowest_person, 0.8);
  EXPECT_EQ(kCrowded.fastest_person, 1.2);
  EXPECT_EQ(kCrowded.person_stops_at, 1);
  EXPECT_EQ(kCrowded.boxes, 4);
  EXPECT_EQ(kCrowded.box_size, 0.4);
  EXPECT_EQ(kCrowded.passage, 0.9);
  EXPECT_EQ(kCrowded.slower, kMismatched.slower);
}

TEST(Reality, IsFoundByName) {
  EXPECT_STREQ(find_reality("crowded")->name, "crowded");
  EXPECT_FALSE(find_reality("Crowded").has_value());
}

TEST(Reality, ExactLeavesTheRobotAlone) {
  Random random(1);
  const robot::Description believed;
  const robot::Description real = apply(kExact, believed, random);
  EXPECT_EQ(real.limits.max_speed, believed.limits.max_speed);
  EXPECT_EQ(real.control.heading_weight, believed.control.heading_weight);
}

TEST(Reality, MismatchedIsSlowerAndWeighsDifferently) {
  Random random(1);
  robot::Description believed;
  believed.sensors.push_back(robot::Laser{});
  const robot::Description real = apply(kMismatched, believed, random);
  EXPECT_DOUBLE_EQ(real.limits.max_speed, 0.9 * believed.limits.max_speed);
  EXPECT_DOUBLE_EQ(real.limits.turn_deceleration, 0.9 * believed.limits.turn_deceleration);
  const double ratio = real.control.distance_weight / believed.control.distance_weight;
  EXPECT_TRUE(std::fabs(ratio - 1.1) < 1e-12 || std::fabs(ratio - 0.9) < 1e-12) << ratio;
  EXPECT_EQ(std::get<robot::Laser>(real.sensors[0]).noise, 0.02);
}

TEST(Reality, WeightsGoBothWays) {
  int above = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const robot::Description believed;
    if (apply(kMismatched, believed, random).control.heading_weight > believed.control.heading_weight) ++above;
  }
  EXPECT_GT(above, 70);
  EXPECT_LT(above, 130);
}

}  // namespace
}  // namespace forerun::sim
