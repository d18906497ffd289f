// Counters on two wheels that may wrap around, start anew or skip.
#pragma once

#include <optional>

#include "forerun/estimate/wheel_motion.hpp"

namespace forerun::estimate {

struct EncoderScale {
  double ticks_per_turn = 1;
  double max_turns_per_s = 50;  // no wheel turns faster: such a jump is a wrap, a reset or a fault
};

// Cumulative ticks, which may be fractional.
struct Ticks {
  double left = 0;
  double right = 0;
};

class Encoders {
 public:
  explicit Encoders(const EncoderScale& scale) noexcept : scale_(scale) {}

  // How far the wheels have turned in the `elapsed_s` since the last reading. None at the first reading, and where the
  // reading cannot follow on the last one because a counter was reset or skipped: count on from here. Counters that
  // wrap at 16, 24 or 32 bits go on.
  [[nodiscard]] std::optional<WheelTurns> advance(const Ticks& ticks, double elapsed_s) noexcept;

 private:
  EncoderScale scale_;
  std::optional<Ticks> last_;
};

}  // namespace forerun::estimate
