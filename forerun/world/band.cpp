#include "forerun/world/band.hpp"

namespace forerun::world {
namespace {

// The part with sign · z ≥ sign · height.
BandPart clip(const BandPart& polygon, double height, double sign) noexcept {
  BandPart part;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 p = polygon[i];
    const Vec3 q = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const double p_inside = sign * (p.z - height);
    const double q_inside = sign * (q.z - height);
    if (p_inside >= 0) part.push_back(p);
    if ((p_inside > 0 && q_inside < 0) || (p_inside < 0 && q_inside > 0)) {
      part.push_back(p + (q - p) * (p_inside / (p_inside - q_inside)));
    }
  }
  return part;
}

}  // namespace

BandPart part_within(const HeightBand& band, const Triangle& triangle) noexcept {
  BandPart whole;
  for (const Vec3 corner : {triangle.a, triangle.b, triangle.c}) whole.push_back(corner);
  return clip(clip(whole, band.low, 1), band.high, -1);
}

}  // namespace forerun::world
