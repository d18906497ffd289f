// Points and directions in the plane and in space.
#pragma once

#include "forerun/base/math.hpp"

namespace forerun {

struct Vec2 {
  double x = 0;
  double y = 0;

  constexpr Vec2 operator+(Vec2 b) const noexcept { return {x + b.x, y + b.y}; }
  constexpr Vec2 operator-(Vec2 b) const noexcept { return {x - b.x, y - b.y}; }
  constexpr Vec2 operator-() const noexcept { return {-x, -y}; }
  constexpr Vec2 operator*(double s) const noexcept { return {x * s, y * s}; }
  constexpr bool operator==(const Vec2&) const noexcept = default;
};

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  constexpr Vec3 operator+(Vec3 b) const noexcept { return {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3 operator-(Vec3 b) const noexcept { return {x - b.x, y - b.y, z - b.z}; }
  constexpr Vec3 operator-() const noexcept { return {-x, -y, -z}; }
  constexpr Vec3 operator*(double s) const noexcept { return {x * s, y * s, z * s}; }
  constexpr bool operator==(const Vec3&) const noexcept = default;
};

constexpr double dot(Vec2 a, Vec2 b) noexcept { return a.x * b.x + a.y * b.y; }
constexpr double cross(Vec2 a, Vec2 b) noexcept { return a.x * b.y - a.y * b.x; }
constexpr Vec2 left_normal(Vec2 a) noexcept { return {-a.y, a.x}; }
inline double length(Vec2 a) noexcept { return sqrt(dot(a, a)); }
inline double distance(Vec2 a, Vec2 b) noexcept { return length(a - b); }
inline Vec2 unit_vector(double angle) noexcept {
  const SinCos t = sincos(angle);
  return {t.cos, t.sin};
}
inline double angle_of(Vec2 a) noexcept { return atan2(a.y, a.x); }

constexpr double dot(Vec3 a, Vec3 b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) noexcept { return sqrt(dot(a, a)); }
constexpr Vec2 plan_view(Vec3 a) noexcept { return {a.x, a.y}; }

}  // namespace forerun
