// Driving by hand over a second of delay each way, with every tenth message lost (BEY-10).
#include "tests/ahead/remote_hand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "forerun/predict/shown.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun {
namespace {

constexpr RemoteHand::Link kFar{.way_s = 1, .jitter_s = 0.03, .loss = 0.1, .reports_s = 0.5};
constexpr sim::Reality kLagging{.motor_lag = 0.1};  // as described, and else exact
constexpr double kBegins = 6;                       // when the first key goes down [s]

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One key, from the beginning on.
RemoteHand::Hand hold_until(double end, const robot::Twist& velocity) {
  return [=](double now) { return now >= kBegins && now < end ? velocity : robot::Twist{}; };
}

// Now and then a key, for a while, forwards and back, with bends: the hall is small.
class Driver {
 public:
  explicit Driver(std::uint64_t seed) : random_(seed, 5) {}
  robot::Twist operator()(double now) {
    if (now < kBegins) return {};
    if (now >= until_) {
      holds_ = !holds_;
      until_ = now + (holds_ ? random_.uniform(0.6, 3.0) : random_.uniform(0.3, 4.0));
      const double forward = random_.uniform() < 0.7 ? 0.3 : -0.3;
      if (holds_) velocity_ = {forward, 0, random_.uniform() < 0.5 ? 0 : random_.uniform(-0.6, 0.6)};
    }
    return holds_ ? velocity_ : robot::Twist{};
  }

 private:
  Random random_;
  double until_ = 0;
  bool holds_ = false;
  robot::Twist velocity_;
};

class RemoteHandTest : public testing::TestWithParam<sim::Reality> {};

TEST_P(RemoteHandTest, RegionsHoldTheRobotWhileItIsDrivenByHand) {
  int inside = 0, all = 0;
  double radius = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RemoteHand remote(kFar, GetParam(), seed);
    Driver driver(seed);
    remote.run(66, std::ref(driver), [&](double now) {
      const predict::Prediction said = remote.live().at(RemoteHand::at(now));
      if (now < kBegins || std::fabs(remote.truth().velocity.vx) < 0.02) return;
      inside += said.region95.contains(remote.truth().pose.position()) ? 1 : 0;
      radius += said.region95.radius();
      ++all;
    });
  }
  ASSERT_GT(all, 3000);
  EXPECT_GE(inside, 0.90 * all) << "mean radius " << radius / all;
  EXPECT_LT(radius, 0.2 * all) << "who says that it may be anywhere is always right";
}

TEST_P(RemoteHandTest, RestsWhereItWasSaidWhenTheKeyWasLetGo) {
  std::vector<double> errors;
  for (std::uint64_t seed = 1; seed <= 21; ++seed) {
    RemoteHand remote(kFar, GetParam(), seed);
    Pose2 said;
    remote.run(16, hold_until(9, {0.4, 0, 0.1}), [&](double now) {
      (void)remote.live().at(RemoteHand::at(now));
      if (now > 8.98 && now < 9.03) said = remote.live().landing()->rest;
    });
    errors.push_back(distance(said.position(), remote.truth().pose.position()));
  }
  EXPECT_LE(median(errors), 0.10);
  // what was lost of letting go is made good by the dead man's switch
  EXPECT_LE(*std::max_element(errors.begin(), errors.end()), 0.3);
}

TEST_P(RemoteHandTest, MovesWhenTheKeyGetsThereAndStopsWhenLettingGoDoes) {
  std::vector<double> starts, rests;
  for (std::uint64_t seed = 1; seed <= 11; ++seed) {
    RemoteHand remote(kFar, GetParam(), seed);
    double started = 0, moved = 0;
    remote.run(14, hold_until(9, {0.4, 0, 0}), [&](double now) {
      const predict::Prediction said = remote.live().at(RemoteHand::at(now));
      if (std::fabs(said.state.velocity.vx) < 0.05) return;
      if (started == 0) started = now;
      moved = now;
    });
    starts.push_back(started - kBegins);
    rests.push_back(moved - 9);
  }
  EXPECT_NEAR(median(starts), 1.15, 0.1);  // the way there, and a moment to come to speed
  EXPECT_NEAR(median(rests), 1.8, 0.15);   // the way there, and 0.8 s of braking
}

INSTANTIATE_TEST_SUITE_P(Realities, RemoteHandTest, testing::Values(sim::kNoisy, sim::kMismatched),
                         [](const auto& reality) { return std::string(reality.param.name); });

