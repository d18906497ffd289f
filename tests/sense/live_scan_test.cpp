// The coarse scan, against each beam followed by hand.
#include "forerun/sense/live_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::sense {
namespace {

using robot::LiveScan;

constexpr double kSector = kTwoPi / LiveScan::kSectors;

robot::Description robot_with(std::vector<robot::Laser> lasers) {
  robot::Description robot;
  robot.name = "tester";
  robot.drive = robot::make_differential({});
  for (const robot::Laser& laser : lasers) robot.sensors.push_back(laser);
  return robot;
}

// All beams see nothing.
Readings clear_readings(const robot::Description& robot) {
  Readings readings = make_readings(robot);
  for (Reading& reading : readings.sensors) {
    std::fill(reading.values.begin(), reading.values.end(), std::numeric_limits<float>::infinity());
  }
  return readings;
}

double range_of(const LiveScan& scan, std::size_t sector) {
  return scan.ranges[sector] == LiveScan::kNothing ? kInfinity : 0.01 * scan.unit_cm * scan.ranges[sector];
}

TEST(LiveScan, ARobotWithoutALaserHasNone) {
  const auto robot = robot_with({});
  EXPECT_FALSE(live_scan(robot, make_readings(robot), {}));
}

TEST(LiveScan, WhereNothingIsSeenThereIsNothing) {
  const auto robot = robot_with({{.beams = 181}});
  const auto scan = live_scan(robot, clear_readings(robot), {});
  ASSERT_TRUE(scan);
  for (const std::uint8_t range : scan->ranges) EXPECT_EQ(range, LiveScan::kNothing);
}

TEST(LiveScan, TheNearestEchoOfASectorCounts) {
  const auto robot = robot_with({{.beams = 181}});  // one a degree from −90°
  Readings readings = clear_readings(robot);
  for (const auto& [degree, range] : {std::pair{1, 4.0F}, {3, 2.0F}, {5, 3.0F}, {-1, 1.5F}}) {
    readings.sensors[0].values[static_cast<std::size_t>(90 + degree)] = range;
  }
  const auto scan = *live_scan(robot, readings, {});
  EXPECT_NEAR(range_of(scan, 0), 2.0, 0.01);
  EXPECT_NEAR(range_of(scan, LiveScan::kSectors - 1), 1.5, 0.01);
  EXPECT_EQ(scan.ranges[1], LiveScan::kNothing);
}

TEST(LiveScan, AreTheEchoesOfAllLasersAsSeenFromTheRobotsMiddle) {
  Random random(3, 1);
  const auto robot = robot_with({{.mount = {0.2, 0.1, 0.3}, .beams = 90}, {.mount = {-0.3, 0, kPi}, .beams = 60}});
  for (int run = 0; run < 50; ++run) {
    Readings readings = clear_readings(robot);
    std::array<double, LiveScan::kSectors> nearest;
    nearest.fill(kInfinity);
    double farthest = 0;
    for (std::size_t s = 0; s < 2; ++s) {
      const auto& laser = std::get<robot::Laser>(robot.sensors[s]);
      auto& values = readings.sensors[s].values;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (random.uniform(0, 1) < 0.7) continue;
        values[i] = static_cast<float>(random.uniform(0.5, 9.5));
        const double angle =
            laser.mount.theta + kPi * (static_cast<double>(i) / static_cast<double>(values.size() - 1) - 0.5);
        const Vec2 place = laser.mount.position() + unit_vector(angle) * static_cast<double>(values[i]);
        double bearing = std::atan2(place.y, place.x);
        if (bearing < 0) bearing += kTwoPi;
        auto& known = nearest[static_cast<std::size_t>(bearing / kSector)];
        known = std::min(known, length(place));
      }
    }
    const auto scan = *live_scan(robot, readings, {});
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      if (nearest[i] < kInfinity) farthest = std::max(farthest, nearest[i]);
      if (nearest[i] == kInfinity)
        EXPECT_EQ(scan.ranges[i], LiveScan::kNothing) << i;
      else
        EXPECT_NEAR(range_of(scan, i), nearest[i], 0.005 * scan.unit_cm + 1e-9) << i;
    }
    EXPECT_EQ(scan.unit_cm, std::ceil(100 * farthest / 254));
  }
}

TEST(LiveScan, ReadingsAreMovedToWhereTheRobotIsNow) {
  const auto robot = robot_with({{.beams = 181}});
  Readings readings = clear_readings(robot);
  readings.sensors[0].odometry = {1, 1, 0};
  readings.sensors[0].values[92] = 3;  // just left of straight ahead, so at about (4, 1.1)
  // a metre farther on, and turned by 90° to the left: it is on the right now
  const auto scan = *live_scan(robot, readings, {2, 1, 0.5 * kPi});
  const std::size_t right = 3 * LiveScan::kSectors / 4;
  EXPECT_NEAR(range_of(scan, right), 2, 0.02);
  EXPECT_EQ(scan.ranges[0], LiveScan::kNothing);
}

TEST(LiveScan, WhatIsTooNearTooFarOrNoNumberIsNoEcho) {
  const auto robot = robot_with({{.beams = 181, .min_range = 0.1, .max_range = 8}});
  for (const float range :
       {0.05F, 8.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Readings readings = clear_readings(robot);
    readings.sensors[0].values[92] = range;
    EXPECT_EQ(live_scan(robot, readings, {})->ranges[0], LiveScan::kNothing) << range;
  }
}

}  // namespace
}  // namespace forerun::sense
