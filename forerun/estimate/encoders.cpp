#include "forerun/estimate/encoders.hpp"

#include <cmath>

namespace forerun::estimate {
namespace {

constexpr double kCounterSizes[] = {65536.0, 16777216.0, 4294967296.0};  // of 16, 24 and 32 bits

// The ticks between two readings of a counter that may have wrapped; none when nothing plausible is between them.
std::optional<double> ticks_between(double before, double after, double most) noexcept {
  const double difference = after - before;
  if (std::fabs(difference) <= most) return difference;
  for (const double size : kCounterSizes) {
    const double unwrapped = difference - std::copysign(size, difference);
    if (std::fabs(unwrapped) <= most) return unwrapped;
  }
  return std::nullopt;
}

// Both counters at 0 of a sudden: the driver was started anew.
bool starts_anew(const Ticks& before, const Ticks& after, double ticks_per_turn) noexcept {
  const double slack = 0.05 * ticks_per_turn;
  const bool were_there = std::fabs(before.left) <= slack && std::fabs(before.right) <= slack;
  return after.left == 0 && after.right == 0 && !were_there;
}

}  // namespace

std::optional<WheelTurns> Encoders::advance(const Ticks& ticks, double elapsed_s) noexcept {
  const std::optional<Ticks> before = last_;
  last_ = ticks;
  if (!before || starts_anew(*before, ticks, scale_.ticks_per_turn)) return std::nullopt;
  const double most = scale_.max_turns_per_s * scale_.ticks_per_turn * elapsed_s;
  const auto left = ticks_between(before->left, ticks.left, most);
  const auto right = ticks_between(before->right, ticks.right, most);
  if (!left || !right) return std::nullopt;
  return WheelTurns{*left / scale_.ticks_per_turn, *right / scale_.ticks_per_turn};
}

}  // namespace forerun::estimate
