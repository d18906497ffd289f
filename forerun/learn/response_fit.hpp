// Delay, lag and gain of one axis from what was commanded and seen, and how sure they are (LAT-1).
#pragma once

#include <array>
#include <span>

#include "forerun/learn/axis_signal.hpp"
#include "forerun/learn/response_cost.hpp"

namespace forerun::learn {

struct Interval {
  double low = 0, high = 0;
  [[nodiscard]] double width() const { return high - low; }
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

// By how much what was seen is later than what was commanded, lag and delay in one: where their correlation over short
// distances is largest, between the samples too.
struct Shift {
  double time = 0;         // [s]
  double correlation = 0;  // there, at most 1
};
[[nodiscard]] Shift find_shift(std::span<const AxisSignal> signals);

struct ResponseFit {
  Response response;
  Interval delay_ci95, lag_ci95;
  double pose_noise = 0;  // σ of a pose [m], [rad]
  double straying = 0;    // variance that the strayings add in a second, as a multiple of that of a pose [1/s]
  std::size_t n_poses = 0;
};

// `start` is about the sum of delay and lag. A lag that the drives do not show for sure is 0; the interval of the delay
// then still has room for it.
[[nodiscard]] ResponseFit fit_response(std::span<const AxisSignal> signals, double start);

}  // namespace forerun::learn
