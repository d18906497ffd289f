#include "forerun/world/plan_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/random_worlds.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::world {
namespace {

const ProjectionParams kTenth{.cell_size = 0.1, .robot_height = 1.2, .step_height = 0.02};

World make_floor(Vec2 low, Vec2 high) {
  World world = make_room(low, high);
  world.triangles.resize(2);
  return world;
}

// One upright face, seen from its front on the right of the way from `a` to `b`.
void add_face(World& world, Vec2 a, Vec2 b, double low = 0, double high = 2) {
  const Vec3 corners[4] = {{a.x, a.y, low}, {b.x, b.y, low}, {b.x, b.y, high}, {a.x, a.y, high}};
  world.triangles.push_back({corners[0], corners[1], corners[2], 0});
  world.triangles.push_back({corners[0], corners[2], corners[3], 0});
}

int count_taken(const FreeGrid& grid) {
  return static_cast<int>(std::count(grid.data(), grid.data() + grid.size(), std::uint8_t{0}));
}

bool is_free(const FreeGrid& grid, Vec2 p) { return grid[grid.frame().cell_of(p)] != 0; }

TEST(PlanFrame, CoversTheWorldWithBordersAtMultiplesOfTheCell) {
  const GridFrame frame = plan_frame(make_floor({-0.33, 0.1}, {0.92, 0.5}), 0.1);
  EXPECT_EQ(frame.width, 14);
  EXPECT_EQ(frame.height, 4);
  EXPECT_DOUBLE_EQ(frame.origin.x, -0.4);
  EXPECT_DOUBLE_EQ(frame.origin.y, 0.1);
}

TEST(PlanFrame, ForgivesTheRoundingOfDecimals) {
  // 0.07 / 0.01 is a little more than 7, 0.3 / 0.1 a little less than 3
  EXPECT_EQ(plan_frame(make_floor({0, 0}, {0.07, 0.07}), 0.01).width, 7);
  EXPECT_EQ(plan_frame(make_floor({0.3, 0.3}, {0.5, 0.5}), 0.1).width, 2);
}

TEST(PlanFrame, IsEmptyForAnEmptyWorldAndNeverThinnerThanACell) {
  EXPECT_EQ(plan_frame(World{}, 0.1).size(), 0u);
  World wall;
  add_face(wall, {1, 2}, {2, 2});
  EXPECT_EQ(plan_frame(wall, 0.1).height, 1);
  EXPECT_EQ(plan_frame(wall, 0.1).width, 10);
}

TEST(PlanFrame, RefusesMoreCellsThanAnyoneNeeds) {
  EXPECT_DEATH((void)plan_frame(make_floor({0, 0}, {1000, 1000}), 0.05), "kMaxPlanCells");
}

TEST(Project, IsFreeOnTheFloorAndNowhereElse) {
  World world = make_floor({0, 0}, {2, 1});
  world.triangles.push_back({{2, 0, 0.5}, {3, 0, 0.5}, {3, 1, 0.5}, 0});
  const FreeGrid grid = project(world, {}, kTenth);
  EXPECT_EQ(grid.frame().width, 30);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 30; ++x) EXPECT_EQ(grid[(Cell{x, y})], x < 20 ? 1 : 0);
}

TEST(Project, HasFloorWhereTheCentreOfACellHas) {
  World world;
  world.triangles.push_back({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0});
  const FreeGrid grid = project(world, {}, kTenth);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 10; ++x) EXPECT_EQ(grid[(Cell{x, y})], x + y + 1 <= 10 ? 1 : 0) << x << ' ' << y;
}

TEST(Project, TakesWhatStandsBetweenStepAndRobotHeight) {
  const auto n_taken = [](double low, double high) {
    World world = make_floor({0, 0}, {2, 2});
    add_face(world, {0.55, 0.55}, {1.45, 0.55}, low, high);
    return count_taken(project(world, {}, kTenth));
  };
  EXPECT_EQ(n_taken(0, 2), 10);
  EXPECT_EQ(n_taken(0, 0.02), 0);
  EXPECT_EQ(n_taken(0, 0.021), 10);
  EXPECT_EQ(n_taken(1.2, 2), 0);
  EXPECT_EQ(n_taken(1.19, 2), 10);
  EXPECT_EQ(n_taken(0.5, 0.6), 10);
}

