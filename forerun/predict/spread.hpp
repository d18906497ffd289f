// How far plausible replicas lie from the likeliest one.
#pragma once

#include "forerun/base/math.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::predict {

// Second moments about the likeliest position.
struct Spread {
  double xx = 0, xy = 0, yy = 0;  // [m²]
  double evenness = 1;            // 1: all are about equally far; small: a few are far off, and most are not

  // Of a point this far from the centre: squared, in standard deviations.
  [[nodiscard]] double distance2(Vec2 off) const noexcept {
    return (yy * off.x * off.x - 2 * xy * off.x * off.y + xx * off.y * off.y) / (xx * yy - xy * xy);
  }
};

}  // namespace forerun::predict
