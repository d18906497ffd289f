#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::world {
namespace {

FreeGrid make_free(int width, int height, double cell_size) {
  return FreeGrid({.width = width, .height = height, .cell_size = cell_size, .origin = {}}, 1);
}

FreeGrid make_random(Random& random, int width, int height, double share_taken) {
  FreeGrid grid = make_free(width, height, 0.05);
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = random.uniform() >= share_taken;
  return grid;
}

// Second road: every cell against every taken cell and the outside.
double nearest_taken(const FreeGrid& grid, Cell c) {
  const auto beyond = [](int cells) { return std::max(std::abs(cells) - 0.5, 0.0); };
  const GridFrame& frame = grid.frame();
  double nearest = std::min({c.x, c.y, frame.width - 1 - c.x, frame.height - 1 - c.y}) + 0.5;
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      if (!grid[(Cell{x, y})]) nearest = std::min(nearest, length(Vec2{beyond(x - c.x), beyond(y - c.y)}));
  return nearest * frame.cell_size;
}

TEST(Clearance, CountsFromTheCentreToTheEdgeOfTakenCells) {
  FreeGrid grid = make_free(21, 21, 0.1);
  grid[(Cell{10, 10})] = 0;
  const Grid<float> distances = clearance(grid);
  EXPECT_EQ(distances[(Cell{10, 10})], 0);
  EXPECT_NEAR(distances[(Cell{11, 10})], 0.05, 1e-6);
  EXPECT_NEAR(distances[(Cell{10, 13})], 0.25, 1e-6);
  EXPECT_NEAR(distances[(Cell{11, 11})], 0.05 * std::sqrt(2), 1e-6);
  EXPECT_NEAR(distances[(Cell{12, 13})], std::hypot(0.15, 0.25), 1e-6);
}

TEST(Clearance, CountsTheOutsideAsTaken) {
  const Grid<float> distances = clearance(make_free(9, 5, 1));
  EXPECT_EQ(distances[(Cell{0, 2})], 0.5f);
  EXPECT_EQ(distances[(Cell{4, 0})], 0.5f);
  EXPECT_EQ(distances[(Cell{4, 2})], 2.5f);
  EXPECT_EQ(distances[(Cell{1, 2})], 1.5f);
}

TEST(Clearance, AgreesWithEveryCellAgainstEveryOther) {
  Random random(41);
  for (int round = 0; round < 40; ++round) {
    const int width = 1 + static_cast<int>(random.below(40)), height = 1 + static_cast<int>(random.below(40));
    const FreeGrid grid = make_random(random, width, height, square(random.uniform()) * 0.5);
    const Grid<float> distances = clearance(grid);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const double exact = nearest_taken(grid, grid.frame().cell_at(i));
      ASSERT_LE(distances[i], exact + 1e-15);
      ASSERT_NEAR(distances[i], exact, 1e-6 * exact);
    }
  }
}

TEST(Clearance, TurnsWithTheGrid) {
  Random random(42);
  const FreeGrid grid = make_random(random, 33, 33, 0.03);
  FreeGrid turned = grid;
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x) turned[(Cell{32 - y, x})] = grid[(Cell{x, y})];
  const Grid<float> distances = clearance(grid), turned_distances = clearance(turned);
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x) EXPECT_EQ(turned_distances[(Cell{32 - y, x})], distances[(Cell{x, y})]);
}

TEST(Clearance, OfNothingIsNothing) {
  EXPECT_EQ(clearance(FreeGrid{}).size(), 0u);
  EXPECT_EQ(inflate(FreeGrid{}, 1).size(), 0u);
}

TEST(Inflate, KeepsTheCellsThatHaveRoom) {
  Random random(43);
  for (int round = 0; round < 20; ++round) {
    const FreeGrid grid = make_random(random, 50, 30, 0.02);
    const double radius = random.uniform(0, 0.3);
    const FreeGrid inflated = inflate(grid, radius);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const double exact = nearest_taken(grid, grid.frame().cell_at(i));
      if (std::fabs(exact - radius) < 1e-9) continue;
      EXPECT_EQ(inflated[i] != 0, grid[i] != 0 && exact >= radius);
    }
  }
}

TEST(Inflate, LetsARobotThroughAGapOfExactlyItsWidth) {
  for (const double cell : {0.05, 0.1, 0.02, 0.3}) {
    FreeGrid grid = make_free(31, 31, cell);
    for (int y = 0; y < 31; ++y)
      if (y < 10 || y > 18) grid[(Cell{15, y})] = 0;
    // nine free cells: four and a half on each side of the middle
    EXPECT_TRUE(inflate(grid, 4.5 * cell)[(Cell{15, 14})]);
    EXPECT_FALSE(inflate(grid, 4.5 * cell)[(Cell{15, 13})]);
    EXPECT_FALSE(inflate(grid, 4.51 * cell)[(Cell{15, 14})]);
  }
}

TEST(Inflate, ForgivesTheRoundingOfDecimals) {
  // 0.07 / 0.02 is a little more than 3.5
  FreeGrid grid = make_free(31, 31, 0.02);
  for (int y = 0; y < 31; ++y)
    if (y < 10 || y > 16) grid[(Cell{15, y})] = 0;
  EXPECT_TRUE(inflate(grid, 0.07)[(Cell{15, 13})]);
}

TEST(Inflate, ByNothingChangesNothing) {
  Random random(44);
  const FreeGrid grid = make_random(random, 20, 20, 0.3);
  EXPECT_EQ(inflate(grid, 0), grid);
}

TEST(Inflate, NeverFreesWhatALargerRobotFinds) {
  Random random(45);
  const FreeGrid grid = make_random(random, 60, 60, 0.01);
  FreeGrid before = inflate(grid, 0);
  for (double radius = 0.02; radius < 0.6; radius += 0.02) {
    const FreeGrid next = inflate(grid, radius);
    for (std::size_t i = 0; i < grid.size(); ++i) EXPECT_LE(next[i], before[i]);
    before = next;
  }
}

}  // namespace
}  // namespace forerun::world
