// The inputs of the papers' models: the last frames in the robot's own coordinates (LAT-2).
#pragma once

#include <array>
#include <cstddef>

#include "forerun/respond/command_track.hpp"
#include "forerun/respond/response.hpp"
#include "forerun/respond/seen_track.hpp"

namespace forerun::respond {

inline constexpr std::size_t kPerFrame = 7;  // x, y, sine and cosine of the turn, commands forward, aside and turning
inline constexpr std::size_t kMostFrames = 16;
using FrameInputs = std::array<double, kPerFrame * kMostFrames>;  // as many as there are frames count

struct FrameShape {
  std::size_t frames = 6;
  double period = 1.0 / 30;   // [s]
  double horizon = 4.0 / 30;  // for which they are made [s]
  double delay = 0;           // the robot's dead time: commands that are younger cannot show yet [s]
};

// Where the robot was one, two … frames ago, from where it is now; and the commands that decide where it will be: those
// of so many frames up to the one that shows at the horizon. A horizon longer than that has their means instead.
[[nodiscard]] FrameInputs make_frames(const SeenTrack& track, const CommandTrack& commands,
                                      const FrameShape& params) noexcept;

}  // namespace forerun::respond
