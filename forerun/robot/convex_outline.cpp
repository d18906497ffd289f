#include "forerun/robot/convex_outline.hpp"

#include "forerun/base/math.hpp"

namespace forerun::robot {

bool is_convex(std::span<const Vec2> corners) noexcept {
  constexpr double kStraight = 1e-9;  // less than this is no corner [m²]
  const std::size_t n = corners.size();
  double turned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = corners[(i + 1) % n] - corners[i];
    const Vec2 out = corners[(i + 2) % n] - corners[(i + 1) % n];
    if (cross(in, out) <= kStraight) return false;
    turned += atan2(cross(in, out), dot(in, out));
  }
  return n >= 3 && turned < kTwoPi + 0.1;
}

bool encloses_origin(std::span<const Vec2> corners) noexcept {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (cross(corners[i], corners[(i + 1) % corners.size()]) <= 0) return false;
  }
  return true;
}

}  // namespace forerun::robot
