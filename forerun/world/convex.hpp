// Convex outlines in the plane: how far they extend within a strip. One rule serves the ray caster's tiles and the
// planner's cells.
#pragma once

#include <algorithm>
#include <span>

#include "forerun/geom/vec.hpp"

namespace forerun::world {

// Empty until something is included.
struct Interval {
  double low = kInfinity;
  double high = -kInfinity;

  void include(double x) noexcept {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  [[nodiscard]] bool empty() const noexcept { return !(low <= high); }
};

// The x-range of the outline's part with y in [low, high], exact also for outlines of two corners or one.
[[nodiscard]] inline Interval extent_within(std::span<const Vec2> corners, double low, double high) noexcept {
  Interval extent;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 p = corners[i];
    const Vec2 q = corners[i + 1 < corners.size() ? i + 1 : 0];
    if (p.y >= low && p.y <= high) extent.include(p.x);
    for (const double y : {low, high}) {
      if ((p.y < y) != (q.y < y)) extent.include(p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)));
    }
  }
  return extent;
}

}  // namespace forerun::world
