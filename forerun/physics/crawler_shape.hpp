// A tracked robot as it looks, and what its cameras look at.
#pragma once

#include <vector>

#include "forerun/physics/camera.hpp"
#include "forerun/physics/scene.hpp"

namespace forerun::physics {

// Body, tracks and flippers as they stand.
void add_shape(const robot::Crawler& robot, const CrawlerState& state, std::vector<ColouredTriangle>& triangles);

// How the front camera is turned: to the left and down, from where it is mounted [rad].
struct Gaze {
  double pan = 0;
  double tilt = 0;
  double field_of_view = 0;  // from top to bottom [rad]; 0: as the robot's file has it
};

// `eye`: of this robot, as it stands. Size and the rest are the caller's.
[[nodiscard]] Camera camera_on(const robot::Eye& eye, const CrawlerState& state, const Gaze& gaze = {});

}  // namespace forerun::physics
