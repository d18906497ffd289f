#include "forerun/geom/rotation.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun {
namespace {

void expect_near(Vec3 a, Vec3 b, double tolerance = 1e-12) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Rotation, TurnsAboutOneAxisAtATime) {
  expect_near(rotation({0, 0, kPi / 2}) * Vec3{1, 0, 0}, {0, 1, 0});   // to the left
  expect_near(rotation({0, kPi / 2, 0}) * Vec3{1, 0, 0}, {0, 0, -1});  // nose down
  expect_near(rotation({kPi / 2, 0, 0}) * Vec3{0, 1, 0}, {0, 0, 1});   // left side up
}

TEST(Rotation, KeepsLengthsAndRightAngles) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Rotation r = rotation({random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)});
    EXPECT_NEAR(dot(r.x, r.x), 1, 1e-12);
    EXPECT_NEAR(dot(r.x, r.y), 0, 1e-12);
    expect_near(cross(r.x, r.y), r.z);
  }
}

TEST(Rotation, GivesItsAnglesBack) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Attitude a{random.uniform(-3.1, 3.1), random.uniform(-1.5, 1.5), random.uniform(-3.1, 3.1)};
    const Attitude b = attitude(rotation(a));
    EXPECT_NEAR(a.roll, b.roll, 1e-9);
    EXPECT_NEAR(a.pitch, b.pitch, 1e-9);
    EXPECT_NEAR(a.yaw, b.yaw, 1e-9);
  }
}

TEST(Rotation, StraightUpItStillGivesTheSameRotation) {
  for (const double pitch : {kPi / 2, -kPi / 2}) {
    const Rotation up = rotation({0.3, pitch, 0.5});
    const Rotation again = rotation(attitude(up));
    expect_near(up.x, again.x, 1e-9);
    expect_near(up.y, again.y, 1e-9);
  }
}

}  // namespace
}  // namespace forerun
