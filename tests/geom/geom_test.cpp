// Vectors, segments, boxes and grids.
#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "forerun/geom/box.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun {
namespace {

TEST(Vec, CrossIsPositiveToTheLeft) {
  EXPECT_GT(cross(Vec2{1, 0}, Vec2{0, 1}), 0);
  EXPECT_EQ(left_normal(Vec2{1, 0}), (Vec2{0, 1}));
  EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
  EXPECT_EQ(length(Vec2{3, 4}), 5);
  EXPECT_EQ(length(Vec3{2, 3, 6}), 7);
  EXPECT_EQ(plan_view({1, 2, 3}), (Vec2{1, 2}));
}

TEST(Vec, AngleAndUnitVectorUndoEachOther) {
  Random random(31);
  for (int i = 0; i < 1000; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    EXPECT_NEAR(angle_of(unit_vector(angle)), angle, 1e-15 * 4);
    EXPECT_NEAR(length(unit_vector(angle)), 1, 1e-15);
  }
}

TEST(Segment2, NearestPointIsAtAnEndOrPerpendicular) {
  const Segment2 segment{{0, 0}, {4, 0}};
  EXPECT_EQ(nearest_point(segment, {-1, 3}), (Vec2{0, 0}));
  EXPECT_EQ(nearest_point(segment, {9, -3}), (Vec2{4, 0}));
  EXPECT_EQ(nearest_point(segment, {1, 3}), (Vec2{1, 0}));
  EXPECT_EQ(nearest_point({{2, 2}, {2, 2}}, {5, 5}), (Vec2{2, 2}));
}

TEST(Segment2, NoSampledPointIsNearerThanTheNearestPoint) {
  Random random(32);
  const auto point = [&] { return Vec2{random.uniform(-5, 5), random.uniform(-5, 5)}; };
  for (int i = 0; i < 200; ++i) {
    const Segment2 segment{point(), point()};
    const Vec2 p = point();
    const double best = distance(nearest_point(segment, p), p);
    for (int k = 0; k <= 50; ++k) {
      EXPECT_LE(best, distance(segment.a + (segment.b - segment.a) * (k / 50.0), p) + 1e-12);
    }
  }
}

TEST(Box2, IsEmptyUntilSomethingIsIncluded) {
  Box2 box;
  EXPECT_TRUE(box.empty());
  EXPECT_FALSE(box.contains({0, 0}));
  box.include({1, 2});
  EXPECT_FALSE(box.empty());
  EXPECT_TRUE(box.contains({1, 2}));
  box.include({-1, 4});
  EXPECT_EQ(box.size(), (Vec2{2, 2}));
  EXPECT_EQ(box.center(), (Vec2{0, 3}));
  EXPECT_FALSE(box.contains({0, 1.9}));
}

GridFrame sample_frame() { return {.width = 7, .height = 5, .cell_size = 0.05, .origin = {-1.3, 2.1}}; }

TEST(GridFrame, IndexAndCellUndoEachOther) {
  const GridFrame frame = sample_frame();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    EXPECT_TRUE(frame.contains(frame.cell_at(i)));
    EXPECT_EQ(frame.index(frame.cell_at(i)), i);
  }
  EXPECT_EQ(frame.index({1, 0}), 1u);  // x runs fastest
}

TEST(GridFrame, CenterLiesInItsCell) {
  const GridFrame frame = sample_frame();
  for (int y = -2; y < 8; ++y) {
    for (int x = -2; x < 9; ++x) EXPECT_EQ(frame.cell_of(frame.center({x, y})), (Cell{x, y}));
  }
  EXPECT_FALSE(frame.contains({-1, 0}));
  EXPECT_FALSE(frame.contains({0, 5}));
  EXPECT_FALSE(frame.contains({7, 0}));
}

TEST(GridFrame, PointsLeftOfTheOriginAreInNegativeCells) {
  EXPECT_EQ(sample_frame().cell_of({-1.3 - 0.001, 2.1 + 0.001}), (Cell{-1, 0}));
}

TEST(Grid, HoldsAValueForEachCell) {
  Grid<int> grid(sample_frame(), 3);
  grid[Cell{6, 4}] = 9;
  EXPECT_EQ(grid[grid.size() - 1], 9);
  EXPECT_EQ((grid[Cell{0, 0}]), 3);
  Grid<int> other = grid;
  EXPECT_EQ(grid, other);
  other.fill(0);
  EXPECT_NE(grid, other);
}

}  // namespace
}  // namespace forerun
