#include "forerun/navigate/value_function.hpp"

#include <gtest/gtest.h>

#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

ValueFunction planned(const world::FreeGrid& free, Cell goal, const Grid<float>* factors = nullptr) {
  const PlanningGrid grid(free, factors);
  ValueFunction values(free.frame());
  values.plan(grid, goal);
  return values;
}

TEST(ValueFunction, IsZeroAtTheGoalAndGrowsByOneAndByRootTwo) {
  const ValueFunction values = planned(draw_grid("... ... ..."), {0, 0});
  EXPECT_EQ(values.value({0, 0}), 0);
  EXPECT_EQ(values.value({1, 0}), 1);
  EXPECT_EQ(values.value({2, 0}), 2);
  EXPECT_EQ(values.value({1, 1}), kSqrt2);
  EXPECT_EQ(values.value({2, 1}), std::min(1 + kSqrt2, kSqrt2 + 1));
  EXPECT_EQ(values.value({2, 2}), kSqrt2 + kSqrt2);
  EXPECT_EQ(values.n_expanded(), 9u);
}

TEST(ValueFunction, CutsNoCorner) {
  EXPECT_EQ(planned(draw_grid("#. .."), {0, 0}).value({1, 1}), 2);
  EXPECT_EQ(planned(draw_grid(".. .#"), {0, 0}).value({1, 1}), 2);
  EXPECT_EQ(planned(draw_grid("#. .#"), {0, 0}).value({1, 1}), kInfinity);
}

TEST(ValueFunction, StaysInfiniteWhereTakenCutOffOrOutside) {
  const ValueFunction values = planned(draw_grid("..#. ..#. ..#."), {0, 0});
  EXPECT_EQ(values.value({2, 1}), kInfinity);
  EXPECT_EQ(values.value({3, 1}), kInfinity);
  EXPECT_EQ(values.value({-1, 0}), kInfinity);
  EXPECT_EQ(values.value({0, 3}), kInfinity);
  EXPECT_FALSE(values.is_reachable({3, 1}));
  EXPECT_TRUE(values.is_reachable({1, 2}));
}

TEST(ValueFunction, RefusesAGoalThatIsTakenOrOutside) {
  const world::FreeGrid free = draw_grid(".# ..");
  const PlanningGrid grid(free);
  ValueFunction values(free.frame());
  ASSERT_TRUE(values.plan(grid, {0, 0}));
  for (const Cell goal : {Cell{1, 1}, Cell{-1, 0}, Cell{0, 2}, Cell{2, 0}}) {
    EXPECT_FALSE(values.plan(grid, goal));
    EXPECT_EQ(values.value({0, 0}), kInfinity);
  }
}

TEST(ValueFunction, AStepCostsItsLengthTimesTheFactorOfTheCellItEnters) {
  const world::FreeGrid free = draw_grid("...");
  Grid<float> factors(free.frame(), 1);
  factors[Cell{0, 0}] = 3;
  factors[Cell{1, 0}] = 2.5;
  const ValueFunction values = planned(free, {0, 0}, &factors);
  EXPECT_EQ(values.value({1, 0}), 3);
  EXPECT_EQ(values.value({2, 0}), 5.5);
}

TEST(ValueFunction, GoesRoundDearGround) {
  const world::FreeGrid free = draw_grid("..... ..... .....");
  Grid<float> factors(free.frame(), 1);
  factors[Cell{2, 0}] = factors[Cell{2, 1}] = 10;
  const ValueFunction values = planned(free, {0, 0}, &factors);
  EXPECT_NEAR(values.value({4, 0}), 4 * kSqrt2, 1e-12);
}

struct Case {
  int side;  // cells along an edge, at most
  int n_grids;
  bool factors;
  bool wild;
};

class ValueFunctionTwins : public testing::TestWithParam<Case> {};

TEST_P(ValueFunctionTwins, AgreesWithTextbookSweepsToTheLastBit) {
  const Case& c = GetParam();
  Random random(41);
  for (int i = 0; i < c.n_grids; ++i) {
    const int width = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(c.side)));
    const int height = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(c.side)));
    const world::FreeGrid free = random_grid(width, height, random.uniform(0, 0.5), random);
    const Grid<float> factors = random_factors(free.frame(), c.wild, random);
    const Grid<float>* const used = c.factors ? &factors : nullptr;
    const Cell goal = random_free_cell(free, random);
    if (free[goal] == 0) continue;
    ASSERT_EQ(to_grid(planned(free, goal, used)), sweep_until_nothing_changes(free, used, goal)) << "grid " << i;
  }
}

