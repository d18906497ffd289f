// Where something is in the plane and which way it faces. A pose is also the transform from its own frame:
// `point_in_world = world_from_robot * point_in_robot`.
#pragma once

#include "forerun/geom/vec.hpp"

namespace forerun {

struct Pose2 {
  double x = 0;
  double y = 0;
  double theta = 0;  // heading, counter-clockwise from the x axis

  [[nodiscard]] constexpr Vec2 position() const noexcept { return {x, y}; }
  constexpr bool operator==(const Pose2&) const noexcept = default;
};

// A pose with its sine and cosine at hand, for many points at once.
struct Transform2 {
  Vec2 translation;
  SinCos rotation;

  Transform2() = default;
  explicit Transform2(const Pose2& pose) noexcept : translation(pose.position()), rotation(sincos(pose.theta)) {}

  [[nodiscard]] Vec2 rotate(Vec2 v) const noexcept {
    return {rotation.cos * v.x - rotation.sin * v.y, rotation.sin * v.x + rotation.cos * v.y};
  }
  [[nodiscard]] Vec2 operator*(Vec2 point) const noexcept { return translation + rotate(point); }
  // The point seen from inside the frame.
  [[nodiscard]] Vec2 to_local(Vec2 point) const noexcept {
    const Vec2 d = point - translation;
    return {rotation.cos * d.x + rotation.sin * d.y, rotation.cos * d.y - rotation.sin * d.x};
  }
};

inline Vec2 operator*(const Pose2& a_from_b, Vec2 point_in_b) noexcept { return Transform2(a_from_b) * point_in_b; }

inline Pose2 operator*(const Pose2& a_from_b, const Pose2& b_from_c) noexcept {
  const Vec2 p = a_from_b * b_from_c.position();
  return {p.x, p.y, normalize_angle(a_from_b.theta + b_from_c.theta)};
}

inline Pose2 inverse(const Pose2& a_from_b) noexcept {
  const Vec2 p = Transform2(a_from_b).to_local({0, 0});
  return {p.x, p.y, normalize_angle(-a_from_b.theta)};
}

}  // namespace forerun
