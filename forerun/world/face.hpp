// A ray against one triangle: the same code for the tiled caster and for brute force, so that they agree to the bit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/base/two.hpp"
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

// On which side of the edge from `a` to `b` a ray passes; both are seen from its origin. Neighbours that share an edge
// compute the same number for it, up to the sign, so no ray slips through between them.
[[nodiscard]] constexpr double side_of(Vec3 direction, Vec3 a, Vec3 b) noexcept { return dot(direction, cross(a, b)); }

// Whether the line of the ray goes through the triangle or its edges. The signs of single edges are hard to guess, so
// they are compared all at once.
[[nodiscard]] inline bool covers(const Triangle& t, const Ray& ray) noexcept {
  const Vec3 a = t.a - ray.origin, b = t.b - ray.origin, c = t.c - ray.origin;
  const double ab = side_of(ray.direction, a, b), bc = side_of(ray.direction, b, c), ca = side_of(ray.direction, c, a);
  return std::min(std::min(ab, bc), ca) >= 0 || std::max(std::max(ab, bc), ca) <= 0;
}

// The same for a convex quadrangle, two sides at once.
[[nodiscard]] inline bool covers(const std::array<Vec3, 4>& corners, const Ray& ray) noexcept {
  struct TwoPoints {
    Two x, y, z;
  };
  const auto seen = [&](const Vec3& p, const Vec3& q) {
    return TwoPoints{Two{p.x, q.x} - ray.origin.x, Two{p.y, q.y} - ray.origin.y, Two{p.z, q.z} - ray.origin.z};
  };
  const auto sides_of = [&](const TwoPoints& p, const TwoPoints& q) {
    return ray.direction.x * (p.y * q.z - p.z * q.y) + ray.direction.y * (p.z * q.x - p.x * q.z) +
           ray.direction.z * (p.x * q.y - p.y * q.x);
  };
  const auto swap = [](Two two) { return Two{two[1], two[0]}; };
  const TwoPoints ac = seen(corners[0], corners[2]), bd = seen(corners[1], corners[3]);
  const TwoPoints ca{swap(ac.x), swap(ac.y), swap(ac.z)};
  const Two ab_cd = sides_of(ac, bd), bc_da = sides_of(bd, ca);
  const Two low = least(ab_cd, bc_da), high = greatest(ab_cd, bc_da);
  return std::min(low[0], low[1]) >= 0 || std::max(high[0], high[1]) <= 0;
}

// Distance to a plane at this height over the origin, for a ray that comes so much nearer with each metre; infinity
// where it is behind, touching or parallel.
[[nodiscard]] inline double distance_to_plane(double height, double approach) noexcept {
  if (!(std::fabs(height) > kTouching) || approach == 0) return kInfinity;
  const double distance = height / approach;
  return distance > 0 ? distance : kInfinity;
}

// Distance to the triangle's plane; infinity where it is behind, touching or parallel.
[[nodiscard]] inline double distance_to_plane(const Triangle& t, Vec3 normal, const Ray& ray) noexcept {
  return distance_to_plane(dot(normal, t.a - ray.origin), dot(normal, ray.direction));
}

// The normal turned against the ray.
[[nodiscard]] inline Vec3 turn_against(Vec3 normal, Vec3 direction) noexcept {
  return dot(normal, direction) > 0 ? -normal : normal;
}

}  // namespace forerun::world
