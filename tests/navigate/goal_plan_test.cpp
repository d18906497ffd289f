// Plans that are kept are as good as new ones.
#include "forerun/navigate/goal_plan.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/navigate/planning_twins.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::navigate {
namespace {

class GoalPlanTest : public testing::Test {
 protected:
  GoalPlanTest()
      : random_(11, 4),
        free_(random_grid(40, 30, 0.25, random_)),
        factors_(random_factors(free_.frame(), false, random_)),
        grid_(free_, &factors_) {}

  Vec2 random_goal() { return grid_.frame().center(random_free_cell(free_, random_)); }

  // Every cell, bit for bit.
  void expect_as_new(const GoalPlan& plan, Vec2 goal) {
    ValueFunction fresh(grid_.frame());
    ASSERT_TRUE(fresh.plan(grid_, grid_.frame().cell_of(goal)));
    for (int y = 0; y < grid_.frame().height; ++y) {
      for (int x = 0; x < grid_.frame().width; ++x) {
        ASSERT_EQ(plan.values().value({x, y}), fresh.value({x, y})) << x << ", " << y;
      }
    }
  }

  Random random_;
  world::FreeGrid free_;
  Grid<float> factors_;
  PlanningGrid grid_;
};

TEST_F(GoalPlanTest, GivesTheValuesOfANewPlanWhateverWasAskedBefore) {
  for (const std::size_t n_goals : {0u, 1u, 2u, 3u, 7u}) {
    GoalPlan plan(grid_, n_goals);
    std::vector<Vec2> goals;
    for (int i = 0; i < 5; ++i) goals.push_back(random_goal());
    for (int i = 0; i < 60; ++i) {
      const Vec2 goal = goals[random_.below(goals.size())];
      ASSERT_TRUE(plan.lead_to(grid_, goal));
      expect_as_new(plan, goal);
    }
  }
}

// Planning anew shows: a grid that has changed meanwhile gives other values, a plan that was kept does not.
TEST_F(GoalPlanTest, TheGoalThatWasNotAskedForLongestGivesWay) {
  const Vec2 a = random_goal(), b = random_goal(), c = random_goal();
  const PlanningGrid other(world::FreeGrid(free_.frame(), 1));
  const auto is_kept = [&](GoalPlan plan, Vec2 goal) {
    plan.lead_to(other, goal);
    ValueFunction fresh(grid_.frame());
    fresh.plan(grid_, grid_.frame().cell_of(goal));
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const Cell cell = free_.frame().cell_at(i);
      if (plan.values().value(cell) != fresh.value(cell)) return false;
    }
    return true;
  };
  GoalPlan plan(grid_, 2);
  for (const Vec2 goal : {a, b, a, c}) plan.lead_to(grid_, goal);
  EXPECT_TRUE(is_kept(plan, a));
  EXPECT_TRUE(is_kept(plan, c));
  EXPECT_FALSE(is_kept(plan, b));
}

TEST_F(GoalPlanTest, RefusesGoalsWhereNoRobotCanStandEachTime) {
  GoalPlan plan(grid_, 2);
  std::size_t taken = 0;
  while (free_[taken] != 0) ++taken;
  const Vec2 wall = grid_.frame().center(grid_.frame().cell_at(taken));
  const Vec2 goal = random_goal();
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(plan.lead_to(grid_, wall));
    EXPECT_FALSE(plan.values().is_reachable(grid_.frame().cell_of(goal)));
    EXPECT_FALSE(plan.lead_to(grid_, {-100, 3}));
    EXPECT_TRUE(plan.lead_to(grid_, goal));
    expect_as_new(plan, goal);
  }
}

TEST_F(GoalPlanTest, PlansWithoutAllocating) {
  GoalPlan plan(grid_, 3);
  std::vector<Vec2> goals;
  for (int i = 0; i < 6; ++i) goals.push_back(random_goal());
  const AllocationCounter counter;
  for (const Vec2 goal : goals) EXPECT_TRUE(plan.lead_to(grid_, goal));
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
