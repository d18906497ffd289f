#include "forerun/navigate/dynamic_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/robot/motion.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::navigate {
namespace {

const robot::Footprint kDisc{.radius = 0.27, .corners = {}};
const robot::Limits kLimits{};
const robot::Control kControl{};

// A window with its scratch memory.
struct Driver {
  DynamicWindow window{kDisc, kLimits, kControl};
  std::unique_ptr<ObstacleField> obstacles = std::make_unique<ObstacleField>();
  std::unique_ptr<Candidates> candidates = std::make_unique<Candidates>();
  int turn_side = 0;

  Choice choose(const robot::Twist& velocity, const Aim& aim, const std::vector<Vec2>& points) {
    obstacles->update(points);
    return window.choose(velocity, aim, *obstacles, turn_side, *candidates);
  }
};

std::vector<Vec2> wall_ahead(double x) {
  std::vector<Vec2> points;
  for (double y = -3; y <= 3; y += 0.02) points.push_back({x, y});
  return points;
}

TEST(DynamicWindow, SpeedsUpStraightTowardsAFreeTarget) {
  Driver driver;
  const Choice choice = driver.choose({}, {{5, 0}, false}, {});
  EXPECT_EQ(choice.motion, Motion::forward);
  EXPECT_DOUBLE_EQ(choice.command.vx, kLimits.acceleration * kControl.period);
  EXPECT_EQ(choice.command.w, 0);
}

TEST(DynamicWindow, StaysWithinTheReachableVelocities) {
  Driver driver;
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const robot::Twist now{random.uniform(0, kLimits.max_speed), 0, random.uniform(-1, 1)};
    std::vector<Vec2> points;
    for (int k = 0; k < 30; ++k) points.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
    driver.choose(now, {{random.uniform(-4, 4), random.uniform(-4, 4)}, i % 2 == 0}, points);
    for (const Candidate& c : *driver.candidates) {
      EXPECT_GE(c.v, 0);
      EXPECT_LE(c.v, kLimits.max_speed + 1e-12);
      EXPECT_LE(c.v, now.vx + kLimits.acceleration * kControl.period + 1e-12);
      EXPECT_GE(c.v, now.vx - kLimits.deceleration * kControl.period - 1e-12);
      EXPECT_LE(std::fabs(c.w), kLimits.max_turn_rate + 1e-12);
      EXPECT_LE(std::fabs(c.w - now.w), kLimits.turn_acceleration * kControl.period + 1e-12);
    }
  }
}

TEST(DynamicWindow, FreeArcIsTheShortestOfAllObstacles) {
  // two roads: the pruned search and every obstacle on its own
  Driver driver;
  Random random(6);
  const robot::Footprint wide = robot::widen(kDisc, kControl.margin);
  for (int i = 0; i < 500; ++i) {
    std::vector<Vec2> points;
    for (int k = 0; k < 40; ++k) points.push_back({random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)});
    driver.obstacles->update(points);
    const double v = random.uniform(0.02, 0.5), w = i % 7 == 0 ? 0 : random.uniform(-1, 1);
    double shortest = kControl.distance_cap;
    for (const Vec2 p : points) shortest = std::min(shortest, robot::arc_to_contact(wide, w / v, p));
    EXPECT_EQ(driver.window.free_arc(wide, v, w, *driver.obstacles), shortest);
  }
}

TEST(DynamicWindow, NeverTakesAVelocityItCannotStopFrom) {
  // drive at a wall with the target behind it: the body, one lag late, never touches
  Driver driver;
  robot::State state;
  const double wall = 4;
  for (int decision = 0; decision < 120; ++decision) {
    std::vector<Vec2> points;
    for (double y = -3; y <= 3; y += 0.02) points.push_back(Transform2(state.pose).to_local({wall, y}));
    const Vec2 target = Transform2(state.pose).to_local({8, 0});
    const Choice choice = driver.choose(state.velocity, {target, false}, points);
    for (int i = 0; i < 25; ++i) {
      state.velocity = robot::approach(state.velocity, choice.command, kLimits, 0.01);
      state.pose = robot::move(state.pose, state.velocity, 0.01);
      ASSERT_LE(state.pose.x + kDisc.radius, wall) << "decision " << decision;
    }
  }
  EXPECT_GT(state.pose.x, 2.5);  // it came close, though
}

TEST(DynamicWindow, StopsAtTheLastTarget) {
  Driver driver;
  robot::State state;
  const Vec2 goal{3, 1};
  bool arrived = false;
  for (int decision = 0; decision < 100; ++decision) {
    const Vec2 target = Transform2(state.pose).to_local(goal);
    arrived = arrived || length(target) < kControl.goal_tolerance;
    const robot::Twist command = arrived ? robot::Twist{} : driver.choose(state.velocity, {target, true}, {}).command;
    for (int i = 0; i < 25; ++i) {
      state.velocity = robot::approach(state.velocity, command, kLimits, 0.01);
      state.pose = robot::move(state.pose, state.velocity, 0.01);
    }
  }
  EXPECT_TRUE(arrived);
  EXPECT_EQ(state.velocity, robot::Twist{});
  EXPECT_LT(distance(state.pose.position(), goal), kControl.goal_tolerance);
}

