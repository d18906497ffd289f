// A ray and what it meets first.
#pragma once

#include <cstdint>

#include "forerun/geom/vec.hpp"

namespace forerun::world {

struct Ray {
  Vec3 origin;
  Vec3 direction;             // unit vector
  double max_distance = 1e9;  // [m]
};

struct Hit {
  double distance = kInfinity;  // [m]; infinity: nothing within reach
  Vec3 normal;                  // unit vector, turned towards the ray's origin
  std::int32_t material = -1;

  [[nodiscard]] bool found() const noexcept { return distance < kInfinity; }
};

// Horizontal beams from one point, evenly spaced from `first_angle` on.
struct Fan {
  Vec2 origin;
  double first_angle = 0;     // [rad]
  double angle_step = 0;      // [rad]
  double max_distance = 1e9;  // [m]
};

}  // namespace forerun::world
