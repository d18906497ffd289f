// Fewer points for the same line.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/vec.hpp"

namespace forerun::draw {

// Keeps the ends, and every point needed so that nothing moves by more than `tolerance` [m] (Douglas, Peucker 1973).
[[nodiscard]] std::vector<Vec2> simplify(std::span<const Vec2> points, double tolerance);

}  // namespace forerun::draw
