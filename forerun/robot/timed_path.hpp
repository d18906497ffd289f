// Where a robot is to be, and when: what a mission tells it to drive.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::robot {

struct TimedPoint {
  double time = 0;  // since the beginning [s]
  Pose2 pose;       // heading with whole turns
  Twist velocity;
};
using TimedPath = std::vector<TimedPoint>;  // times grow from point to point

// Where a path leads to at a time; the last pose, at rest, after its end. `path` is not empty.
[[nodiscard]] TimedPoint point_at(std::span<const TimedPoint> path, double time) noexcept;

[[nodiscard]] double length_of(std::span<const TimedPoint> path) noexcept;  // [m]

}  // namespace forerun::robot
