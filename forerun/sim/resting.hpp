// How a tracked robot rests on a terrain when nothing moves: each track lies on what is highest below it, like a ruler
// laid over stones. No forces, and flippers bear nothing: good for a picture where there is no physics engine.
#pragma once

#include <optional>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/posture.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::sim {

struct Resting {
  double height = 0;  // of the robot's frame above the floor [m]
  double roll = 0;    // to the right [rad]
  double pitch = 0;   // nose down [rad]
};

// What is more than half a metre above `height`, where the frame was last known to be [m], is a wall and no ground.
// Nothing where there is no ground below the tracks.
[[nodiscard]] std::optional<Resting> rest(const world::Terrain& terrain, const robot::Crawler& crawler,
                                          const Pose2& pose, double height);

}  // namespace forerun::sim
