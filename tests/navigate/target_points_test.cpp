#include "forerun/navigate/target_points.hpp"

#include <gtest/gtest.h>

#include "forerun/navigate/path.hpp"
#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

constexpr double kCell = 0.05;
constexpr double kRadius = 0.35;  // of the robot, with its margin [m]

// A floor plan in metres with all that planning needs.
struct FloorPlan {
  explicit FloorPlan(Vec2 size)
      : free(GridFrame{static_cast<int>(size.x / kCell), static_cast<int>(size.y / kCell), kCell, {}}, 1) {}

  void block(Vec2 low, Vec2 high) {
    for (std::size_t i = 0; i < free.size(); ++i) {
      const Vec2 c = free.frame().center(free.frame().cell_at(i));
      if (c.x > low.x && c.x < high.x && c.y > low.y && c.y < high.y) free[i] = 0;
    }
  }
  world::FreeGrid free;
};

class Planner {
 public:
  Planner(const FloorPlan& plan, Vec2 goal, bool clearance_cost)
      : clearance_(world::clearance(plan.free)),
        factors_(clearance_factors(clearance_, {.distance = 0.8, .extra = 3})),
        grid_(world::inflate(plan.free, kRadius), clearance_cost ? &factors_ : nullptr),
        values_(plan.free.frame()) {
    EXPECT_TRUE(values_.plan(grid_, grid_.frame().cell_of(goal)));
  }

  [[nodiscard]] TargetPoints targets(Vec2 position, const TargetParams& params = {}) const {
    return target_points(values_, grid_, clearance_, position, params);
  }
  [[nodiscard]] const PlanningGrid& grid() const { return grid_; }
  [[nodiscard]] const ValueFunction& values() const { return values_; }
  [[nodiscard]] double clearance(Vec2 p) const {
    return static_cast<double>(clearance_[clearance_.frame().cell_of(p)]);
  }

 private:
  Grid<float> clearance_;
  Grid<float> factors_;
  PlanningGrid grid_;
  ValueFunction values_;
};

TEST(TargetPoints, InTheOpenAreFarAheadAndEndAtTheGoal) {
  const Planner planner(FloorPlan({12, 6}), {10.5, 3}, false);
  const TargetPoints targets = planner.targets({1.5, 3});
  ASSERT_EQ(targets.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double step = distance(i == 0 ? Vec2{1.5, 3} : targets[i - 1], targets[i]);
    EXPECT_GT(step, 2.8);
    EXPECT_LE(step, 3.0);
  }
  EXPECT_LT(distance(targets.back(), {10.5, 3}), kCell);
}

TEST(TargetPoints, GoStraightToAGoalInSight) {
  const Planner planner(FloorPlan({6, 6}), {3, 3}, true);
  const TargetPoints targets = planner.targets({2, 1.5});
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_LT(distance(targets[0], {3, 3}), kCell);
}

TEST(TargetPoints, AreTheGoalAtTheGoal) {
  const Planner planner(FloorPlan({6, 6}), {3, 3}, true);
  ASSERT_EQ(planner.targets({3.01, 3.01}).size(), 1u);
}

TEST(TargetPoints, AreEmptyWhereThereIsNoWay) {
  FloorPlan plan({6, 4});
  plan.block({3, 0}, {3.2, 4});
  const Planner planner(plan, {1, 2}, false);
  EXPECT_TRUE(planner.targets({5, 2}).empty());
  EXPECT_TRUE(planner.targets({-5, 2}).empty());
}

TEST(TargetPoints, AreAsManyAsWanted) {
  const Planner planner(FloorPlan({12, 6}), {10.5, 3}, false);
  EXPECT_EQ(planner.targets({1.5, 3}, {.max_points = 2}).size(), 2u);
  EXPECT_EQ(planner.targets({1.5, 3}, {.max_distance = 0.3, .min_distance = 0.1}).size(), kMaxTargets);
}

TEST(TargetPoints, ARobotThatIsTooNearToAWallStillGetsTargets) {
  const Planner planner(FloorPlan({6, 4}), {5, 2}, true);
  const TargetPoints targets = planner.targets({1, 0.2});
  ASSERT_FALSE(targets.empty());
  EXPECT_GT(targets[0].x, 1.5);
}

// Two rooms of 5 m × 6 m side by side; a door of 1 m between them, in the middle of the wall at x = 5.
FloorPlan two_rooms() {
  FloorPlan plan({10, 6});
  plan.block({4.9, 0}, {5.1, 2.5});
  plan.block({4.9, 3.5}, {5.1, 6});
  return plan;
}