TEST(RemoteHand, SeesWhereItLandsAsSoonAsTheKeyIsDown) {
  RemoteHand remote(kFar, sim::kExact, 1);
  std::optional<ahead::Landing> before, after;
  remote.run(kBegins + 0.2, hold_until(20, {0.4, 0, 0}), [&](double now) {
    (void)remote.live().at(RemoteHand::at(now));
    if (now < kBegins - 0.01) before = remote.live().landing();
    if (now > kBegins + 0.11 && !after) after = remote.live().landing();
  });
  EXPECT_FALSE(before);
  ASSERT_TRUE(after);
  EXPECT_NEAR(to_seconds(after->lands) - kBegins, 1.13, 0.05);
  EXPECT_GT(after->rest.x, remote.truth().pose.x + 0.002);
  EXPECT_FALSE(after->meets_wall);
}

// A wall begins at x = 5.9.
TEST(RemoteHand, IsWarnedOfAWallBeforeItGetsThere) {
  RemoteHand remote(kFar, sim::kExact, 1);
  double warned = 0, met = 0;
  Pose2 contact;
  remote.run(24, hold_until(24, {0.5, 0, 0}), [&](double now) {
    const predict::Prediction said = remote.live().at(RemoteHand::at(now));
    EXPECT_LT(said.state.pose.x, 5.7);
    const auto landing = remote.live().landing();
    if (warned == 0 && landing && landing->meets_wall) {
      warned = now;
      contact = landing->contact;
    }
    if (met == 0 && remote.truth().pose.x > 5.62) met = now;
  });
  ASSERT_GT(met, 0);
  EXPECT_GT(met - warned, 1.5);
  EXPECT_NEAR(contact.x, remote.truth().pose.x, 0.05);
}

TEST(RemoteHand, WhatWasRefusedIsTakenOutSmoothly) {
  RemoteHand remote({.way_s = 1, .jitter_s = 0, .loss = 0, .reports_s = 0.5}, sim::kExact, 1);
  remote.obeys = false;
  const auto model = predict::make_replica_model(make_hall(), make_hall_robot());
  predict::ShownRobot shown(model->planning, make_hall_robot().footprint.radius);
  double farthest = 0, largest_step = 0;
  Vec2 last{1.5, 1.5};
  remote.run(14, hold_until(8, {0.4, 0, 0}), [&](double now) {
    if (now > 8.02 && now < 8.07) remote.live().settle(remote.hold(), ahead::Settled::refused);
    const predict::Shown here = shown.update(remote.live().at(RemoteHand::at(now)).state, 0.05);
    if (!here.jumped) largest_step = std::max(largest_step, distance(here.pose.position(), last));
    last = here.pose.position();
    farthest = std::max(farthest, last.x - 1.5);
  });
  EXPECT_GT(farthest, 0.1) << "until then nobody knew";
  EXPECT_LT(largest_step, 0.15);
  EXPECT_NEAR(last.x, 1.5, 0.01);
}

TEST(RemoteHand, AGoalIsDrivenToFromWhenItGetsThere) {
  RemoteHand remote({.way_s = 1, .jitter_s = 0, .loss = 0, .reports_s = 60}, kLagging, 1);
  const auto nobody = [](double) { return robot::Twist{}; };
  double error = 0, driven = 0;
  remote.run(2, nobody, [&](double now) { (void)remote.live().at(RemoteHand::at(now)); });
  const robot::Command goal{.kind = robot::CommandKind::goal, .goal = {4.5, 4.5}};
  remote.live().give({1, goal, RemoteHand::at(2), RemoteHand::at(3.1), 0.01, 0});
  remote.run(3.1, nobody,
             [&](double now) { EXPECT_LT(remote.live().at(RemoteHand::at(now)).state.velocity.vx, 0.01); });
  remote.outing().goal({4.5, 4.5});
  remote.run(9, nobody, [&](double now) {
    const predict::Prediction said = remote.live().at(RemoteHand::at(now));
    error = std::max(error, distance(said.state.pose.position(), remote.truth().pose.position()));
    driven = distance(remote.truth().pose.position(), {1.5, 1.5});
    EXPECT_TRUE(now < 3.11 || said.task == robot::TaskState::driving);
  });
  EXPECT_GT(driven, 1);
  EXPECT_LT(error, 0.15);
}

TEST(RemoteHand, AllocatesNothingWhileItDrives) {
  RemoteHand remote(kFar, sim::kNoisy, 1);
  const auto hand = hold_until(30, {0.3, 0, 0.2});
  const auto look = [&](double now) { (void)remote.live().at(RemoteHand::at(now)); };
  remote.run(8, hand, look);
  std::size_t n = 0;
  remote.run(12, hand, [&](double now) {
    const AllocationCounter counter;
    remote.live().give(
        {9, {robot::CommandKind::drive, {}, {0.3, 0, 0.2}}, RemoteHand::at(now), RemoteHand::at(now + 1), 0, 0});
    (void)remote.live().at(RemoteHand::at(now));
    (void)remote.live().landing();
    n += counter.count();
  });
  EXPECT_EQ(n, 0u);
}

}  // namespace
}  // namespace forerun
