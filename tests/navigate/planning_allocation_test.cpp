// Planning is part of what a robot does while it drives: nothing allocates after construction.
#include <gtest/gtest.h>

#include <array>

#include "forerun/navigate/path.hpp"
#include "forerun/navigate/target_points.hpp"
#include "tests/navigate/planning_twins.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::navigate {
namespace {

TEST(Planning, AllocatesNothingAfterConstruction) {
  Random random(61);
  const world::FreeGrid free = random_grid(120, 120, 0.2, random);
  const Grid<float> factors = random_factors(free.frame(), true, random);
  const Grid<float> clearance = world::clearance(free);
  const Cell goal = random_free_cell(free, random);
  const std::array<Cell, 3> changed{{{60, 60}, {61, 60}, {5, 100}}};
  std::array<Cell, 600> path;

  for (const Grid<float>* used : {static_cast<const Grid<float>*>(nullptr), &factors}) {
    PlanningGrid grid(free, used);
    ValueFunction values(free.frame());
    // a copy has all the room of its original
    ValueFunction copy = values;
    const AllocationCounter allocations;
    for (ValueFunction* planner : {&values, &copy}) {
      planner->plan(grid, goal);
      planner->plan_until(grid, goal, {1, 1});
      planner->plan(grid, goal);
      grid.set_free(changed, false);
      planner->repair(grid, changed);
      grid.set_free(changed, true);
      planner->repair(grid, changed);
      for (int i = 0; i < 20; ++i) {
        const Cell start = free.frame().cell_at(random.below(free.size()));
        const Vec2 point = free.frame().center(start);
        std::ignore = descend(*planner, grid, start, path);
        std::ignore = nearest_reachable(*planner, point, 5);
        std::ignore = target_points(*planner, grid, clearance, point, {.max_distance = 20});
      }
    }
    EXPECT_EQ(allocations.count(), 0u);
  }
}

}  // namespace
}  // namespace forerun::navigate