TEST(Project, TakesOnlyThePartOfASlopeThatIsInTheWay) {
  // a ramp that rises by one metre from x = 0 to x = 2; the robot drives onto it up to the step
  World world = make_floor({0, 0}, {2, 1});
  world.triangles.push_back({{0, 0, 0}, {2, 0, 1}, {2, 1, 1}, 0});
  world.triangles.push_back({{0, 0, 0}, {2, 1, 1}, {0, 1, 0}, 0});
  const FreeGrid grid = project(world, {}, {.cell_size = 0.1, .robot_height = 1.2, .step_height = 0.25});
  EXPECT_TRUE(is_free(grid, {0.45, 0.5}));
  EXPECT_FALSE(is_free(grid, {0.55, 0.5}));
  EXPECT_FALSE(is_free(grid, {1.95, 0.5}));
}

TEST(Project, AFaceOnABorderTakesTheCellBehindIt) {
  World world = make_floor({0, 0}, {2, 2});
  add_face(world, {1, 0}, {1, 2});  // looks towards growing x
  FreeGrid grid = project(world, {}, kTenth);
  EXPECT_EQ(count_taken(grid), 20);
  EXPECT_FALSE(is_free(grid, {0.95, 1}));
  EXPECT_TRUE(is_free(grid, {1.05, 1}));

  world.triangles.resize(2);
  add_face(world, {1, 2}, {1, 0});
  grid = project(world, {}, kTenth);
  EXPECT_EQ(count_taken(grid), 20);
  EXPECT_TRUE(is_free(grid, {0.95, 1}));
  EXPECT_FALSE(is_free(grid, {1.05, 1}));
}

TEST(Project, WallsOnBordersLeaveAGapItsTrueWidth) {
  // decimal coordinates are not exact, for any cell size
  for (const double cell : {0.05, 0.1, 0.02, 0.025}) {
    for (int shift = 0; shift < 20; ++shift) {
      const double y = shift * 0.1;
      World world = make_floor({0, 0}, {3, 4});
      add_box(world, {1, y + 0.5, 0}, {0.2, 0.6}, 2);
      add_box(world, {1, y + 1.4, 0}, {0.2, 0.6}, 2);
      const FreeGrid grid = project(world, {}, {.cell_size = cell});
      // between y + 0.8 and y + 1.1
      const int x = grid.frame().cell_of({0.9 + cell / 2, 0}).x;
      int gap = 0;
      for (double at = y + 0.8 + cell / 2; at < y + 1.1; at += cell) gap += is_free(grid, {0.9 + cell / 2, at});
      EXPECT_EQ(gap, static_cast<int>(std::floor(0.3 / cell + 0.5))) << cell << ' ' << y;
      EXPECT_FALSE(grid[(Cell{x, grid.frame().cell_of({0, y + 0.8 - cell / 2}).y})]);
      EXPECT_FALSE(grid[(Cell{x, grid.frame().cell_of({0, y + 1.1 + cell / 2}).y})]);
    }
  }
}

TEST(Project, LeavesNoHoleInADiagonalWall) {
  World world = make_floor({0, 0}, {5, 5});
  add_face(world, {0, 0.013}, {5, 4.71});
  const FreeGrid grid = project(world, {}, kTenth);
  for (double s = 0; s <= 1; s += 0.0001) {
    const Vec2 p{5 * s, 0.013 + (4.71 - 0.013) * s};
    const Cell c = grid.frame().cell_of(p);
    if (!grid.frame().contains(c)) continue;
    // within a few thousandths of a border the neighbour may stand for it
    const Vec2 from_center = p - grid.frame().center(c);
    if (std::max(std::fabs(from_center.x), std::fabs(from_center.y)) > 0.0497) continue;
    EXPECT_FALSE(grid[c]);
  }
}

