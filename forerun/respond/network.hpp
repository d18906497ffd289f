// The papers' models: a linear one, and a network with one hidden layer of sigmoid units and linear outputs (LAT-3).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forerun/geom/pose.hpp"

namespace forerun::respond {

inline constexpr std::size_t kOutputs = 4;  // x, y, sine and cosine of the turn
inline constexpr std::size_t kMostHidden = 64;

// A row for each output: a weight for each input, then one that is always added.
struct LinearModel {
  std::size_t inputs = 0;
  std::vector<double> weights;

  // Where the robot will be, from where it is; allocates nothing.
  [[nodiscard]] Pose2 predict(std::span<const double> values) const noexcept;
};

struct Network {
  std::size_t inputs = 0;
  std::size_t hidden = 0;           // ≤ kMostHidden
  std::vector<double> in_weights;   // a row for each hidden unit, likewise
  std::vector<double> out_weights;  // a row for each output, likewise

  [[nodiscard]] Pose2 predict(std::span<const double> values) const noexcept;
};

[[nodiscard]] double sigmoid(double x) noexcept;

// The pose that four outputs mean; the turn lies within half a turn.
[[nodiscard]] Pose2 pose_of(std::span<const double> outputs) noexcept;

}  // namespace forerun::respond