TEST(DynamicWindow, TurnsOnTheSpotToATargetBehind) {
  Driver driver;
  const Choice choice = driver.choose({}, {{-2, 0.5}, false}, {});
  EXPECT_EQ(choice.motion, Motion::turning);
  EXPECT_EQ(choice.command.vx, 0);
  EXPECT_GT(choice.command.w, 0.2);
}

constexpr double kSharpest = 0.8;  // of a car [1/m]

TEST(DynamicWindow, ACarIsNeverToldToTurnSharperThanItCan) {
  Driver driver;
  driver.window = DynamicWindow(kDisc, kLimits, kControl, kSharpest);
  Random random(6);
  int ahead = 0, back = 0;
  for (int i = 0; i < 400; ++i) {
    const double v = random.uniform(-0.1, kLimits.max_speed);
    const robot::Twist now{v, 0, std::fabs(v) * kSharpest * random.uniform(-1, 1)};
    std::vector<Vec2> points;
    for (int k = 0; k < 8; ++k) points.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
    const Choice choice = driver.choose(now, {{random.uniform(-4, 4), random.uniform(-4, 4)}, i % 2 == 0}, points);
    EXPECT_LE(std::fabs(choice.command.w), std::fabs(choice.command.vx) * kSharpest + 1e-12);
    for (const Candidate& c : *driver.candidates) EXPECT_LE(std::fabs(c.w), c.v * kSharpest + 1e-12);
    ahead += choice.command.vx > 0.04 ? 1 : 0;
    back += choice.command.vx < 0 ? 1 : 0;
  }
  EXPECT_GT(ahead, 100);
  EXPECT_GT(back, 5);
}

TEST(DynamicWindow, ACarBacksOffFromATargetThatItWouldCircle) {
  Driver driver;
  driver.window = DynamicWindow(kDisc, kLimits, kControl, kSharpest);
  EXPECT_LT(driver.choose({}, {{0, 1}, false}, {}).command.vx, 0);
  // it goes on until there is room to spare, and then ahead
  EXPECT_LT(driver.choose({}, {{1.3, 1}, false}, {}).command.vx, 0);
  EXPECT_GT(driver.choose({}, {{1.8, 1}, false}, {}).command.vx, 0);
  // with a wall behind there is no way but ahead
  EXPECT_GE(driver.choose({}, {{0, 1}, false}, {{-0.4, 0}}).command.vx, 0);
}

TEST(DynamicWindow, GoesRoundASmallObstacle) {
  Driver driver;
  std::vector<Vec2> box;
  for (double y = -0.2; y <= 0.2; y += 0.02) box.push_back({1.5, y});
  const Choice choice = driver.choose({0.3, 0, 0}, {{4, 0.3}, false}, box);
  EXPECT_EQ(choice.motion, Motion::forward);
  EXPECT_NE(choice.command.w, 0);
}

TEST(DynamicWindow, RecoversByTurningTowardsTheFreeSide) {
  Driver driver;
  std::vector<Vec2> points = wall_ahead(0.34);
  // closed to the right as well
  for (double x = -1; x <= 0.34; x += 0.02) points.push_back({x, -0.4});
  const Choice choice = driver.choose({}, {{3, 0}, false}, points);
  EXPECT_EQ(choice.motion, Motion::recovery);
  EXPECT_EQ(choice.command.vx, 0);
  EXPECT_GT(choice.command.w, 0);
  EXPECT_EQ(driver.turn_side, 1);
}

TEST(DynamicWindow, BrakesAsHardAsItCanWhenNothingIsSafe) {
  Driver driver;
  const Choice choice = driver.choose({0.5, 0, 0}, {{3, 0}, false}, wall_ahead(0.5));
  EXPECT_EQ(choice.motion, Motion::braking);
  EXPECT_DOUBLE_EQ(choice.command.vx, 0.5 - kLimits.deceleration * kControl.period);
}

TEST(DynamicWindow, LongFootprintDoesNotTurnIntoAPillar) {
  robot::Footprint plank{.radius = 0.63, .corners = {}};
  for (const Vec2 corner : {Vec2{0.6, 0.2}, {-0.6, 0.2}, {-0.6, -0.2}, {0.6, -0.2}}) plank.corners.push_back(corner);
  const auto obstacles = std::make_unique<ObstacleField>();
  EXPECT_EQ(free_turn(plank, 1, *obstacles), kInfinity);
  const std::vector<Vec2> pillar{{0.5, 0.35}};
  obstacles->update(pillar);
  EXPECT_LT(free_turn(plank, 1, *obstacles), 0.3);
}

TEST(StoppableSpeed, CountsTheTravelBeforeBraking) {
  const double a = 0.5, T = 0.25, d = 1.2;
  const double v = stoppable_speed(d, a, T);
  EXPECT_NEAR(v * T + v * v / (2 * a), d, 1e-12);
  EXPECT_EQ(stoppable_speed(0, a, T), 0);
}

TEST(DynamicWindow, AllocatesNothing) {
  Driver driver;
  driver.obstacles->update(wall_ahead(1.5));
  const AllocationCounter allocations;
  const Choice choice =
      driver.window.choose({0.3, 0, 0.1}, {{4, 0.3}, false}, *driver.obstacles, driver.turn_side, *driver.candidates);
  EXPECT_EQ(allocations.count(), 0u);
  EXPECT_GE(choice.distance, 0);
}

}  // namespace
}  // namespace forerun::navigate
