// Quantities as whole numbers of a unit: no NaN can travel, and every value has one spelling.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "forerun/base/math.hpp"

namespace forerun {

// Rounds to whole units. Clears `fits`, and gives zero, for what is not finite or out of range.
template <class Whole>
[[nodiscard]] Whole to_units(double value, double unit, bool& fits) noexcept {
  const double units = std::floor(value / unit + 0.5);
  if (!(units >= static_cast<double>(std::numeric_limits<Whole>::min()) &&
        units <= static_cast<double>(std::numeric_limits<Whole>::max()))) {
    fits = false;
    return 0;
  }
  return static_cast<Whole>(units);
}

// The same, but the largest number stands for all that are larger.
template <class Whole>
[[nodiscard]] Whole to_units_up_to(double value, double unit, bool& fits) noexcept {
  const double largest = static_cast<double>(std::numeric_limits<Whole>::max()) * unit;
  return to_units<Whole>(value > largest ? largest : value, unit, fits);
}

inline constexpr double kTurnUnit = kTwoPi / 65536;

// A heading as a share of a full turn.
[[nodiscard]] inline std::uint16_t heading_to_units(double heading, bool& fits) noexcept {
  if (!(heading > -1e6 && heading < 1e6)) {
    fits = false;
    return 0;
  }
  return static_cast<std::uint16_t>(static_cast<std::int64_t>(std::floor(heading / kTurnUnit + 0.5)));
}
[[nodiscard]] inline double heading_from_units(std::uint16_t units) noexcept {
  return static_cast<double>(static_cast<std::int16_t>(units)) * kTurnUnit;
}

}  // namespace forerun
