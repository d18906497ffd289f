#include "forerun/navigate/path.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

struct Planned {
  Planned(const world::FreeGrid& free, Cell goal, const Grid<float>* factors = nullptr)
      : grid(free, factors), values(free.frame()) {
    values.plan(grid, goal);
  }
  PlanningGrid grid;
  ValueFunction values;
};

int n_bends(std::span<const Cell> path) {
  int n = 0;
  for (std::size_t i = 2; i < path.size(); ++i) {
    const Cell a = path[i - 2], b = path[i - 1], c = path[i];
    if (b.x - a.x != c.x - b.x || b.y - a.y != c.y - b.y) ++n;
  }
  return n;
}

TEST(Path, LeadsRoundACorner) {
  const Planned p(draw_grid("... .#. .##", 0.5), {0, 0});
  std::array<Cell, 16> path;
  const PathResult result = descend(p.values, p.grid, {2, 2}, path);
  EXPECT_EQ(result.status, PathStatus::ok);
  ASSERT_EQ(result.size, 5u);
  const std::array<Cell, 5> expected{{{2, 2}, {1, 2}, {0, 2}, {0, 1}, {0, 0}}};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), path.begin()));
  EXPECT_DOUBLE_EQ(result.length, 2.0);
}

TEST(Path, OfTheGoalIsTheGoal) {
  const Planned p(draw_grid(".."), {1, 0});
  std::array<Cell, 4> path;
  const PathResult result = descend(p.values, p.grid, {1, 0}, path);
  EXPECT_EQ(result.status, PathStatus::ok);
  EXPECT_EQ(result.size, 1u);
  EXPECT_EQ(result.length, 0);
}

TEST(Path, SaysWhenThereIsNoWay) {
  const Planned p(draw_grid(".#."), {0, 0});
  std::array<Cell, 4> path;
  for (const Cell start : {Cell{1, 0}, Cell{2, 0}, Cell{-1, 0}, Cell{3, 0}}) {
    const PathResult result = descend(p.values, p.grid, start, path);
    EXPECT_EQ(result.status, PathStatus::unreachable);
    EXPECT_EQ(result.size, 0u);
  }
}

TEST(Path, SaysWhenThereIsNoRoomForAllOfIt) {
  const Planned p(draw_grid("....."), {0, 0});
  std::array<Cell, 3> path;
  const PathResult result = descend(p.values, p.grid, {4, 0}, path);
  EXPECT_EQ(result.status, PathStatus::truncated);
  EXPECT_EQ(result.size, 3u);
  EXPECT_EQ(result.length, 2);
  EXPECT_EQ(path[2], (Cell{2, 0}));
  EXPECT_EQ(descend(p.values, p.grid, {4, 0}, {}).status, PathStatus::truncated);
}

TEST(Path, CostsWhatTheValueFunctionPromisesOnRandomGrids) {
  Random random(31);
  std::vector<Cell> path(5000);
  for (int i = 0; i < 60; ++i) {
    const world::FreeGrid free = random_grid(50, 50, random.uniform(0, 0.35), random);
    const Grid<float> factors = random_factors(free.frame(), i % 3 == 1, random);
    const Planned p(free, random_free_cell(free, random), i % 3 == 0 ? nullptr : &factors);
    const Cell start = random_free_cell(free, random);
    const PathResult result = descend(p.values, p.grid, start, path);
    if (!p.values.is_reachable(start)) continue;
    ASSERT_EQ(result.status, PathStatus::ok);
    EXPECT_EQ(path[0], start);
    EXPECT_EQ(path[result.size - 1], p.values.goal());
    double cost = 0, length = 0;
    for (std::size_t k = 1; k < result.size; ++k) {
      double step = kInfinity;
      visit_moves(free, path[k - 1], [&](Cell to, double l) { step = to == path[k] ? l : step; });
      length += step;
      cost += step * p.grid.factor(path[k]);
    }
    EXPECT_NEAR(cost, p.values.value(start), 1e-6);
    EXPECT_NEAR(length, result.length, 1e-9);
  }
}

