// A drive as one axis after the other has it: what was commanded of it, and how far the robot was seen to go (LAT-1).
#pragma once

#include <span>
#include <vector>

#include "forerun/learn/commanded_drive.hpp"
#include "forerun/learn/lagged_command.hpp"

namespace forerun::learn {

// One stretch without a gap, a jump of the poses or a long rest.
struct AxisSignal {
  std::vector<CommandStep> commands;  // begin well before the first pose
  std::vector<double> times;          // of the poses [s]
  std::vector<double> travelled;      // seen since the first of them [m], [rad]
};

inline constexpr double kLongestDelay = 1.2;  // that is looked for [s]

// Along the robot's own x axis; for one that drives sideways along its y axis too, in signals of their own.
[[nodiscard]] std::vector<AxisSignal> translation_of(std::span<const CommandedStretch> stretches, bool sideways);
[[nodiscard]] std::vector<AxisSignal> rotation_of(std::span<const CommandedStretch> stretches);

// Leaves out poses, evenly, where there are more than `most`.
void thin_out(std::vector<AxisSignal>& signals, std::size_t most);

}  // namespace forerun::learn
