// Which corners make an outline that the robot's body may have.
#pragma once

#include <span>

#include "forerun/geom/vec.hpp"

namespace forerun::robot {

// Counter-clockwise and convex: every corner turns left by more than nothing, and the whole turns once.
[[nodiscard]] bool is_convex(std::span<const Vec2> corners) noexcept;

// Whether a counter-clockwise convex outline holds the origin in its inside. The robot turns about it, so it must.
[[nodiscard]] bool encloses_origin(std::span<const Vec2> corners) noexcept;

}  // namespace forerun::robot
