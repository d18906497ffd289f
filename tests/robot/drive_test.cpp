#include "forerun/robot/drive.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/base/random.hpp"

namespace forerun::robot {
namespace {

Drive three_wheels() {
  OmniGeometry geometry{.wheel_diameter = 0.06, .wheel_distance = 0.08, .bearings = {}};
  for (const double bearing : {kPi / 3, kPi, -kPi / 3}) geometry.bearings.push_back(bearing);
  return make_omni(geometry);
}

TEST(Drive, DifferentialFollowsDec1) {
  // one turn of both wheels: π d forward; opposite turns: on the spot
  const Drive drive = make_differential({.left_diameter = 0.07, .right_diameter = 0.07, .base = 0.25});
  WheelSpeeds speeds;
  speeds.push_back(kTwoPi);
  speeds.push_back(kTwoPi);
  EXPECT_NEAR(body_twist(drive, speeds).vx, kPi * 0.07, 1e-15);
  EXPECT_NEAR(body_twist(drive, speeds).w, 0, 1e-15);
  speeds[0] = -kTwoPi;
  EXPECT_NEAR(body_twist(drive, speeds).vx, 0, 1e-15);
  EXPECT_NEAR(body_twist(drive, speeds).w, 2 * kPi * 0.07 / 0.25, 1e-15);
}

TEST(Drive, UnequalWheelsTurn) {
  const Drive drive = make_differential({.left_diameter = 0.07, .right_diameter = 0.072, .base = 0.25});
  WheelSpeeds speeds;
  speeds.push_back(1);
  speeds.push_back(1);
  EXPECT_GT(body_twist(drive, speeds).w, 0);
}

TEST(Drive, SynchroHasADrivenAndASteeredWheel) {
  const WheelSpeeds speeds = wheel_speeds(make_synchro(0.1), {0.5, 0, 0.3});
  ASSERT_EQ(speeds.size(), 2u);
  EXPECT_NEAR(speeds[0], 10, 1e-15);
  EXPECT_NEAR(speeds[1], 0.3, 1e-15);
}

TEST(Drive, TracksSlipWhenTurning) {
  const DifferentialGeometry geometry{.left_diameter = 0.1, .right_diameter = 0.1, .base = 0.4};
  WheelSpeeds speeds;
  speeds.push_back(-1);
  speeds.push_back(1);
  const double wheels = body_twist(make_differential(geometry), speeds).w;
  EXPECT_NEAR(body_twist(make_tracked(geometry, 1.6), speeds).w, wheels / 1.6, 1e-15);
}

TEST(Drive, OmniWheelsRollAcrossTheirBearing) {
  // moving left turns the wheel in front forwards; the wheel at the back (180°) backwards
  const WheelSpeeds speeds = wheel_speeds(three_wheels(), {0, 0.3, 0});
  EXPECT_NEAR(speeds[1], -0.3 / 0.03, 1e-12);
  EXPECT_NEAR(speeds[0], 0.5 * 0.3 / 0.03, 1e-12);
}

TEST(Drive, WheelsAndBodyAreInverse) {
  Random random(7);
  const std::vector<Drive> drives{make_synchro(0.15), make_differential({0.07, 0.071, 0.23}),
                                  make_tracked({0.1, 0.1, 0.4}, 1.5), three_wheels()};
  for (const Drive& drive : drives) {
    for (int i = 0; i < 100; ++i) {
      const double vy = drive.can_strafe() ? random.uniform(-1, 1) : 0;
      const Twist twist{random.uniform(-1, 1), vy, random.uniform(-2, 2)};
      const Twist back = body_twist(drive, wheel_speeds(drive, twist));
      EXPECT_NEAR(back.vx, twist.vx, 1e-12);
      EXPECT_NEAR(back.vy, twist.vy, 1e-12);
      EXPECT_NEAR(back.w, twist.w, 1e-12);
    }
  }
}

}  // namespace
}  // namespace forerun::robot
