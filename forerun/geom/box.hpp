// Axis-aligned rectangles and straight pieces of line in the plane.
#pragma once

#include <algorithm>

#include "forerun/geom/vec.hpp"

namespace forerun {

struct Segment2 {
  Vec2 a;
  Vec2 b;
};

// The point of the segment nearest to `p`. A segment of length zero is a point.
inline Vec2 nearest_point(const Segment2& s, Vec2 p) noexcept {
  const Vec2 d = s.b - s.a;
  const double l2 = dot(d, d);
  if (l2 == 0) return s.a;
  const double t = clamp(dot(p - s.a, d) / l2, 0.0, 1.0);
  return s.a + d * t;
}

// True where the insides of the two segments cross; touching ends do not count.
inline bool cross_each_other(const Segment2& s, const Segment2& t) noexcept {
  const Vec2 d = s.b - s.a, e = t.b - t.a;
  const auto opposite = [](double p, double q) { return (p < 0 && q > 0) || (p > 0 && q < 0); };
  return opposite(cross(d, t.a - s.a), cross(d, t.b - s.a)) && opposite(cross(e, s.a - t.a), cross(e, s.b - t.a));
}

// Empty until something is included.
struct Box2 {
  Vec2 low{kInfinity, kInfinity};
  Vec2 high{-kInfinity, -kInfinity};

  void include(Vec2 p) noexcept {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  [[nodiscard]] bool empty() const noexcept { return !(low.x <= high.x && low.y <= high.y); }
  [[nodiscard]] bool contains(Vec2 p) const noexcept {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
  }
  [[nodiscard]] Vec2 size() const noexcept { return high - low; }
  [[nodiscard]] Vec2 center() const noexcept { return (low + high) * 0.5; }
};

}  // namespace forerun