TEST(TargetPoints, CrossADoorwayNearItsAxisTowardsTheOpen) {
  const Planner planner(two_rooms(), {9, 1}, true);
  for (double x = 0.5; x < 4; x += 0.25) {
    for (double y = 0.5; y < 5.5; y += 0.25) {
      Vec2 before{x, y};
      for (const Vec2 target : planner.targets(before)) {
        if (before.x < 5 && target.x > 5) {
          // the robot's centre has 15 cm to each side of the axis
          const double crossing = before.y + (target.y - before.y) * (5 - before.x) / (target.x - before.x);
          EXPECT_NEAR(crossing, 3, 0.075) << "from " << x << ", " << y;
          EXPECT_GT(target.x, 5.3) << "from " << x << ", " << y;
        }
        before = target;
      }
      EXPECT_GT(before.x, 5);
    }
  }
}

TEST(TargetPoints, MoveAwayFromAWallThatTheShortestPathHugs) {
  const Planner planner(FloorPlan({12, 4}), {11, 0.4}, false);
  const TargetPoints targets = planner.targets({1, 0.4});
  ASSERT_GE(targets.size(), 4u);
  for (std::size_t i = 0; i + 1 < targets.size(); ++i) EXPECT_GE(planner.clearance(targets[i]), 0.55);
}

TEST(TargetPoints, PreferTheOpenToANarrowPlace) {
  // a corridor of 6 m with room for the robot only, and a bay in its middle
  FloorPlan plan({8, 4});
  plan.block({1, 0}, {7, 1.6});
  plan.block({1, 2.4}, {7, 4});
  FloorPlan with_bay({8, 4});
  with_bay.block({1, 0}, {3, 1.6});
  with_bay.block({5, 0}, {7, 1.6});
  with_bay.block({1, 2.4}, {3, 4});
  with_bay.block({5, 2.4}, {7, 4});
  const TargetParams params{.max_distance = 3.2};
  EXPECT_GT(Planner(plan, {7.5, 2}, true).targets({2, 2}, params)[0].x, 5.0);
  EXPECT_LT(Planner(with_bay, {7.5, 2}, true).targets({2, 2}, params)[0].x, 4.8);
}

// Blocks of random size and place, away from the goal.
FloorPlan cluttered(Random& random, Vec2 goal) {
  FloorPlan plan({9, 7});
  for (int i = 0; i < 9; ++i) {
    const Vec2 low{random.uniform(0, 8.5), random.uniform(0, 6.5)};
    const Vec2 high = low + Vec2{random.uniform(0.1, 1.5), random.uniform(0.1, 1.5)};
    const bool on_goal = goal.x > low.x - 0.5 && goal.x < high.x + 0.5 && goal.y > low.y - 0.5 && goal.y < high.y + 0.5;
    if (!on_goal) plan.block(low, high);
  }
  return plan;
}

TEST(TargetPoints, EachIsInSightOfTheOneBefore) {
  Random random(51);
  int n_long = 0;
  for (int i = 0; i < 12; ++i) {
    const Vec2 goal{random.uniform(1, 8), random.uniform(1, 6)};
    const Planner planner(cluttered(random, goal), goal, i % 2 == 0);
    for (int k = 0; k < 20; ++k) {
      Vec2 before{random.uniform(0.5, 8.5), random.uniform(0.5, 6.5)};
      if (!planner.values().is_reachable(planner.grid().frame().cell_of(before))) continue;
      const TargetPoints targets = planner.targets(before);
      ASSERT_FALSE(targets.empty());
      if (targets.size() > 2) ++n_long;
      for (const Vec2 target : targets) {
        EXPECT_TRUE(line_is_free(planner.grid(), before, target));
        before = target;
      }
      EXPECT_TRUE(targets.full() || distance(targets.back(), goal) < kCell);
    }
  }
  EXPECT_GT(n_long, 30);
}

TEST(TargetPoints, FollowingTheFirstOneLeadsToTheGoalOnAShortWay) {
  Random random(52);
  constexpr double kStep = 0.04;
  for (int i = 0; i < 10; ++i) {
    const Vec2 goal{random.uniform(1, 8), random.uniform(1, 6)};
    const Planner planner(cluttered(random, goal), goal, i % 2 == 0);
    Vec2 robot{random.uniform(0.5, 8.5), random.uniform(0.5, 6.5)};
    if (!planner.values().is_reachable(planner.grid().frame().cell_of(robot))) continue;
    const double planned = path_length(path_from(planner.values(), planner.grid(), robot));
    double driven = 0;
    while (distance(robot, goal) > 2 * kStep && driven < 3 * planned + 1) {
      const Vec2 target = planner.targets(robot, {.max_points = 1})[0];
      robot = robot + (target - robot) * (kStep / std::max(kStep, distance(robot, target)));
      driven += kStep;
      ASSERT_TRUE(planner.grid().is_free(planner.grid().frame().cell_of(robot)));
    }
    EXPECT_LT(driven, 1.1 * planned + 0.3) << "plan " << i;
  }
}

}  // namespace
}  // namespace forerun::navigate
