// How a body stands in space: roll about its x axis (ahead), pitch about y (to the left), yaw about z (up). Positive
// pitch has the nose down.
#pragma once

#include "forerun/geom/vec.hpp"

namespace forerun {

struct Attitude {
  double roll = 0;   // [rad]
  double pitch = 0;  // [rad]
  double yaw = 0;    // [rad]
  constexpr bool operator==(const Attitude&) const noexcept = default;
};

// Turns vectors of the body into vectors of the world.
struct Rotation {
  Vec3 x{1, 0, 0};  // the body's axes in the world
  Vec3 y{0, 1, 0};
  Vec3 z{0, 0, 1};

  constexpr Vec3 operator*(Vec3 v) const noexcept { return x * v.x + y * v.y + z * v.z; }
};

// First roll, then pitch, then yaw, about the axes of the world.
inline Rotation rotation(const Attitude& a) noexcept {
  const SinCos r = sincos(a.roll), p = sincos(a.pitch), w = sincos(a.yaw);
  return {{w.cos * p.cos, w.sin * p.cos, -p.sin},
          {w.cos * p.sin * r.sin - w.sin * r.cos, w.sin * p.sin * r.sin + w.cos * r.cos, p.cos * r.sin},
          {w.cos * p.sin * r.cos + w.sin * r.sin, w.sin * p.sin * r.cos - w.cos * r.sin, p.cos * r.cos}};
}

// The angles of it; straight up or down the roll is 0.
inline Attitude attitude(const Rotation& m) noexcept {
  const double level = sqrt(m.x.x * m.x.x + m.x.y * m.x.y);
  const double pitch = atan2(-m.x.z, level);
  if (level < 1e-9) return {0, pitch, atan2(-m.y.x, m.y.y)};
  return {atan2(m.y.z, m.z.z), pitch, atan2(m.x.y, m.x.x)};
}

}  // namespace forerun
