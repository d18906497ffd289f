// How wheels move the body. Synchro, differential, omnidirectional and tracked drives are all linear, so one small
// struct serves them: two matrices between wheel speeds and the body's twist.
#pragma once

#include <array>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::robot {

inline constexpr int kMaxWheels = 4;

// Velocity of the body in its own frame.
struct Twist {
  double vx = 0;  // forward [m/s]
  double vy = 0;  // to the left [m/s]
  double w = 0;   // turn rate [rad/s]
  constexpr bool operator==(const Twist&) const noexcept = default;
};

enum class DriveKind { synchro, differential, omni, tracked };

using WheelSpeeds = FixedVector<double, kMaxWheels>;  // [rad/s]

struct Drive {
  DriveKind kind = DriveKind::differential;
  int n_wheels = 0;
  std::array<std::array<double, 3>, kMaxWheels> wheel_from_body{};  // wheel speed = row · (vx, vy, w)
  std::array<std::array<double, kMaxWheels>, 3> body_from_wheel{};
  double ticks_per_turn = 0;  // encoder resolution at the wheel; 0: no encoders

  [[nodiscard]] bool can_strafe() const noexcept { return kind == DriveKind::omni; }
};

// Wheel 0 drives, wheel 1 steers: all wheels turn together (PSS-1).
[[nodiscard]] Drive make_synchro(double wheel_diameter) noexcept;
// Wheel 0 is left, wheel 1 right (DEC-1).
struct DifferentialGeometry {
  double left_diameter = 0.07;   // [m]
  double right_diameter = 0.07;  // [m]
  double base = 0.25;            // distance between the wheels [m]
};
[[nodiscard]] Drive make_differential(const DifferentialGeometry& geometry) noexcept;
// Tracks slip sideways when turning: they act like wheels on a base wider by `slip` (≥ 1).
[[nodiscard]] Drive make_tracked(const DifferentialGeometry& geometry, double slip) noexcept;
// Three or four omni wheels on a circle, each rolling across its bearing.
struct OmniGeometry {
  double wheel_diameter = 0.05;              // [m]
  double wheel_distance = 0.08;              // from the centre [m]
  FixedVector<double, kMaxWheels> bearings;  // [rad]
};
[[nodiscard]] Drive make_omni(const OmniGeometry& geometry) noexcept;

[[nodiscard]] WheelSpeeds wheel_speeds(const Drive& drive, const Twist& twist) noexcept;
[[nodiscard]] Twist body_twist(const Drive& drive, const WheelSpeeds& speeds) noexcept;

}  // namespace forerun::robot
