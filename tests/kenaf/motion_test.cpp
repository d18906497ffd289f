#include "forerun/kenaf/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace forerun::kenaf {
namespace {

struct Drive {
  Motion::State state = Motion::State::going;
  double done = 0, time_s = 0, fastest = 0;
};

// A robot that does what it is told `late` statuses later, and reports 20 times a second.
Drive drive(double way, const MotionLimits& params, int late, double held_at = INFINITY) {
  Motion motion(way, params);
  std::deque<double> told(static_cast<std::size_t>(late), 0.0);
  Drive drive;
  for (; drive.state == Motion::State::going && drive.time_s < 100; drive.time_s += 0.05) {
    const auto step = motion.step(drive.done, drive.time_s);
    drive.state = step.state;
    told.push_back(step.speed);
    drive.fastest = std::max(drive.fastest, std::fabs(step.speed));
    if (std::fabs(drive.done) < held_at) drive.done += told.front() * 0.05;
    told.pop_front();
  }
  return drive;
}

TEST(Motion, ArrivesFromBothSidesHoweverLateTheRobot) {
  for (const double way : {100.0, -100.0, 1.5, 5000.0}) {
    for (const int late : {0, 1, 2, 3}) {
      const Drive there = drive(way, kForwardMotion, late);
      EXPECT_EQ(there.state, Motion::State::there) << way << " " << late;
      EXPECT_NEAR(there.done, way, kForwardMotion.tolerance) << late;
      EXPECT_LE(there.fastest, kForwardMotion.fastest);
    }
  }
  EXPECT_EQ(drive(90, kTurningMotion, 2).state, Motion::State::there);
}

TEST(Motion, StartsAndEndsSlowly) {
  Motion motion(100, kForwardMotion);
  EXPECT_DOUBLE_EQ(motion.step(0, 0).speed, kForwardMotion.slowest);
  EXPECT_DOUBLE_EQ(motion.step(50, 10).speed, 125);
  EXPECT_DOUBLE_EQ(motion.step(98.5, 11).speed, kForwardMotion.slowest);
  EXPECT_DOUBLE_EQ(motion.step(102, 12).speed, -kForwardMotion.slowest);
}

TEST(Motion, AWayOfNothingIsThereAtOnce) { EXPECT_LT(drive(0, kForwardMotion, 0).time_s, 0.5); }

TEST(Motion, NoticesThatItDoesNotGetOn) {
  const Drive held = drive(100, kForwardMotion, 1, 37);
  EXPECT_EQ(held.state, Motion::State::stalled);
  EXPECT_LT(held.time_s, 4);
  EXPECT_EQ(drive(90, kTurningMotion, 1, 0).state, Motion::State::stalled);
}

}  // namespace
}  // namespace forerun::kenaf
