// A ray against one triangle: the same code for the tiled caster and for brute force, so that they agree to the bit.
#pragma once

#include <algorithm>
#include <cmath>

#include "forerun/world/ray.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// A surface is not met from a point that lies in it to within this: neither along it nor away from it [m].
inline constexpr double kTouching = 1e-7;

// The unit normal by the right-hand rule; zero where the three corners lie on a line, such a triangle is never met.
[[nodiscard]] inline Vec3 unit_normal(const Triangle& t) noexcept {
  constexpr double kThinnest = 1e-12;  // height over longest edge, below which rounding decides the direction
  const Vec3 ab = t.b - t.a;
  const Vec3 ac = t.c - t.a;
  const Vec3 bc = t.c - t.b;
  const Vec3 n = cross(ab, ac);
  const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  const double size = length(n);
  if (!(size > kThinnest * longest)) return {};
  return n * (1 / size);
}

// A ray with two directions across it. Seen along the ray, a triangle is met where it covers the origin.
struct RayView {
  Vec3 origin;
  Vec3 direction;
  Vec3 right;
  Vec3 up;

  RayView(Vec3 from, Vec3 along) noexcept : origin(from), direction(along) {
    right = std::fabs(along.z) < 0.9 ? Vec3{along.y, -along.x, 0} : Vec3{0, along.z, -along.y};
    up = cross(along, right);
  }
  [[nodiscard]] Vec2 see(Vec3 point) const noexcept {
    const Vec3 p = point - origin;
    return {dot(right, p), dot(up, p)};
  }
};

// Whether the line of the ray goes through the triangle or its edges. Neighbours that share an edge leave no gap: each
// computes the same number for it, up to the sign.
[[nodiscard]] inline bool covers(const RayView& view, const Triangle& t) noexcept {
  const Vec2 a = view.see(t.a);
  const Vec2 b = view.see(t.b);
  const Vec2 c = view.see(t.c);
  const double ab = cross(a, b);
  const double bc = cross(b, c);
  const double ca = cross(c, a);
  // all on one side; without branches, because each sign alone is hard to guess
  return (std::min(std::min(ab, bc), ca) >= 0) | (std::max(std::max(ab, bc), ca) <= 0);
}

// Distance to the triangle's plane; infinity where it is behind, touching or parallel.
[[nodiscard]] inline double distance_to_plane(const RayView& view, const Triangle& t, Vec3 normal) noexcept {
  const double height = dot(normal, t.a - view.origin);
  const double approach = dot(normal, view.direction);
  if (!(std::fabs(height) > kTouching) || approach == 0) return kInfinity;
  const double distance = height / approach;
  return distance > 0 ? distance : kInfinity;
}

// The normal turned against the ray.
[[nodiscard]] inline Vec3 turn_against(Vec3 normal, Vec3 direction) noexcept {
  return dot(normal, direction) > 0 ? -normal : normal;
}

}  // namespace forerun::world
