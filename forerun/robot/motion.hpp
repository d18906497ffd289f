// How a body moves while its velocities or accelerations are held constant (PSS-1).
#pragma once

#include <span>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::robot {

struct State {
  Pose2 pose;
  Twist velocity;
};

// Rates of change of the velocities.
struct Acceleration {
  double v = 0;   // forward [m/s²]
  double w = 0;   // turning [rad/s²]
  double vy = 0;  // to the left [m/s²]
};

// Where a body is after `dt` at constant velocities: an arc, smooth through w → 0.
[[nodiscard]] Pose2 move(const Pose2& pose, const Twist& velocity, double dt) noexcept;
// The same for velocities one after the other, each for `dt`: to the bit, and in less time.
[[nodiscard]] Pose2 move(const Pose2& pose, std::span<const Twist> velocities, double dt) noexcept;

// One simulation step: moves with the velocities at its beginning, then changes them. The position error against
// `exact_motion` is of first order in the step: about ½ v̇ dt per second of accelerating.
[[nodiscard]] State step(const State& state, const Acceleration& acceleration, double dt) noexcept;

// The integral of PSS-1 for constant accelerations, to rounding, by Gauss–Legendre quadrature.
[[nodiscard]] State exact_motion(const State& state, const Acceleration& acceleration, double dt) noexcept;

// The velocity nearest to `wanted` that the limits allow after `dt`. Speeding up and braking have limits of their own.
[[nodiscard]] Twist approach(const Twist& now, const Twist& wanted, const Limits& limits, double dt) noexcept;

}  // namespace forerun::robot
