// Dead time and lag, measured while driving.
#include "forerun/estimate/latency_meter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/robot/motion.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::estimate {
namespace {

// motors without limits
constexpr robot::Limits kAnything{
    .acceleration = 1e6, .deceleration = 1e6, .turn_acceleration = 1e6, .turn_deceleration = 1e6};

struct Shape {
  double delay = 0, lag = 0, noise = 0, seconds = 60, rate = 25;
  bool turns = true;
  std::uint64_t seed = 1;
};

LatencyMeter drive(const Shape& shape) {
  constexpr double kStep = 0.001;
  Random random(shape.seed, 0);
  LatencyMeter meter(kAnything);
  std::vector<robot::Twist> history;
  robot::Twist command, velocity;
  double next_command = 0, next_measure = 0;
  for (int i = 0; i * kStep < shape.seconds; ++i) {
    const double time = i * kStep;
    if (time >= next_command) {
      command = {random.uniform(0, 0.5), 0, shape.turns ? random.uniform(-1, 1) : 0};
      meter.command(time, command);
      next_command += 0.1 * (1 + static_cast<double>(random.below(20)));
    }
    history.push_back(command);
    const int back = i - static_cast<int>(std::lround(shape.delay / kStep));
    const robot::Twist wanted = back >= 0 ? history[static_cast<std::size_t>(back)] : robot::Twist{};
    const double share = shape.lag > 0 ? 1 - std::exp(-kStep / shape.lag) : 1;
    velocity.vx += (wanted.vx - velocity.vx) * share;
    velocity.w += (wanted.w - velocity.w) * share;
    if (time < next_measure) continue;
    next_measure += 1 / shape.rate;
    meter.measure(time, {velocity.vx + shape.noise * random.normal(), 0, velocity.w + shape.noise * random.normal()});
  }
  return meter;
}

TEST(LatencyMeter, FindsDelayAndLag) {
  for (const auto& [delay, lag] :
       {std::pair{0.0, 0.1}, std::pair{0.12, 0.1}, std::pair{0.3, 0.0}, std::pair{0.45, 0.2}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto found = drive({.delay = delay, .lag = lag, .noise = 0.02, .seed = seed}).found();
      ASSERT_TRUE(found && found->forward && found->turn) << delay;
      for (const auto& axis : {*found->forward, *found->turn}) {
        // the two are hard to tell apart, their sum is not
        EXPECT_NEAR(axis.delay + axis.lag, delay + lag, 0.03) << seed;
        EXPECT_NEAR(axis.delay, delay, 0.05) << seed;
      }
    }
  }
}

TEST(LatencyMeter, WhatMotorsNeedToSpeedUpIsNoDeadTime) {
  const robot::Limits limits{.acceleration = 0.5, .deceleration = 0.5, .turn_acceleration = 1, .turn_deceleration = 1};
  LatencyMeter meter(limits);
  Random random(5, 0);
  robot::Twist command, velocity;
  for (int i = 0; i < 6000; ++i) {
    if (i % 100 == 0) command = {random.uniform(0, 0.5), 0, random.uniform(-1, 1)};
    meter.command(i * 0.01, command);
    meter.measure(i * 0.01, velocity);
    velocity = robot::approach(velocity, command, limits, 0.01);
  }
  const auto found = meter.found();
  ASSERT_TRUE(found && found->forward && found->turn);
  for (const auto& axis : {*found->forward, *found->turn}) {
    EXPECT_LT(axis.delay, 0.02);
    EXPECT_LE(axis.lag, 0.03);
  }
}

TEST(LatencyMeter, SaysNothingOfWhatWasNotShown) {
  EXPECT_FALSE(LatencyMeter(kAnything).found());
  EXPECT_FALSE(drive({.delay = 0.1, .seconds = 5}).found()) << "too short";
  const auto straight = drive({.delay = 0.1, .lag = 0.1, .turns = false}).found();
  ASSERT_TRUE(straight);
  EXPECT_TRUE(straight->forward);
  EXPECT_FALSE(straight->turn) << "it never turned";
}

TEST(LatencyMeter, SaysNothingWhereCommandsExplainNothing) {
  LatencyMeter meter(kAnything);
  Random random(4, 0);
  for (int i = 0; i < 3000; ++i) {
    meter.command(i * 0.02, {random.uniform(0, 0.5), 0, random.uniform(-1, 1)});
    meter.measure(i * 0.02, {random.uniform(0, 0.5), 0, random.uniform(-1, 1)});
  }
  EXPECT_FALSE(meter.found());
}

TEST(LatencyMeter, ForgetsWhatNobodyKnows) {
  LatencyMeter meter = drive({.delay = 0.2, .lag = 0.1});
  const auto before = meter.found();
  meter.pause();
  meter.command(500, {0.3, 0, 0});
  meter.measure(500, {0.3, 0, 0});
  const auto after = meter.found();
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(before->forward->delay, after->forward->delay, 0.01);
}

TEST(LatencyMeter, AllocatesNothing) {
  LatencyMeter meter(kAnything);
  AllocationCounter counter;
  for (int i = 0; i < 600; ++i) {
    meter.command(i * 0.05, {0.1 * (i % 5), 0, 0.2 * (i % 3)});
    meter.measure(i * 0.05, {0.1 * (i % 5), 0, 0.2 * (i % 3)});
  }
  (void)meter.found();
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace forerun::estimate
