// How alike two trajectories are when one may go on while the other waits: matching by dynamic programming (KEN-6).
#pragma once

#include <span>
#include <vector>

namespace forerun::mobility {

// One frame, relative to where the robot started.
struct Frame {
  double x = 0;      // [m]
  double z = 0;      // [m]
  double pitch = 0;  // [rad]
};

// Which frames belong together.
struct Pair {
  std::size_t a = 0, b = 0;
};

// From both first frames to both last ones, each step on in one or in both, so that the sum of |norm(a) − norm(b)| is
// least, with norm √(x² + z²). Nothing for an empty trajectory.
[[nodiscard]] std::vector<Pair> match(std::span<const Frame> a, std::span<const Frame> b);

struct MatchErrors {
  double norm_mean = 0, norm_max = 0;    // distance between matched frames [m]
  double x_mean = 0, x_max = 0;          // [m]
  double z_mean = 0, z_max = 0;          // [m]
  double pitch_mean = 0, pitch_max = 0;  // [rad]
};

[[nodiscard]] MatchErrors errors_of(std::span<const Frame> a, std::span<const Frame> b, std::span<const Pair> pairs);

}  // namespace forerun::mobility
