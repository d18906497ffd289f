// Where the robot is with a stated probability: an ellipse (BEY-2).
#pragma once

#include "forerun/base/math.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::predict {

struct Region {
  Vec2 centre;
  double major = 0;  // semi-axes [m]
  double minor = 0;
  double heading = 0;  // of the major axis [rad]

  [[nodiscard]] bool contains(Vec2 point) const noexcept;
  // How far outside a point is [m]; 0 inside.
  [[nodiscard]] double distance_to(Vec2 point) const noexcept;
  // Of the disc with the same area.
  [[nodiscard]] double radius() const noexcept { return sqrt(major * minor); }
};

}  // namespace forerun::predict
