// Things that are not part of the fixed world: people, door leaves, boxes that nobody put on the map.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/world/ray.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// An upright disc or rectangle from `low` to `high`.
struct Mover {
  enum class Shape : std::uint8_t { disc, box };

  Shape shape = Shape::disc;
  Pose2 pose;                // centre and heading
  double radius = 0.25;      // disc: radius; box: circumscribed radius [m]
  double half_length = 0.2;  // box only, along the heading [m]
  double half_width = 0.2;   // box only, across [m]
  double low = 0;            // [m] above z = 0
  double high = 1.8;         // [m]
  std::int32_t material = 0;
};

[[nodiscard]] Mover make_disc(Vec2 center, double radius, double height, std::int32_t material) noexcept;
[[nodiscard]] Mover make_box(const Pose2& pose, Vec2 size, double height, std::int32_t material) noexcept;
// The leaf of a door, turned to `opening` in 0 (closed) … 1 (open).
[[nodiscard]] Mover make_leaf(const Door& door, double opening) noexcept;

// The sides and the top of a box (or a leaf) as part of a fixed world.
void append_triangles(const Mover& box, std::vector<Triangle>& triangles);

// Distance in the plan view from a point to the outline; 0 inside.
[[nodiscard]] double plan_distance(const Mover& mover, Vec2 point) noexcept;

// Whether that is less than `reach`; costs little where the mover is far off.
[[nodiscard]] inline bool comes_within(const Mover& mover, Vec2 point, double reach) noexcept {
  constexpr double kRounding = 1e-6;  // [m]
  const Vec2 off = mover.pose.position() - point;
  const double farthest = mover.radius + reach + kRounding;
  return dot(off, off) <= farthest * farthest && plan_distance(mover, point) < reach;
}

// Replaces `hit` where the ray meets a side, the top or the bottom nearer than that. `ray.direction` is a unit vector.
// A ray that begins inside the mover does not meet it.
void cast_on(const Mover& mover, const Ray& ray, Hit& hit) noexcept;

}  // namespace forerun::world