TEST(Project, TakesMoversThatStandInTheWay) {
  const World world = make_floor({0, 0}, {2, 2});
  Mover disc = make_disc({1, 1}, 0.25, 1.8, 0);
  FreeGrid grid = project(world, {&disc, 1}, kTenth);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Vec2 d = grid.frame().center(grid.frame().cell_at(i)) - Vec2{1, 1};
    const double nearest = length(Vec2{std::max(std::fabs(d.x) - 0.05, 0.0), std::max(std::fabs(d.y) - 0.05, 0.0)});
    EXPECT_EQ(grid[i], nearest < 0.25 ? 0 : 1);
  }
  disc.low = 1.2;
  EXPECT_EQ(count_taken(project(world, {&disc, 1}, kTenth)), 0);

  const Mover box = make_box({1, 1, kPi / 2}, {0.6, 0.2}, 1, 0);
  grid = project(world, {&box, 1}, kTenth);
  EXPECT_EQ(count_taken(grid), 12);
  EXPECT_FALSE(is_free(grid, {1.05, 1.25}));
  EXPECT_TRUE(is_free(grid, {1.25, 1.05}));
}

// Second road: each cell's box against each triangle, by separating axes in space.
bool separated_along(Vec3 axis, const std::array<Vec3, 3>& triangle, Vec3 half) {
  const double reach = std::fabs(axis.x) * half.x + std::fabs(axis.y) * half.y + std::fabs(axis.z) * half.z;
  const double p[3] = {dot(axis, triangle[0]), dot(axis, triangle[1]), dot(axis, triangle[2])};
  return *std::min_element(p, p + 3) > reach || *std::max_element(p, p + 3) < -reach;
}

bool overlaps(const Triangle& t, Vec3 center, Vec3 half) {
  const std::array<Vec3, 3> p{t.a - center, t.b - center, t.c - center};
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3 axis : axes)
    if (separated_along(axis, p, half)) return false;
  for (std::size_t i = 0; i < 3; ++i)
    for (const Vec3 axis : axes)
      if (separated_along(cross(p[(i + 1) % 3] - p[i], axis), p, half)) return false;
  return !separated_along(cross(p[1] - p[0], p[2] - p[0]), p, half);
}

Triangle set_back(const Triangle& t, double by) {
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  if (length(n) == 0) return t;
  const Vec3 shift = Vec3{n.x, n.y, 0} * (-by / length(n));
  return {t.a + shift, t.b + shift, t.c + shift, t.material};
}

TEST(Project, AgreesWithBoxesAgainstTriangles) {
  Random random(31);
  for (int round = 0; round < 8; ++round) {
    World world = round % 2 == 0 ? random_rooms(random, 25) : random_triangles(random, 40);
    if (round % 2 == 1) world.triangles.push_back({{-50, -40, 0}, {50, -40, 0}, {0, 60, 0}, 0});
    const ProjectionParams params{.cell_size = 0.37, .robot_height = 1.2, .step_height = 0.1};
    const FreeGrid grid = project(world, {}, params);
    const Vec3 half{(0.5 - 1e-3) * 0.37, (0.5 - 1e-3) * 0.37, (1.2 - 0.1) / 2};
    int n_taken = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const Vec2 c = grid.frame().center(grid.frame().cell_at(i));
      if (std::fabs(c.x) > 11 || std::fabs(c.y) > 11) continue;
      const bool in_the_way = std::any_of(world.triangles.begin(), world.triangles.end(), [&](const Triangle& t) {
        return !is_floor(t) && overlaps(set_back(t, 2e-3 * 0.37), {c.x, c.y, 0.65}, half);
      });
      const bool on_floor = std::any_of(world.triangles.begin(), world.triangles.end(), [&](const Triangle& t) {
        return is_floor(t) && overlaps(t, {c.x, c.y, 0}, {1e-7, 1e-7, 0.1});
      });
      ASSERT_EQ(grid[i] != 0, on_floor && !in_the_way) << c.x << ' ' << c.y;
      n_taken += in_the_way;
    }
    EXPECT_GT(n_taken, 50);
  }
}

}  // namespace
}  // namespace forerun::world
