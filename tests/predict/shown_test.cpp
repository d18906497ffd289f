#include "forerun/predict/shown.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forerun/base/random.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

constexpr double kFrame = 1.0 / 60;
constexpr double kRadius = 0.25;

// The hall's wall, x from 5.9 to 6.1 and y up to 4, and its outer walls, from the geometry and not from the grid.
bool is_in_wall(Vec2 p) {
  const bool inside_wall = p.x > 5.9 && p.x < 6.1 && p.y < 4;
  return inside_wall || p.x < 0 || p.x > 12 || p.y < 0 || p.y > 6;
}

bool crosses_wall(Vec2 a, Vec2 b) {
  for (int i = 0; i <= 50; ++i) {
    if (is_in_wall(a + (b - a) * (i / 50.0))) return true;
  }
  return false;
}

struct Stage {
  explicit Stage(const ShownParams& p = {}) : params(p), shown(plan(), kRadius, p) {}

  static const navigate::PlanningModel& plan() {
    static const auto model = navigate::make_planning_model(make_hall(), make_hall_robot());
    return *model;
  }

  // One frame, with all that must hold of every frame.
  Shown update(const robot::State& estimate, double dt = kFrame) {
    const Shown now = shown.update(estimate, dt);
    if (seen && !now.jumped) {
      const double step = distance(last.pose.position(), now.pose.position());
      const double turn = std::fabs(normalize_angle(now.pose.theta - last.pose.theta));
      const double own = length(Vec2{estimate_before.velocity.vx, estimate_before.velocity.vy}) * dt;
      EXPECT_LE(step, std::max(std::min(params.max_step_m, params.glide_mps * dt), 2 * own) + 1e-9);
      const double own_turn = std::fabs(estimate_before.velocity.w) * dt;
      EXPECT_LE(turn, std::max(std::min(params.max_turn_rad, params.swing_radps * dt), 2 * own_turn) + 1e-9);
      if (!off_plan) {
        EXPECT_FALSE(crosses_wall(last.pose.position(), now.pose.position()))
            << now.pose.x << ", " << now.pose.y << " from " << last.pose.x << ", " << last.pose.y;
      }
    }
    EXPECT_TRUE(now.on_plan || off_plan);
    if (seen && now.jumped) {
      EXPECT_EQ(now.presence, 0);
      ++jumps;
    }
    EXPECT_NEAR(now.behind, distance(now.pose.position(), estimate.pose.position()), 1e-12);
    seen = true;
    last = now;
    estimate_before = estimate;
    return now;
  }
  Shown hold(const Pose2& pose, double seconds) {
    for (double t = 0; t < seconds - 1e-9; t += kFrame) update({pose, {}});
    return last;
  }

  ShownParams params;
  ShownRobot shown;
  Shown last;
  robot::State estimate_before;
  bool seen = false;
  bool off_plan = false;  // this test goes where the plan is wrong
  int jumps = 0;
};

robot::State drive(const robot::State& state, double dt) {
  return {robot::move(state.pose, state.velocity, dt), state.velocity};
}

TEST(ShownRobot, ShowsTheFirstEstimateAtOnce) {
  Stage stage;
  const Shown first = stage.update({{2, 3, 1}, {}});
  EXPECT_TRUE(first.jumped);
  EXPECT_EQ(first.presence, 1);
  EXPECT_EQ(first.pose, (Pose2{2, 3, 1}));
  stage.shown.reset();
  stage.seen = false;
  const Shown again = stage.update({{10, 3, -1}, {}});
  EXPECT_EQ(again.pose, (Pose2{10, 3, -1}));
  EXPECT_EQ(again.presence, 1);
}

TEST(ShownRobot, IsExactlyWhereAnEstimateWithoutCorrectionsIs) {
  Stage stage;
  robot::State estimate{{2, 3, 0}, {0.5, 0, 0.4}};
  for (int i = 0; i < 600; ++i, estimate = drive(estimate, kFrame)) {
    const Shown now = stage.update(estimate);
    EXPECT_LT(now.behind, 1e-9);
    EXPECT_EQ(now.presence, 1);
    EXPECT_LT(std::fabs(normalize_angle(now.pose.theta - estimate.pose.theta)), 1e-9);
  }
  EXPECT_EQ(stage.jumps, 0);
}

