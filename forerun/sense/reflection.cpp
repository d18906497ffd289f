#include "forerun/sense/reflection.hpp"

#include <algorithm>

namespace forerun::sense {

double reflection_probability(const world::Material& material, double alpha, double d) noexcept {
  // PSS-3: θ(d) falls linearly and is clamped at 0
  const double theta = std::max(0.0, material.reflection_angle - material.reflection_angle_slope * d);
  const double beta = material.reflection_range;
  if (alpha < theta) return 0;
  if (alpha < theta + beta) return (alpha - theta) / beta;
  return 1;
}

}  // namespace forerun::sense
