// Two roads: the dynamic window that judges as few velocities as it can, four obstacles at a time, against one that
// judges them all, obstacle by obstacle. They agree to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/navigate/arc_field.hpp"
#include "forerun/navigate/dynamic_window.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::navigate {
namespace {

robot::Footprint disc(double radius) { return {.radius = radius, .corners = {}}; }

robot::Footprint forklift() {
  robot::Footprint f = disc(0);
  for (const Vec2 p : {Vec2{0.5, 0.3}, Vec2{-0.3, 0.3}, Vec2{-0.3, -0.3}, Vec2{0.5, -0.3}}) {
    f.corners.push_back(p);
    f.radius = std::max(f.radius, length(p));
  }
  return f;
}

// Walls, loose points and things that already touch.
std::vector<Vec2> random_scene(Random& random, double nearest) {
  std::vector<Vec2> points;
  const int n = static_cast<int>(random.below(120));
  for (int i = 0; i < n; ++i) points.push_back(unit_vector(random.uniform(-4, 4)) * random.uniform(nearest, 3));
  const int n_walls = static_cast<int>(random.below(4));
  for (int w = 0; w < n_walls; ++w) {
    const Vec2 across = unit_vector(random.uniform(-4, 4));
    const double away = random.uniform(nearest, 2);
    for (double t = -2; t <= 2; t += 0.05) points.push_back(across * away + left_normal(across) * t);
  }
  return points;
}

double plain_free_arc(const robot::Footprint& footprint, double curvature, const ObstacleField& obstacles,
                      double limit) {
  double shortest = limit;
  for (const Obstacle& o : obstacles.nearest_first())
    shortest = std::min(shortest, robot::arc_to_contact(footprint, curvature, o.point_in_robot));
  return shortest;
}

// What the dynamic window is, written down in the plainest way.
struct PlainWindow {
  robot::Footprint footprint;  // widened
  robot::Limits limits;
  robot::Control control;
  double standing;

  [[nodiscard]] double heading(const Candidate& c, const Aim& aim) const {
    const Pose2 after = robot::move({}, {c.v, 0, c.w}, control.period);
    const double faced = after.theta + c.w * std::fabs(c.w) / (2 * limits.turn_deceleration);
    const double off = normalize_angle(angle_of(aim.target_in_robot - after.position()) - faced);
    return 1 - std::fabs(off) / kPi;
  }

  [[nodiscard]] bool admissible(const Candidate& c, const ObstacleField& obstacles) const {
    const double delay = control.period + control.motor_lag;
    if (!(c.v > standing)) {
      const double free = free_turn(footprint, c.w, obstacles);
      return std::fabs(c.w) <= stoppable_speed(free, limits.turn_deceleration, delay);
    }
    if (c.v > stoppable_speed(c.distance, 0.85 * limits.deceleration, delay)) return false;
    return std::fabs(c.w) <= stoppable_speed(c.distance * std::fabs(c.w) / c.v, limits.turn_deceleration, delay);
  }

  // Judges all that the window listed, as if none had been judged.
  void judge(Candidates& all, const Aim& aim, const ObstacleField& obstacles) const {
    const bool only_turning = all.back().v <= standing;
    for (Candidate& c : all) {
      const double curvature = c.w / std::max(c.v, 0.1 * limits.max_speed);
      c.distance =
          only_turning ? control.distance_cap : plain_free_arc(footprint, curvature, obstacles, control.distance_cap);
      c.admissible = admissible(c, obstacles);
      c.score = control.heading_weight * heading(c, aim) + control.distance_weight * c.distance / control.distance_cap +
                control.velocity_weight * c.v / limits.max_speed;
    }
  }

  [[nodiscard]] double smoothed(const Candidates& all, int i, int j) const {
    const int n_v = control.speed_samples, n_w = control.turn_samples;
    double sum = 0;
    int count = 0;
    for (int a = std::max(0, i - 1); a <= std::min(n_v - 1, i + 1); ++a) {
      for (int b = std::max(0, j - 1); b <= std::min(n_w - 1, j + 1); ++b) {
        if (a == i && b == j) continue;
        const Candidate& neighbour = all[static_cast<std::size_t>(a * n_w + b)];
        if (neighbour.admissible) sum += neighbour.score;
        ++count;
      }
    }
    const Candidate& c = all[static_cast<std::size_t>(i * n_w + j)];
    return (1 - control.smoothing) * c.score + control.smoothing * sum / count;
  }