TEST(ShownRobot, ConvergesInTimeWhileTheRobotStands) {
  for (double off = 0.015; off < 4; off *= 1.3) {
    Stage stage;
    stage.hold({1, 3, 0}, 1);
    const Pose2 corrected{1 + off, 3, std::min(off, 2.0)};
    stage.update({corrected, {}});
    EXPECT_GT(stage.last.behind, 0.2 * off);  // not at once
    stage.hold(corrected, stage.params.converge_s - kFrame);
    EXPECT_LT(stage.last.behind, 1e-9) << off;
    EXPECT_LT(std::fabs(normalize_angle(stage.last.pose.theta - corrected.theta)), 1e-9) << off;
    EXPECT_EQ(stage.last.presence, 1) << off;
    EXPECT_EQ(stage.jumps, off > 1.06 ? 1 : 0) << off;
  }
}

TEST(ShownRobot, ConvergesInTimeWhileTheRobotDrives) {
  Random random(3, 1);
  for (int i = 0; i < 300; ++i) {
    Stage stage;
    robot::State estimate{{3, 3, random.uniform(-kPi, kPi)}, {random.uniform(0, 0.8), 0, random.uniform(-1, 1)}};
    const double off = random.uniform(0, 1.5), towards = random.uniform(-kPi, kPi);
    for (int f = 0; f < 20; ++f, estimate = drive(estimate, kFrame)) stage.update(estimate);
    const Vec2 moved = estimate.pose.position() + unit_vector(towards) * off;
    estimate.pose = {moved.x, moved.y, estimate.pose.theta + random.uniform(-1, 1)};
    for (double t = 0; t < stage.params.converge_s - 1e-9; t += kFrame, estimate = drive(estimate, kFrame)) {
      stage.update(estimate);
    }
    EXPECT_LT(stage.last.behind, 1e-6) << i;
    if (off < 0.8) {
      EXPECT_EQ(stage.jumps, 0) << i;
    }
  }
}

TEST(ShownRobot, MovesWithTheRobotWhileItIsCorrected) {
  Stage stage;
  robot::State estimate{{2, 3, 0}, {0.5, 0, 0}};
  for (int f = 0; f < 20; ++f, estimate = drive(estimate, kFrame)) stage.update(estimate);
  estimate.pose.y += 0.3;
  for (int f = 0; f < 40; ++f, estimate = drive(estimate, kFrame)) {
    stage.update(estimate);
    EXPECT_NEAR(stage.last.pose.x, estimate.pose.x, 1e-9);  // a correction to the side costs nothing ahead
  }
}

