#include "forerun/world/ground.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forerun::world {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Where an upright line leaves a box at its top; none: it passes by. `from` is a point of the line in the box's own
// axes, `up` its direction there.
double top_of(Vec3 half, Vec3 from, Vec3 up) noexcept {
  double enter = kNone, leave = -kNone;
  const auto cut = [&](double at, double along, double size) {
    if (std::fabs(along) < 1e-12) return std::fabs(at) <= size;
    const double a = (-size - at) / along, b = (size - at) / along;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
    return true;
  };
  if (!cut(from.x, up.x, half.x) || !cut(from.y, up.y, half.y) || !cut(from.z, up.z, half.z)) return kNone;
  return enter <= leave ? leave : kNone;
}

// Between the four points around it.
double height_of(const HeightMap& map, Vec2 point) noexcept {
  const double x = (point.x - map.corner.x) / map.cell, y = (point.y - map.corner.y) / map.cell;
  if (!(x >= 0 && y >= 0 && x <= map.columns - 1 && y <= map.rows - 1)) return kNone;
  const int column = std::min(static_cast<int>(x), map.columns - 2), row = std::min(static_cast<int>(y), map.rows - 2);
  const double u = x - column, v = y - row;
  return (map.height(column, row) * (1 - u) + map.height(column + 1, row) * u) * (1 - v) +
         (map.height(column, row + 1) * (1 - u) + map.height(column + 1, row + 1) * u) * v;
}

}  // namespace

Ground::Ground(const Terrain& terrain, Vec2 middle, double radius) : terrain_(terrain) {
  for (const Block& block : terrain.blocks) {
    const Rotation axes = rotation(block.attitude);
    const Vec3 half = block.size * 0.5;
    const double reach_x = std::fabs(axes.x.x) * half.x + std::fabs(axes.y.x) * half.y + std::fabs(axes.z.x) * half.z;
    const double reach_y = std::fabs(axes.x.y) * half.x + std::fabs(axes.y.y) * half.y + std::fabs(axes.z.y) * half.z;
    if (std::fabs(block.center.x - middle.x) > reach_x + radius ||
        std::fabs(block.center.y - middle.y) > reach_y + radius)
      continue;
    blocks_.push_back({block.center, half, axes});
  }
}

double Ground::height(Vec2 point, double ceiling) const noexcept {
  if (!terrain_.is_rough()) return 0;
  double highest = kNone;
  for (const Near& block : blocks_) {
    const Vec3 from{point.x - block.center.x, point.y - block.center.y, 0};
    const Vec3 own{dot(from, block.axes.x), dot(from, block.axes.y), dot(from, block.axes.z)};
    const double top = block.center.z + top_of(block.half, own, {block.axes.x.z, block.axes.y.z, block.axes.z.z});
    if (top <= ceiling) highest = std::max(highest, top);
  }
  for (const HeightMap& map : terrain_.height_maps) {
    const double top = height_of(map, point);
    if (top <= ceiling) highest = std::max(highest, top);
  }
  return highest;
}

}  // namespace forerun::world
