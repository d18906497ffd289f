#include "forerun/predict/region.hpp"

namespace forerun::predict {

bool Region::contains(Vec2 point) const noexcept {
  const Vec2 off = Transform2({centre.x, centre.y, heading}).to_local(point);
  return square(off.x / major) + square(off.y / minor) <= 1;
}

// The nearest point of the ellipse lies where the gradient points at the outer one; in one quadrant, by bisection over
// its Lagrange multiplier (Eberly).
double Region::distance_to(Vec2 point) const noexcept {
  if (contains(point)) return 0;
  const Vec2 off = Transform2({centre.x, centre.y, heading}).to_local(point);
  const double x = off.x < 0 ? -off.x : off.x, y = off.y < 0 ? -off.y : off.y;
  const auto value = [&](double t) {
    return square(major * x / (t + square(major))) + square(minor * y / (t + square(minor))) - 1;
  };
  double low = 0, high = major * x + minor * y;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (value(middle) > 0 ? low : high) = middle;
  }
  const Vec2 nearest{square(major) * x / (high + square(major)), square(minor) * y / (high + square(minor))};
  return distance(nearest, Vec2{x, y});
}

}  // namespace forerun::predict
