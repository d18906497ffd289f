#include "forerun/atlas/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace forerun::atlas {

namespace {

constexpr double kStanding = 0.005;  // [m] lower than this stands on the floor
constexpr double kUnderside = 0.04;  // [m] above every step that a wheel climbs, below every robot's top
constexpr double kSmallest = 1e-6;   // [m] rectangles thinner than this are nothing

Vec3 at_height(Vec2 p, double z) { return {p.x, p.y, z}; }

// As it is felt: rectangles stand for what they are, and two of them for what is round.
void add_felt(world::World& world, const Pose2& center, Vec2 size, const Extent& extent) {
  world.terrain.blocks.push_back({{center.x, center.y, (extent.low + extent.high) / 2},
                                  {size.x, size.y, extent.high - extent.low},
                                  {0, 0, center.theta}});
}

}  // namespace

void add_quad(world::World& world, Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::int32_t material) {
  world.triangles.push_back({a, b, c, material});
  world.triangles.push_back({a, c, d, material});
}

void add_prism(world::World& world, std::span<const Vec2> outline, const Extent& extent) {
  const double low = extent.low, high = extent.high;
  const bool standing = extent.low < kStanding;
  const double underside = standing ? low + std::min(kUnderside, (high - low) / 2) : low;

  const std::size_t n = outline.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 p = outline[i], q = outline[(i + 1) % n];
    add_quad(world, at_height(p, low), at_height(q, low), at_height(q, high), at_height(p, high), extent.material);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vec2 p = outline[0], q = outline[i], r = outline[i + 1];
    world.triangles.push_back({at_height(p, high), at_height(q, high), at_height(r, high), extent.material});
    world.triangles.push_back(
        {at_height(p, underside), at_height(r, underside), at_height(q, underside), extent.material});
  }
}

void add_box(world::World& world, const Pose2& center, Vec2 size, const Extent& extent) {
  const Transform2 world_from_box(center);
  const double x = size.x / 2, y = size.y / 2;
  const std::array<Vec2, 4> outline{world_from_box * Vec2{-x, -y}, world_from_box * Vec2{x, -y},
                                    world_from_box * Vec2{x, y}, world_from_box * Vec2{-x, y}};
  add_prism(world, outline, extent);
  add_felt(world, center, size, extent);
}

void add_cylinder(world::World& world, Vec2 center, double radius, int n_sides, const Extent& extent) {
  std::vector<Vec2> outline;
  for (int i = 0; i < n_sides; ++i) outline.push_back(center + unit_vector(kTwoPi * i / n_sides) * radius);
  add_prism(world, outline, extent);
  const double side = radius * std::sqrt(2.0);
  for (const double turned : {0.0, kPi / 4}) add_felt(world, {center.x, center.y, turned}, {side, side}, extent);
}

std::vector<Rectangle> subtract(const Rectangle& rectangle, std::span<const Rectangle> others) {
  std::vector<Rectangle> parts{rectangle};
  for (const Rectangle& other : others) {
    std::vector<Rectangle> kept;
    const auto keep = [&](Vec2 low, Vec2 high) {
      if (high.x - low.x > kSmallest && high.y - low.y > kSmallest) kept.push_back({low, high});
    };
    for (const Rectangle& part : parts) {
      const Vec2 low{std::max(part.low.x, other.low.x), std::max(part.low.y, other.low.y)};
      const Vec2 high{std::min(part.high.x, other.high.x), std::min(part.high.y, other.high.y)};
      if (high.x - low.x <= kSmallest || high.y - low.y <= kSmallest) {
        kept.push_back(part);
        continue;
      }
      // left, right, below and above the part that both share
      keep(part.low, {low.x, part.high.y});
      keep({high.x, part.low.y}, part.high);
      keep({low.x, part.low.y}, {high.x, low.y});
      keep({low.x, high.y}, {high.x, part.high.y});
    }
    parts = std::move(kept);
  }
  return parts;
}

void add_floor(world::World& world, const Rectangle& r, std::int32_t material) {
  add_quad(world, {r.low.x, r.low.y, 0}, {r.high.x, r.low.y, 0}, {r.high.x, r.high.y, 0}, {r.low.x, r.high.y, 0},
           material);
}

}  // namespace forerun::atlas
