#include "forerun/navigate/line_of_sight.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

std::vector<Cell> cells_on_line(const GridFrame& frame, Vec2 a, Vec2 b) {
  std::vector<Cell> cells;
  visit_line(frame, a, b, [&](Cell cell) {
    cells.push_back(cell);
    return true;
  });
  return cells;
}

TEST(LineOfSight, GoesThroughTheCellsInOrder) {
  const GridFrame frame{4, 4, 0.5, {-1, -1}};
  EXPECT_EQ(cells_on_line(frame, {-0.75, -0.75}, {-0.75, -0.75}), (std::vector<Cell>{{0, 0}}));
  EXPECT_EQ(cells_on_line(frame, {-0.75, -0.75}, {0.75, -0.7}), (std::vector<Cell>{{0, 0}, {1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(cells_on_line(frame, {0.2, 0.9}, {0.2, -0.1}), (std::vector<Cell>{{2, 3}, {2, 2}, {2, 1}}));
  EXPECT_EQ(cells_on_line(frame, {-0.75, -0.75}, {-0.25, -0.4}), (std::vector<Cell>{{0, 0}, {1, 0}, {1, 1}}));
}

TEST(LineOfSight, VisitsBothCellsBesideACornerThatItMeets) {
  const GridFrame frame{2, 2, 1, {}};
  EXPECT_EQ(cells_on_line(frame, {0.5, 0.5}, {1.5, 1.5}), (std::vector<Cell>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
}

TEST(LineOfSight, NothingSlipsThroughBetweenTwoCellsThatTouchAtACorner) {
  const PlanningGrid both(draw_grid(".# #.")), one(draw_grid(".. #.")), none(draw_grid(".. .."));
  EXPECT_FALSE(line_is_free(both, {0.5, 1.5}, {1.5, 0.5}));
  EXPECT_FALSE(line_is_free(one, {0.5, 1.5}, {1.5, 0.5}));
  EXPECT_TRUE(line_is_free(none, {0.5, 1.5}, {1.5, 0.5}));
  // and beside the corner, where it meets one of the two
  EXPECT_FALSE(line_is_free(both, {0.5, 1.4999}, {1.5, 0.5}));
  EXPECT_FALSE(line_is_free(both, {0.5, 1.5}, {1.5, 0.5001}));
}

TEST(LineOfSight, EndsAreParts) {
  const PlanningGrid grid(draw_grid("#.#"));
  EXPECT_FALSE(line_is_free(grid, {0.5, 0.5}, {1.5, 0.5}));
  EXPECT_FALSE(line_is_free(grid, {1.5, 0.5}, {2.5, 0.5}));
  EXPECT_TRUE(line_is_free(grid, {1.1, 0.1}, {1.9, 0.9}));
}

TEST(LineOfSight, IsNotFreeOutside) {
  const PlanningGrid grid(draw_grid("... ..."));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec2 outside :
       {Vec2{-0.1, 0.5}, Vec2{3, 0.5}, Vec2{1, 2}, Vec2{1e300, 0}, Vec2{nan, 1}, Vec2{1, kInfinity}}) {
    EXPECT_FALSE(line_is_free(grid, {1, 1}, outside));
    EXPECT_FALSE(line_is_free(grid, outside, {1, 1}));
  }
}

TEST(LineOfSight, TellsTheLeastClearance) {
  const PlanningGrid grid(draw_grid("...#"));
  Grid<float> clearance(grid.frame(), 0);
  clearance[Cell{0, 0}] = 2.5;
  clearance[Cell{1, 0}] = 1.5;
  clearance[Cell{2, 0}] = 0.5;
  EXPECT_EQ(line_clearance(grid, clearance, {0.5, 0.5}, {1.5, 0.5}), 1.5);
  EXPECT_EQ(line_clearance(grid, clearance, {2.5, 0.5}, {0.5, 0.5}), 0.5);
  EXPECT_EQ(line_clearance(grid, clearance, {0.5, 0.5}, {3.5, 0.5}), -1);
}

// Points in eighths of a cell, always odd, so that none lies on a border. Exact in integers.
struct Eighths {
  int x = 0;
  int y = 0;
};

// Whether the line meets the inside of the cell, or passes exactly through one of its corners.
bool meets(Eighths a, Eighths b, Cell cell) {
  const int low_x = 8 * cell.x, low_y = 8 * cell.y;
  const bool apart = std::max(a.x, b.x) <= low_x || std::min(a.x, b.x) >= low_x + 8 || std::max(a.y, b.y) <= low_y ||
                     std::min(a.y, b.y) >= low_y + 8;
  bool left = false, right = false, corner_on_line = false;
  for (const Eighths corner :
       {Eighths{low_x, low_y}, Eighths{low_x + 8, low_y}, Eighths{low_x, low_y + 8}, Eighths{low_x + 8, low_y + 8}}) {
    const int side = (b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x);
    left = left || side > 0;
    right = right || side < 0;
    const bool between = corner.x >= std::min(a.x, b.x) && corner.x <= std::max(a.x, b.x) &&
                         corner.y >= std::min(a.y, b.y) && corner.y <= std::max(a.y, b.y);
    corner_on_line = corner_on_line || (side == 0 && between);
  }
  const bool is_point = a.x == b.x && a.y == b.y;
  return corner_on_line || (!apart && (is_point || (left && right)));
}

TEST(LineOfSight, AgreesWithExactGeometryOnRandomGrids) {
  Random random(21);
  constexpr int kSide = 12;
  int n_free = 0;
  for (int i = 0; i < 4000; ++i) {
    const world::FreeGrid free = random_grid(kSide, kSide, 0.12, random);
    const PlanningGrid grid(free);
    const auto odd = [&] { return static_cast<int>(2 * random.below(4 * kSide) + 1); };
    const Eighths a{odd(), odd()}, b{odd(), odd()};
    bool expected = true;
    for (std::size_t c = 0; c < free.size(); ++c) {
      if (free[c] == 0 && meets(a, b, free.frame().cell_at(c))) expected = false;
    }
    const Vec2 from{a.x / 8.0, a.y / 8.0}, to{b.x / 8.0, b.y / 8.0};
    ASSERT_EQ(line_is_free(grid, from, to), expected) << i;
    ASSERT_EQ(line_is_free(grid, to, from), expected) << i;
    if (expected) ++n_free;
  }
  EXPECT_GT(n_free, 500);
  EXPECT_LT(n_free, 3500);
}

TEST(LineOfSight, IsTheSameBothWays) {
  Random random(22);
  world::FreeGrid free = random_grid(30, 30, 0.1, random);
  const PlanningGrid grid(free);
  for (int i = 0; i < 5000; ++i) {
    const Vec2 a{random.uniform(0, 30), random.uniform(0, 30)}, b{random.uniform(0, 30), random.uniform(0, 30)};
    ASSERT_EQ(line_is_free(grid, a, b), line_is_free(grid, b, a));
  }
}

}  // namespace
}  // namespace forerun::navigate
