#include "forerun/atlas/terrain_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "forerun/base/random.hpp"

namespace forerun::atlas {
namespace {

Vec3 at(const Pose2& place, Vec2 p, double z) {
  const Vec2 there = place * p;
  return {there.x, there.y, z};
}

// An upright block from the floor to `height`, `from` … `to` along the heading of `foot`.
void add_upright(world::World& world, const Pose2& foot, double from, double to, double width, double height,
                 std::int32_t material) {
  const Vec2 middle = foot * Vec2{(from + to) / 2, 0};
  add_box(world, {middle.x, middle.y, foot.theta}, {to - from, width}, {0, height, material});
}

void add_wedge(world::World& world, const Ramp& ramp) {
  const double half = ramp.width / 2, l = ramp.length, h = ramp.height;
  const Vec3 foot_right = at(ramp.foot, {0, -half}, 0), foot_left = at(ramp.foot, {0, half}, 0);
  const Vec3 low_right = at(ramp.foot, {l, -half}, 0), low_left = at(ramp.foot, {l, half}, 0);
  const Vec3 top_right = at(ramp.foot, {l, -half}, h), top_left = at(ramp.foot, {l, half}, h);
  add_quad(world, foot_right, top_right, top_left, foot_left, ramp.material);
  add_quad(world, low_right, low_left, top_left, top_right, ramp.material);
  world.triangles.push_back({foot_right, low_right, top_right, ramp.material});
  world.triangles.push_back({foot_left, top_left, low_left, ramp.material});
}

// The level of a post before chance, 0 … 1.
double pattern_height(const StepField& field, int column, int row) {
  const auto share = [](int i, int n) { return n > 1 ? static_cast<double>(i) / (n - 1) : 0.5; };
  const double x = share(column, field.columns), y = share(row, field.rows);
  switch (field.pattern) {
    case StepPattern::hill:
      return 1 - std::fabs(2 * x - 1);
    case StepPattern::diagonal:
      return 1 - std::fabs(x + y - 1);
    case StepPattern::flat:
      break;
  }
  return 0;
}

}  // namespace

void add_block(world::World& world, const world::Block& block, std::int32_t material) {
  const Rotation axes = rotation(block.attitude);
  const Vec3 x = axes.x * (block.size.x / 2), y = axes.y * (block.size.y / 2), z = axes.z * (block.size.z / 2);
  const auto face = [&](Vec3 out, Vec3 u, Vec3 v) {
    const Vec3 middle = block.center + out;
    add_quad(world, middle - u - v, middle + u - v, middle + u + v, middle - u + v, material);
  };
  face(x, y, z);
  face(-x, z, y);
  face(y, z, x);
  face(-y, x, z);
  face(z, x, y);
  face(-z, y, x);
  world.terrain.blocks.push_back(block);
}

void add_trench(world::World& world, const Trench& trench) {
  const auto [low, high] = trench.rectangle;
  const double d = -trench.depth;
  const std::array<Vec2, 4> corners{low, Vec2{high.x, low.y}, high, Vec2{low.x, high.y}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec2 p = corners[i], q = corners[(i + 1) % 4];
    add_quad(world, {q.x, q.y, d}, {p.x, p.y, d}, {p.x, p.y, 0}, {q.x, q.y, 0}, trench.material);
  }
  add_quad(world, {low.x, low.y, d}, {high.x, low.y, d}, {high.x, high.y, d}, {low.x, high.y, d}, trench.material);
  constexpr double kBottom = 0.2;  // [m]
  world.terrain.blocks.push_back(
      {{(low.x + high.x) / 2, (low.y + high.y) / 2, d - kBottom / 2}, {high.x - low.x, high.y - low.y, kBottom}, {}});
}

void add_ramp(world::World& world, const Ramp& ramp) {
  constexpr double kPlate = 0.04;  // [m]
  constexpr int kPosts = 10;
  add_wedge(world, ramp);
  const double slope = std::atan2(ramp.height, ramp.length), long_side = std::hypot(ramp.height, ramp.length);
  // the plate's upper side is the ramp
  const Vec2 middle = ramp.foot * Vec2{ramp.length / 2 + kPlate / 2 * std::sin(slope), 0};
  world.terrain.blocks.push_back({{middle.x, middle.y, ramp.height / 2 - kPlate / 2 * std::cos(slope)},
                                  {long_side, ramp.width, kPlate},
                                  {0, -slope, ramp.foot.theta}});
  // posts under it make it solid
  for (int i = 1; i < kPosts; ++i) {
    const double from = ramp.length * i / kPosts, top = ramp.height * i / kPosts;
    const Vec2 place = ramp.foot * Vec2{from + ramp.length / kPosts / 2, 0};
    world.terrain.blocks.push_back(
        {{place.x, place.y, top / 2}, {ramp.length / kPosts, ramp.width, top}, {0, 0, ramp.foot.theta}});
  }
}

void add_stairs(world::World& world, const Stairs& stairs) {
  for (int i = 0; i < stairs.steps; ++i) {
    const bool last = i + 1 == stairs.steps;
    add_upright(world, stairs.foot, i * stairs.run, (i + 1) * stairs.run + (last ? stairs.landing : 0), stairs.width,
                (i + 1) * stairs.rise, stairs.material);
  }
}

void add_step_field(world::World& world, const StepField& field) {
  Random random(field.seed);
  for (int row = 0; row < field.rows; ++row) {
    for (int column = 0; column < field.columns; ++column) {
      const int level = static_cast<int>(std::lround(pattern_height(field, column, row) * field.levels));
      const double height = field.rise * (level + (random.uniform() < 0.5 ? 1 : 0));
      if (height <= 0) continue;
      const double x = (column - 0.5 * (field.columns - 1)) * field.cell,
                   y = (row - 0.5 * (field.rows - 1)) * field.cell;
      const Vec2 place = field.middle * Vec2{x, y};
      add_box(world, {place.x, place.y, field.middle.theta}, {field.cell, field.cell}, {0, height, field.material});
    }
  }
}

void add_height_map(world::World& world, const world::HeightMap& map, std::int32_t material) {
  const auto point = [&](int column, int row) {
    return Vec3{map.corner.x + column * map.cell, map.corner.y + row * map.cell, map.height(column, row)};
  };
  for (int row = 0; row + 1 < map.rows; ++row) {
    for (int column = 0; column + 1 < map.columns; ++column) {
      add_quad(world, point(column, row), point(column + 1, row), point(column + 1, row + 1), point(column, row + 1),
               material);
    }
  }
  world.terrain.height_maps.push_back(map);
}

}  // namespace forerun::atlas