TEST_P(ValueFunctionTwins, AgreesWithDijkstraToTheLastBit) {
  const Case& c = GetParam();
  Random random(42);
  for (const double share_taken : {0.0, 0.02, 0.1, 0.3, 0.4}) {
    const world::FreeGrid free = random_grid(211, 163, share_taken, random);
    const Grid<float> factors = random_factors(free.frame(), c.wild, random);
    const Grid<float>* const used = c.factors ? &factors : nullptr;
    const Cell goal = random_free_cell(free, random);
    ASSERT_EQ(to_grid(planned(free, goal, used)), dijkstra(free, used, goal)) << share_taken;
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, ValueFunctionTwins,
                         testing::Values(Case{24, 300, false, false}, Case{24, 300, true, false},
                                         Case{20, 200, true, true}));

TEST(ValueFunction, TurnsAndMirrorsWithTheMap) {
  Random random(5);
  const world::FreeGrid free = random_grid(37, 29, 0.25, random);
  const Cell goal = random_free_cell(free, random);
  const Grid<double> values = to_grid(planned(free, goal));
  // a quarter turn, and a mirror: (x, y) → (y, x) after (x, y) → (w − 1 − x, y)
  const int w = free.frame().width;
  const GridFrame turned_frame{free.frame().height, w, 1, {}};
  for (const bool turn : {false, true}) {
    const auto move = [&](Cell c) { return turn ? Cell{c.y, w - 1 - c.x} : Cell{c.y, c.x}; };
    world::FreeGrid moved(turned_frame);
    for (std::size_t i = 0; i < free.size(); ++i) moved[move(free.frame().cell_at(i))] = free[i];
    const ValueFunction moved_values = planned(moved, move(goal));
    for (std::size_t i = 0; i < free.size(); ++i) {
      ASSERT_EQ(moved_values.value(move(free.frame().cell_at(i))), values[i]);
    }
  }
}

TEST(ValueFunction, IsAConsistentHeuristic) {
  Random random(6);
  const world::FreeGrid free = random_grid(60, 40, 0.2, random);
  const Grid<float> factors = random_factors(free.frame(), true, random);
  const ValueFunction values = planned(free, random_free_cell(free, random), &factors);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Cell from = free.frame().cell_at(i);
    visit_moves(free, from, [&](Cell to, double length) {
      ASSERT_LE(values.value(from), values.value(to) + length * static_cast<double>(factors[to]));
    });
  }
}

TEST(ValueFunction, IsTheSameBothWaysWithoutFactors) {
  Random random(7);
  const world::FreeGrid free = random_grid(50, 50, 0.2, random);
  for (int i = 0; i < 20; ++i) {
    const Cell a = random_free_cell(free, random), b = random_free_cell(free, random);
    const double there = planned(free, a).value(b), back = planned(free, b).value(a);
    if (there == kInfinity) {
      EXPECT_EQ(back, kInfinity);
    } else {
      EXPECT_NEAR(there, back, 1e-9);
    }
  }
}

TEST(ValueFunction, StopsEarlyWithTheExactValueOfTheStart) {
  Random random(8);
  const world::FreeGrid free = random_grid(90, 70, 0.25, random);
  const Grid<float> factors = random_factors(free.frame(), true, random);
  std::size_t n_early = 0;
  for (int i = 0; i < 60; ++i) {
    const PlanningGrid grid(free, i % 2 == 0 ? nullptr : &factors);
    const Cell goal = random_free_cell(free, random), start = random_free_cell(free, random);
    ValueFunction whole(free.frame()), part(free.frame());
    whole.plan(grid, goal);
    ASSERT_TRUE(part.plan_until(grid, goal, start));
    ASSERT_EQ(part.value(start), whole.value(start));
    if (part.n_expanded() < whole.n_expanded()) ++n_early;
  }
  EXPECT_GT(n_early, 30u);
}

TEST(ValueFunction, ForgetsTheGoalBefore) {
  Random random(9);
  const world::FreeGrid free = random_grid(40, 40, 0.3, random);
  const PlanningGrid grid(free);
  ValueFunction values(free.frame());
  for (int i = 0; i < 10; ++i) {
    const Cell goal = random_free_cell(free, random);
    if (i % 3 == 0) values.plan_until(grid, goal, random_free_cell(free, random));
    values.plan(grid, goal);
    ASSERT_EQ(to_grid(values), to_grid(planned(free, goal)));
    ASSERT_EQ(values.goal(), goal);
  }
}

TEST(ValueFunction, CopiesAreIndependent) {
  const world::FreeGrid free = draw_grid("..... .###. .....");
  PlanningGrid grid(free);
  ValueFunction original(free.frame());
  original.plan(grid, {0, 0});
  ValueFunction copy = original;
  EXPECT_EQ(to_grid(copy), to_grid(original));
  copy.plan(grid, {4, 2});
  EXPECT_EQ(original.value({0, 0}), 0);
  EXPECT_EQ(copy.value({4, 2}), 0);
  original = copy;
  EXPECT_EQ(original.value({4, 2}), 0);
  const Cell hole{2, 1};
  grid.set_free({&hole, 1}, true);
  original.repair(grid, {&hole, 1});
  EXPECT_EQ(original.value({2, 1}), 3);
  EXPECT_EQ(copy.value({2, 1}), kInfinity);
}

TEST(ValueFunction, ManagesTheSmallestGrid) {
  const ValueFunction values = planned(draw_grid("."), {0, 0});
  EXPECT_EQ(values.value({0, 0}), 0);
}

}  // namespace
}  // namespace forerun::navigate
