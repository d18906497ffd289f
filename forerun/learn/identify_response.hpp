// Delay, lag and gain of each axis, from what was commanded and where the robot was seen.
#pragma once

#include <span>

#include "forerun/learn/commanded_drive.hpp"
#include "forerun/respond/response.hpp"

namespace forerun::learn {

// The response whose displacements over `window` seconds are nearest to those that were seen. Robots that drive
// sideways answer alike in both directions.
[[nodiscard]] respond::Response identify_response(std::span<const CommandedDrive> drives, double window = 0.5);

// Likewise with a pure delay alone, and what was commanded coming about in full: what the commands say by themselves.
[[nodiscard]] respond::Response identify_delays(std::span<const CommandedDrive> drives, double window = 0.5);

}  // namespace forerun::learn
