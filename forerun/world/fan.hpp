// The directions of a fan's beams.
#pragma once

#include <cstddef>
#include <span>

#include "forerun/world/ray.hpp"

namespace forerun::world {

// Beams whose directions are computed together.
inline constexpr std::size_t kFanBlock = 512;

// Fills the unit vectors of the beams `first_beam`, `first_beam` + 1, …, at most kFanBlock of them. Errors stay below
// 1e-14 plus the rounding of the angle itself: nothing adds up from beam to beam.
void fan_directions(const Fan& fan, std::size_t first_beam, std::span<double> x, std::span<double> y) noexcept;

}  // namespace forerun::world
