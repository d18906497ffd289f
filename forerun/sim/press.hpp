// Which motions a contact stops: those that press on against what is touched, and not those that lead away from it.
#pragma once

#include <span>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/outline.hpp"

namespace forerun::sim {

// A step of the body.
struct BodyStep {
  Pose2 from;
  Pose2 to;
};

// Whether the step ends in contact with something, nearer to it or deeper in it than it began. Movers are taken where
// they are now: what has come to the robot does not hold it.
[[nodiscard]] bool presses_on(const robot::Footprint& footprint, const BodyStep& step, const world::Outline& outline,
                              std::span<const world::Mover> movers) noexcept;

}  // namespace forerun::sim
