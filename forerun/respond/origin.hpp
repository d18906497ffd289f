// What a prediction begins with: where the robot was seen last, how it was answering, and how it deviated from that.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/respond/seen_track.hpp"

namespace forerun::respond {

// How far back the robot is compared with what was expected of it [periods].
inline constexpr std::array<double, 7> kLags{1, 2, 3, 5, 7, 10, 15};
// Over these times its deviation is measured [s].
inline constexpr std::array<double, 3> kWindows{0.3, 0.8, 1.6};
inline constexpr double kLongestHistory = kWindows.back();

// A straight line through what was seen less what was expected.
struct Deviation {
  Pose2 offset;           // now: what is off in the pose that was seen last
  robot::Twist velocity;  // beside the expected one, in the robot's frame
};

struct Origin {
  double time = 0;                              // [s]
  Pose2 pose;                                   // seen last
  Motion motion;                                // expected
  std::array<Pose2, kLags.size()> residuals{};  // seen less expected, each in the robot's frame of now
  std::array<Deviation, kWindows.size()> deviations{};
};

// `track` must not be empty. Where it is shorter than a window, all of it counts.
[[nodiscard]] Origin make_origin(const SeenTrack& track, double period) noexcept;

}  // namespace forerun::respond