  // The first of the best; nothing where the robot can do nothing but recover.
  [[nodiscard]] std::optional<Candidate> best(const Candidates& all) const {
    std::optional<Candidate> chosen;
    double highest = -1;
    for (int i = 0; i < control.speed_samples; ++i) {
      for (int j = 0; j < control.turn_samples; ++j) {
        const Candidate& c = all[static_cast<std::size_t>(i * control.turn_samples + j)];
        if (!c.admissible || !(smoothed(all, i, j) > highest)) continue;
        highest = smoothed(all, i, j);
        chosen = c;
      }
    }
    return chosen;
  }
};

TEST(ArcField, SaysWhatEveryObstacleOnItsOwnSays) {
  Random random(31);
  const auto obstacles = std::make_unique<ObstacleField>();
  int n_stopped = 0;
  for (int i = 0; i < 400; ++i) {
    const robot::Footprint footprint = i % 4 == 0 ? forklift() : disc(random.uniform(0.05, 0.4));
    obstacles->update(random_scene(random, i % 3 == 0 ? 0.0 : footprint.radius));
    const double limit = random.uniform(0.1, 4);
    const auto field = std::make_unique<ArcField>(footprint, *obstacles, limit);
    for (int k = 0; k < 40; ++k) {
      // from straight on to nearly on the spot
      const double curvature = k == 0 ? 0 : (k % 2 == 0 ? 1 : -1) * exp(random.uniform(-23, 4));
      const double expected = plain_free_arc(footprint, curvature, *obstacles, limit);
      ASSERT_EQ(field->free_arc(curvature), expected) << "scene " << i << " curvature " << curvature;
      n_stopped += expected < limit ? 1 : 0;
    }
  }
  EXPECT_GT(n_stopped, 4000);
}

TEST(ArcField, HasRoomForAllObstacles) {
  const auto obstacles = std::make_unique<ObstacleField>();
  obstacles->update(std::vector<Vec2>(kMaxObstacles, {1.5, 0}));
  const robot::Footprint footprint = disc(0.25);
  const auto field = std::make_unique<ArcField>(footprint, *obstacles, 2);
  EXPECT_EQ(field->free_arc(0), 1.25);
}

TEST(DynamicWindow, ChoosesWhatJudgingEverythingChooses) {
  Random random(32);
  const auto obstacles = std::make_unique<ObstacleField>();
  const auto listed = std::make_unique<Candidates>();
  int n_judged = 0, n_listed = 0, n_chosen = 0;
  for (int i = 0; i < 1500; ++i) {
    robot::Control control;
    control.speed_samples = static_cast<int>(2 + random.below(8));
    control.turn_samples = static_cast<int>(3 + random.below(20));
    control.smoothing = random.below(4) == 0 ? 0 : random.uniform(0, 1);
    control.distance_weight = random.uniform(0, 2);
    const robot::Limits limits{};
    const robot::Footprint footprint = i % 5 == 0 ? forklift() : disc(0.27);
    const DynamicWindow window(footprint, limits, control);
    obstacles->update(random_scene(random, i % 3 == 0 ? 0.3 : 0.6));
    const robot::Twist velocity{random.uniform(0, limits.max_speed), 0, random.uniform(-1, 1)};
    const Aim aim{{random.uniform(-3, 4), random.uniform(-3, 3)}, random.below(2) == 0};
    int turn_side = 0;
    const Choice choice = window.choose(velocity, aim, *obstacles, turn_side, *listed);
    n_judged += static_cast<int>(std::count_if(listed->begin(), listed->end(), [](const auto& c) { return c.judged; }));
    n_listed += static_cast<int>(listed->size());

    const double standing = std::min({0.04, 0.4 * limits.acceleration * control.period, 0.4 * limits.max_speed});
    const PlainWindow plain{window.widened(*obstacles), limits, control, standing};
    plain.judge(*listed, aim, *obstacles);
    const auto expected = plain.best(*listed);
    const bool can_move =
        std::any_of(listed->begin(), listed->end(), [&](const Candidate& c) { return c.admissible && c.v > standing; });
    const bool recovers = choice.motion == Motion::recovery || choice.motion == Motion::braking;
    // one that need not turn but cannot move recovers; that much the window alone knows
    if (!expected) {
      EXPECT_TRUE(recovers) << i;
    }
    if (!expected || (recovers && !can_move)) continue;
    ASSERT_FALSE(recovers) << i;
    ASSERT_EQ(choice.command.vx, expected->v) << i;
    ASSERT_EQ(choice.command.w, expected->w) << i;
    ASSERT_EQ(choice.distance, expected->distance) << i;
    ++n_chosen;
  }
  EXPECT_GT(n_chosen, 700);
  EXPECT_LT(n_judged, 3 * n_listed / 4);  // far fewer where less is in the way
}

}  // namespace
}  // namespace forerun::navigate