// Any estimate, any frame rate: the checks are those of every frame.
TEST(ShownRobot, KeepsItsLimitsWhateverTheEstimateDoes) {
  Random random(7, 1);
  Stage stage;
  robot::State estimate{{3, 3, 0}, {}};
  double since_correction = 0;
  for (int i = 0; i < 60'000; ++i) {
    const double dt = random.uniform(0.004, i % 50 == 0 ? 0.3 : 0.05);
    estimate = drive(estimate, dt);
    since_correction += dt;
    const double chance = random.uniform(0, 1);
    if (chance < 0.02) {
      const double size = chance < 0.004 ? 5 : 0.6;
      estimate.pose = {clamp(estimate.pose.x + random.uniform(-size, size), 0.2, 11.8),
                       clamp(estimate.pose.y + random.uniform(-size, size), 0.2, 5.8),
                       estimate.pose.theta + random.uniform(-2, 2)};
      estimate.velocity = {random.uniform(-0.2, 0.8), 0, random.uniform(-1, 1)};
      since_correction = 0;
    }
    estimate.pose.theta = normalize_angle(estimate.pose.theta);
    // turns back at the walls: a correction too
    if (estimate.pose.x < 0.3 || estimate.pose.x > 11.7 || estimate.pose.y < 0.3 || estimate.pose.y > 5.7) {
      estimate.pose = {clamp(estimate.pose.x, 0.4, 11.6), clamp(estimate.pose.y, 0.4, 5.6), estimate.pose.theta + kPi};
      since_correction = 0;
    }
    if (!stage.plan().grid.is_free(stage.plan().grid.frame().cell_of(estimate.pose.position()))) since_correction = 0;
    stage.update(estimate, dt);
    EXPECT_FALSE(is_in_wall(stage.last.pose.position()));
    // the frame that ends the time may be a long one
    if (since_correction > stage.params.converge_s + 0.35) {
      EXPECT_LT(stage.last.behind, 1e-6) << i;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(stage.jumps, 20);
}

TEST(ShownRobot, FadesToTheOtherSideOfAWall) {
  Stage stage;
  const Pose2 west{5.6, 1, 0}, east{6.4, 1, 0};
  stage.hold(west, 1);
  int half_visible = 0;
  for (double t = 0; t < stage.params.converge_s; t += kFrame) {
    const Shown now = stage.update({east, {}});
    if (now.presence > 0 && now.presence < 1) ++half_visible;
    EXPECT_TRUE(now.pose == west || now.pose == east);
  }
  EXPECT_GT(half_visible, 10);
  EXPECT_EQ(stage.last.pose, east);
  EXPECT_EQ(stage.last.presence, 1);
  EXPECT_EQ(stage.jumps, 1);
}

TEST(ShownRobot, GoesRoundTheEndOfAWallWhenThereIsTime) {
  ShownParams params;
  params.converge_s = 1;
  for (double y = 3.5; y < 4.3; y += 0.05) {
    Stage stage(params);
    const Pose2 west{5.6, y, 0}, east{6.4, y, 0};
    stage.hold(west, 1);
    double highest = y;
    for (double t = 0; t < params.converge_s; t += kFrame) {
      stage.update({east, {}});
      highest = std::max(highest, stage.last.pose.y);
    }
    EXPECT_EQ(stage.jumps, 0) << y;
    EXPECT_LT(stage.last.behind, 1e-9) << y;
    EXPECT_GE(highest, 4.1) << y;  // the body, too, keeps clear of the wall's end
  }
}

TEST(ShownRobot, StandsBesideAWallThatTheEstimateIsIn) {
  Stage stage;
  stage.hold({5.5, 1, 0}, 1);
  for (double x = 5.5; x < 6.03; x += 0.004) {
    stage.update({{x, 1, 0}, {0.24, 0, 0}});
    EXPECT_LT(stage.last.pose.x, 5.9);
  }
  stage.hold({6.03, 1, 0}, 1);  // a little nearer to the other side
  EXPECT_LT(stage.last.pose.x, 5.9);
  EXPECT_EQ(stage.jumps, 0);  // no flicker between the two sides
  EXPECT_GT(stage.last.behind, 0.1);
  stage.hold({6.3, 1, 0}, 1);
  EXPECT_EQ(stage.jumps, 1);
  EXPECT_LT(stage.last.behind, 1e-9);
}

TEST(ShownRobot, BelievesAnEstimateFarOffThePlan) {
  Stage stage;
  stage.off_plan = true;
  stage.hold({1, 1, 0}, 1);
  stage.hold({-3, 1, 0}, 1);
  EXPECT_FALSE(stage.last.on_plan);
  EXPECT_EQ(stage.last.pose, (Pose2{-3, 1, 0}));
  stage.hold({-3.2, 1, 0}, 1);
  EXPECT_EQ(stage.last.pose, (Pose2{-3.2, 1, 0}));
  EXPECT_EQ(stage.jumps, 1);
  stage.hold({2, 1, 0}, 1);
  EXPECT_TRUE(stage.last.on_plan);
  EXPECT_EQ(stage.last.pose, (Pose2{2, 1, 0}));
}

TEST(ShownRobot, AllocatesNothing) {
  Stage::plan();
  ShownRobot shown(Stage::plan(), kRadius);
  const AllocationCounter allocations;
  for (int i = 0; i < 600; ++i) {
    const double x = i / 100 % 2 == 0 ? 5.6 : 6.4;
    static_cast<void>(shown.update({{x, 3.9, 0}, {}}, kFrame));
    static_cast<void>(shown.update({{x, 3.9 + 0.001 * i, 0}, {}}, kFrame));
  }
  EXPECT_EQ(allocations.count(), 0U);
}

}  // namespace
}  // namespace forerun::predict