TEST(Path, HasFewBendsInTheOpen) {
  const world::FreeGrid open(GridFrame{60, 60, 1, {}}, 1);
  const Planned p(open, {50, 30});
  std::vector<Cell> path(200);
  for (const Cell start : {Cell{3, 3}, Cell{3, 50}, Cell{40, 3}, Cell{55, 59}}) {
    const PathResult result = descend(p.values, p.grid, start, path);
    EXPECT_LE(n_bends(std::span(path).first(result.size)), 1);
  }
}

TEST(Path, FromAPointGoesThroughTheCentresOfCells) {
  const Planned p(draw_grid("....", 0.5), {3, 0});
  const std::vector<Vec2> path = path_from(p.values, p.grid, {0.6, 0.1});
  EXPECT_EQ(path, (std::vector<Vec2>{{0.75, 0.25}, {1.25, 0.25}, {1.75, 0.25}}));
  EXPECT_DOUBLE_EQ(path_length(path), 1.0);
  EXPECT_EQ(path_length({}), 0);
}

TEST(Path, BeginsBesideAPointThatIsTooNearToAnObstacle) {
  const Planned p(draw_grid("....#### ....####", 0.1), {0, 0});
  const std::vector<Vec2> path = path_from(p.values, p.grid, {0.47, 0.05});
  ASSERT_FALSE(path.empty());
  EXPECT_NEAR(path.front().x, 0.35, 1e-12);
}

TEST(Path, IsEmptyFromAFreeCellThatIsCutOff) {
  const Planned p(draw_grid("...#...", 0.1), {0, 0});
  EXPECT_TRUE(path_from(p.values, p.grid, {0.45, 0.05}).empty());
  EXPECT_FALSE(find_start(p.values, p.grid, {0.45, 0.05}, 1.0).has_value());
  EXPECT_TRUE(find_start(p.values, p.grid, {0.35, 0.05}, 1.0).has_value());
}

TEST(NearestReachable, IsTheOwnCellWhereThatHasAWay) {
  const Planned p(draw_grid("... ..."), {0, 0});
  EXPECT_EQ(nearest_reachable(p.values, {2.9, 1.1}, 0), (Cell{2, 1}));
}

TEST(NearestReachable, IsTheNearestByDistanceAndOnlyWithinReach) {
  const Planned p(draw_grid("....... .#####. .#####. .#####. ......."), {0, 0});
  EXPECT_EQ(nearest_reachable(p.values, {1.6, 2.4}, 5), (Cell{0, 2}));
  EXPECT_EQ(nearest_reachable(p.values, {3.5, 3.2}, 5), (Cell{3, 4}));
  EXPECT_EQ(nearest_reachable(p.values, {3.5, 3.2}, 1.3), (Cell{3, 4}));
  EXPECT_FALSE(nearest_reachable(p.values, {3.5, 3.2}, 1.29).has_value());
}

TEST(NearestReachable, LooksInFromOutside) {
  const Planned p(draw_grid("... ..."), {0, 0});
  EXPECT_EQ(nearest_reachable(p.values, {-0.4, 0.5}, 1), (Cell{0, 0}));
  EXPECT_EQ(nearest_reachable(p.values, {3.2, 2.3}, 2), (Cell{2, 1}));
  EXPECT_FALSE(nearest_reachable(p.values, {1e12, 0}, 2).has_value());
  EXPECT_FALSE(nearest_reachable(p.values, {std::numeric_limits<double>::quiet_NaN(), 0}, 2).has_value());
}

TEST(NearestReachable, AgreesWithATryOfAllCells) {
  Random random(32);
  const world::FreeGrid free = random_grid(40, 30, 0.45, random);
  const Planned p(free, random_free_cell(free, random));
  for (int i = 0; i < 500; ++i) {
    const Vec2 point{random.uniform(-3, 43), random.uniform(-3, 33)};
    const double reach = random.uniform(0, 6);
    double least = kInfinity;
    for (std::size_t c = 0; c < free.size(); ++c) {
      const Cell cell = free.frame().cell_at(c);
      if (p.values.is_reachable(cell)) least = std::min(least, distance(free.frame().center(cell), point));
    }
    const auto found = nearest_reachable(p.values, point, reach);
    if (found) {
      EXPECT_DOUBLE_EQ(distance(free.frame().center(*found), point), least);
    } else {
      EXPECT_GT(least, reach);
    }
  }
}

}  // namespace
}  // namespace forerun::navigate
