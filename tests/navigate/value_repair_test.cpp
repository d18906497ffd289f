#include <gtest/gtest.h>

#include <vector>

#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

// A world in which cells change, with a value function that is repaired each time.
class ChangingWorld {
 public:
  ChangingWorld(int side, bool factors, bool wild, Random& random)
      : free_(random_grid(side, side, 0.25, random)),
        factors_(random_factors(free_.frame(), wild, random)),
        grid_(free_, factors ? &factors_ : nullptr),
        goal_(random_free_cell(free_, random)),
        values_(free_.frame()) {
    values_.plan(grid_, goal_);
  }

  void change(Random& random, std::size_t n_cells, bool goal_too) {
    std::vector<Cell> changed;
    const Cell around = free_.frame().cell_at(random.below(free_.size()));
    for (std::size_t i = 0; i < n_cells; ++i) {
      // half of the changes are neighbours, as when a door closes
      const int reach = random.below(2) == 0 ? 2 : free_.frame().width;
      const Cell cell{around.x + static_cast<int>(random.below(static_cast<std::uint64_t>(2 * reach + 1))) - reach,
                      around.y + static_cast<int>(random.below(static_cast<std::uint64_t>(2 * reach + 1))) - reach};
      changed.push_back(cell);  // sometimes outside
      if (!free_.frame().contains(cell) || (cell == goal_ && !goal_too)) continue;
      change_cell(cell, random);
    }
    if (goal_too) {
      changed.push_back(goal_);
      change_cell(goal_, random);
    }
    values_.repair(grid_, changed);
  }

  // What a new plan gives.
  [[nodiscard]] Grid<double> fresh() const {
    ValueFunction values(free_.frame());
    values.plan(PlanningGrid(free_, grid_.has_factors() ? &factors_ : nullptr), goal_);
    return to_grid(values);
  }
  [[nodiscard]] const ValueFunction& values() const { return values_; }

 private:
  void change_cell(Cell cell, Random& random) {
    if (grid_.has_factors() && random.below(3) == 0) {
      factors_[cell] = static_cast<float>(random.uniform(1, 6));
      grid_.set_factor(cell, factors_[cell]);
      return;
    }
    const bool free = random.below(2) == 0;
    free_[cell] = free ? 1 : 0;
    grid_.set_free({&cell, 1}, free);
  }

  world::FreeGrid free_;
  Grid<float> factors_;
  PlanningGrid grid_;
  Cell goal_;
  ValueFunction values_;
};

struct Ground {
  bool factors;
  bool wild;
};

class ValueRepair : public testing::TestWithParam<Ground> {};

TEST_P(ValueRepair, EndsWithTheBitsOfANewPlanAfterManySmallChanges) {
  Random random(11);
  for (int world = 0; world < 12; ++world) {
    ChangingWorld changing(32, GetParam().factors, GetParam().wild, random);
    for (int i = 0; i < 150; ++i) {
      changing.change(random, 1 + random.below(6), false);
      ASSERT_EQ(to_grid(changing.values()), changing.fresh()) << "world " << world << ", change " << i;
    }
  }
}

TEST_P(ValueRepair, SurvivesTheGoalBecomingTakenAndFreeAgain) {
  Random random(12);
  ChangingWorld changing(24, GetParam().factors, GetParam().wild, random);
  for (int i = 0; i < 200; ++i) {
    changing.change(random, random.below(4), random.below(3) == 0);
    ASSERT_EQ(to_grid(changing.values()), changing.fresh()) << "change " << i;
  }
}

TEST_P(ValueRepair, EndsWithTheBitsOfANewPlanOnALargeGrid) {
  Random random(13);
  ChangingWorld changing(180, GetParam().factors, GetParam().wild, random);
  for (int i = 0; i < 40; ++i) {
    changing.change(random, 1 + random.below(20), false);
    ASSERT_EQ(to_grid(changing.values()), changing.fresh()) << "change " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Grounds, ValueRepair,
                         testing::Values(Ground{false, false}, Ground{true, false}, Ground{true, true}));

// Two halves, joined by a door in the middle and a way round at the end.
world::FreeGrid two_halves(int side, int way_round) {
  world::FreeGrid free(GridFrame{side, side, 1, {}}, 1);
  for (int y = way_round; y < side; ++y) free[Cell{side / 2, y}] = 0;
  return free;
}

TEST(ValueRepair, WorksOnFewCellsWhenFewValuesChange) {
  const world::FreeGrid free = two_halves(200, 10);
  PlanningGrid grid(free);
  ValueFunction values(free.frame());
  values.plan(grid, {20, 20});
  // a box far from the goal, in a corner that no way leads through
  const std::vector<Cell> box{{190, 195}, {191, 195}, {190, 196}, {191, 196}};
  grid.set_free(box, false);
  values.repair(grid, box);
  EXPECT_LT(values.n_expanded(), 200u);
  grid.set_free(box, true);
  values.repair(grid, box);
  EXPECT_LT(values.n_expanded(), 200u);
}

TEST(ValueRepair, ADoorThatOpensAndClosesChangesTheOtherHalf) {
  const world::FreeGrid closed = two_halves(60, 5);
  PlanningGrid grid(closed);
  ValueFunction values(closed.frame());
  values.plan(grid, {10, 50});
  const double round_about = values.value({50, 50});
  const Grid<double> before = to_grid(values);

  const std::vector<Cell> door{{30, 49}, {30, 50}, {30, 51}};
  grid.set_free(door, true);
  values.repair(grid, door);
  EXPECT_EQ(values.value({50, 50}), 40);
  EXPECT_GT(round_about, 80);

  grid.set_free(door, false);
  values.repair(grid, door);
  EXPECT_EQ(to_grid(values), before);
}

TEST(ValueRepair, AChangeThatIsNoneChangesNothing) {
  Random random(14);
  const world::FreeGrid free = random_grid(40, 40, 0.3, random);
  const PlanningGrid grid(free);
  ValueFunction values(free.frame());
  values.plan(grid, random_free_cell(free, random));
  const Grid<double> before = to_grid(values);
  std::vector<Cell> cells;
  for (int i = 0; i < 30; ++i) cells.push_back(free.frame().cell_at(random.below(free.size())));
  values.repair(grid, cells);
  values.repair(grid, {});
  EXPECT_EQ(to_grid(values), before);
}

TEST(ValueRepair, CompletesAPlanThatStoppedEarly) {
  Random random(15);
  const world::FreeGrid free = random_grid(40, 40, 0.2, random);
  const PlanningGrid grid(free);
  const Cell goal = random_free_cell(free, random);
  ValueFunction values(free.frame()), whole(free.frame());
  values.plan_until(grid, goal, goal);
  values.repair(grid, {});
  whole.plan(grid, goal);
  EXPECT_EQ(to_grid(values), to_grid(whole));
}

TEST(ValueRepair, PlansAnewWhenTheWholeGridChanges) {
  Random random(16);
  world::FreeGrid free = random_grid(150, 150, 0.3, random);
  PlanningGrid grid(free);
  ValueFunction values(free.frame()), whole(free.frame());
  const Cell goal = random_free_cell(free, random);
  values.plan(grid, goal);
  std::vector<Cell> all;
  for (std::size_t i = 0; i < free.size(); ++i) all.push_back(free.frame().cell_at(i));
  grid.set_free(all, true);
  values.repair(grid, all);
  whole.plan(grid, goal);
  EXPECT_EQ(to_grid(values), to_grid(whole));
}

}  // namespace
}  // namespace forerun::navigate
