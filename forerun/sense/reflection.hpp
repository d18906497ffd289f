// Ultrasound glances off smooth surfaces (PSS-3).
#pragma once

#include "forerun/world/world.hpp"

namespace forerun::sense {

// P(r | α, d): how likely a ray that meets `material` at distance `d` under the angle `alpha` is lost. α is the angle
// between the surface normal and the reversed ray, 0 for a frontal hit.
[[nodiscard]] double reflection_probability(const world::Material& material, double alpha, double d) noexcept;

}  // namespace forerun::sense
