#include "forerun/predict/region.hpp"

namespace forerun::predict {

bool Region::contains(Vec2 point) const noexcept {
  const Vec2 off = Transform2({centre.x, centre.y, heading}).to_local(point);
  return square(off.x / major) + square(off.y / minor) <= 1;
}

}  // namespace forerun::predict
