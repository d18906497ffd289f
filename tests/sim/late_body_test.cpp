// Commands that reach the motors late.
#include "forerun/sim/late_body.hpp"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

robot::Description quick_robot() {
  robot::Description robot;
  robot.drive = robot::make_differential({});
  robot.limits.max_speed = 2;
  robot.limits.acceleration = robot.limits.deceleration = 1000;
  return robot;
}

// How far it is after `seconds` at 1 m/s from the start.
double driven(double delay, double seconds) {
  const robot::Description robot = quick_robot();
  LateBody body(robot, kExact, {}, Random(1), delay);
  const int n = static_cast<int>(seconds * 100 + 0.5);
  for (int i = 0; i < n; ++i) body.step({1, 0, 0}, 0.01);
  return body.state().pose.x;
}

TEST(LateBody, MovesWhenTheDelayIsOver) {
  EXPECT_NEAR(driven(0, 1), 1, 0.002);
  EXPECT_EQ(driven(0.12, 0.12), 0);
  EXPECT_NEAR(driven(0.12, 1), 0.88, 0.002);
  EXPECT_NEAR(driven(0.1234, 1), 0.8766, 0.002) << "between two steps too";
  EXPECT_NEAR(driven(2, 3), 1, 0.002);
}

TEST(LateBody, EveryCommandLastsAsLongAsItWasGiven) {
  const robot::Description robot = quick_robot();
  LateBody body(robot, kExact, {}, Random(1), 0.5);
  // another speed at each tick: as many wait as fit
  double wanted = 0;
  for (int i = 0; i < 200; ++i) {
    const double speed = 0.001 * (i + 1);
    wanted += speed * 0.01;
    body.step({speed, 0, 0}, 0.01);
  }
  for (int i = 0; i < 51; ++i) body.step({}, 0.01);
  EXPECT_NEAR(body.state().pose.x, wanted, 2e-4);
  EXPECT_FALSE(body.moves());
}

}  // namespace
}  // namespace forerun::sim
