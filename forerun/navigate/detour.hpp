// A way round what the planner does not know: the best point that the sensors show to be within straight reach.
#pragma once

#include <optional>

#include "forerun/geom/pose.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

struct DetourParams {
  double radius = 0.3;       // of the footprint with its margin [m]
  double reach = 2.0;        // look at most this far [m]
  double turn_cost = 0.15;   // of turning to it, so that the robot does not dither [m/rad]
  double change_cost = 0.3;  // of leaving the direction chosen before [m/rad]
};

// Whether a disc can go straight to the point, as far as the sensors show.
[[nodiscard]] bool is_in_sight(const ObstacleField& obstacles, Vec2 point_in_robot, double radius) noexcept;

// The point with the least way there plus way on to the goal. Nothing where no direction is free.
[[nodiscard]] std::optional<Vec2> find_detour(const ValueFunction& values, const ObstacleField& obstacles,
                                              const Transform2& world_from_robot, Vec2 last_target,
                                              const DetourParams& params) noexcept;

}  // namespace forerun::navigate
