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
  const std::vector<Drive> drives{make_synchro(0.15),
                                  make_differential({0.07, 0.071, 0.23}),
                                  make_tracked({0.1, 0.1, 0.4}, 1.5),
                                  three_wheels(),
                                  make_car({}),
                                  make_tricycle({})};
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

TEST(Drive, GeometryStaysAsData) {
  const Drive drive = make_differential({.left_diameter = 0.07, .right_diameter = 0.072, .base = 0.25});
  EXPECT_EQ(std::get<DifferentialGeometry>(drive.geometry).right_diameter, 0.072);
  for (std::size_t i = 0; i < kDriveNames.size(); ++i) {
    const auto kind = static_cast<DriveKind>(i);
    EXPECT_EQ(default_geometry(kind).index(), i) << kDriveNames[i];
    if (kind == DriveKind::omni) continue;  // has no wheels yet
    EXPECT_EQ(make_drive(default_geometry(kind)).kind, kind) << kDriveNames[i];
  }
}

constexpr CarGeometry kCar{.wheel_diameter = 0.1, .base = 0.4, .wheelbase = 0.5, .steering_limit = 0.5};

TEST(Car, SpeedAndSteeringAreInverse) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double speed = random.uniform(0.1, 1) * (i % 2 == 0 ? 1 : -1), steering = random.uniform(-0.5, 0.5);
    const Twist twist = car_twist(kCar, speed, steering);
    EXPECT_EQ(twist.vx, speed);
    EXPECT_NEAR(twist.w, speed * std::tan(steering) / 0.5, 1e-12);
    EXPECT_NEAR(steering_angle(kCar, twist), steering, 1e-12);
  }
  EXPECT_EQ(steering_angle(kCar, {}), 0);
  EXPECT_EQ(car_twist(kCar, 1, 2), car_twist(kCar, 1, 0.5)) << "the limit";
}

TEST(Car, FrontWheelsRollAboutTheMiddleOfTheTurn) {
  const Twist left{0.4, 0, 0.3};  // about (0, 4/3)
  const FrontWheels wheels = front_wheels(kCar, left);
  EXPECT_NEAR(std::tan(wheels.left), 0.5 / (4.0 / 3 - 0.2), 1e-12);
  EXPECT_NEAR(std::tan(wheels.right), 0.5 / (4.0 / 3 + 0.2), 1e-12);
  const FrontWheels other = front_wheels(kCar, {0.4, 0, -0.3});
  EXPECT_NEAR(other.left, -wheels.right, 1e-12);
}

TEST(Car, TurnsNoSharperThanItsSteeringAllows) {
  const double sharpest = std::tan(0.5) / 0.5;
  for (const Drive& drive : {make_car(kCar), make_tricycle(kCar)}) {
    EXPECT_NEAR(drive.max_curvature, sharpest, 1e-12);
    EXPECT_EQ(within_steering(drive, {0, 0, 1}), Twist{});
    EXPECT_NEAR(within_steering(drive, {0.5, 0.1, 9}).w, 0.5 * sharpest, 1e-12);
    EXPECT_NEAR(within_steering(drive, {-0.5, 0, 9}).w, 0.5 * sharpest, 1e-12);
    EXPECT_EQ(within_steering(drive, {0.5, 0, -0.1}), (Twist{0.5, 0, -0.1}));
  }
  EXPECT_EQ(within_steering(make_differential({}), {0, 0, 1}), (Twist{0, 0, 1}));
}

}  // namespace
}  // namespace forerun::robot
