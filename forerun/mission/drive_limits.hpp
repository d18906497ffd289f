// How fast a mission may ask the body and its wheels to move, and to change how they move.
#pragma once

#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::mission {

// A quantity that is driven: the body along one of its axes, its turn rate, or a wheel.
struct AxisLimit {
  double speed = 0;         // [m/s] or [rad/s]
  double acceleration = 0;  // [m/s²] or [rad/s²]
};

inline constexpr std::size_t kBodyAxes = 3;  // forward, to the left, turning
inline constexpr std::size_t kMaxAxes = kBodyAxes + robot::kMaxWheels;
using Axes = FixedVector<double, kMaxAxes>;  // a value of each

struct DriveLimits {
  FixedVector<AxisLimit, kMaxAxes> axes;  // the body's, then a wheel each
};

// Of the description's limits this share is used: the rest is for the tracker's corrections. A wheel turns as fast as
// the body's limits together ask of it; it speeds up no faster than for driving straight on or turning on the spot,
// whichever asks more of it.
[[nodiscard]] DriveLimits limits_for(const robot::Description& robot, double share) noexcept;

// The velocities of the body and the wheel speeds that belong to them, in the order of the limits.
[[nodiscard]] Axes axes_of(const robot::Drive& drive, const robot::Twist& twist) noexcept;

}  // namespace forerun::mission
