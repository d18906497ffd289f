// Durations and points in time, in whole nanoseconds so that schedules are exact. Each clock has a type of its own.
#pragma once

#include <compare>
#include <cstdint>

namespace forerun {

struct Duration {
  std::int64_t ns = 0;

  auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration other) const noexcept { return {ns + other.ns}; }
  constexpr Duration operator-(Duration other) const noexcept { return {ns - other.ns}; }
  constexpr Duration& operator+=(Duration other) noexcept {
    ns += other.ns;
    return *this;
  }
};

// Rounds to the nearest nanosecond; |s| up to about 292 years.
constexpr Duration from_seconds(double s) noexcept {
  return {static_cast<std::int64_t>(s * 1e9 + (s < 0 ? -0.5 : 0.5))};
}
constexpr double to_seconds(Duration d) noexcept { return static_cast<double>(d.ns) * 1e-9; }

// A point in time on one clock; clocks do not mix.
template <class Clock>
struct TimePoint {
  std::int64_t ns = 0;  // since the clock's own zero

  auto operator<=>(const TimePoint&) const = default;
  constexpr TimePoint operator+(Duration d) const noexcept { return {ns + d.ns}; }
  constexpr TimePoint operator-(Duration d) const noexcept { return {ns - d.ns}; }
  constexpr Duration operator-(TimePoint other) const noexcept { return {ns - other.ns}; }
  constexpr TimePoint& operator+=(Duration d) noexcept {
    ns += d.ns;
    return *this;
  }
};

struct RobotClock;
struct OperatorClock;
using RobotTime = TimePoint<RobotClock>;        // the robot side's clock; in a simulation, virtual time
using OperatorTime = TimePoint<OperatorClock>;  // the operator side's clock

// Seconds since the clock's zero, for formulas and files.
template <class Clock>
constexpr double to_seconds(TimePoint<Clock> t) noexcept {
  return to_seconds(Duration{t.ns});
}

}  // namespace forerun
