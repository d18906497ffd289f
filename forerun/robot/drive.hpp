// How wheels move the body. A drive is its geometry; two matrices between wheel speeds and the body's twist follow from
// it, because synchro, differential, omnidirectional, tracked and car-like drives are all linear in the wheels that are
// counted. What a steered drive cannot do is one number more: how sharply it turns.
#pragma once

#include <array>
#include <variant>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/math.hpp"
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

// In the order of `Geometry`.
enum class DriveKind { synchro, differential, omni, tracked, car, tricycle };
inline constexpr std::array<const char*, 6> kDriveNames{"synchro", "differential", "omni",
                                                        "tracked", "car",          "tricycle"};

// Wheel 0 drives, wheel 1 steers: all wheels turn together (PSS-1).
struct SynchroGeometry {
  double wheel_diameter = 0.15;  // [m]
};

// Wheel 0 is left, wheel 1 right (DEC-1).
struct DifferentialGeometry {
  double left_diameter = 0.07;   // [m]
  double right_diameter = 0.07;  // [m]
  double base = 0.25;            // distance between the wheels [m]
};

// Three or four omni wheels on a circle, each rolling across its bearing.
struct OmniGeometry {
  double wheel_diameter = 0.05;              // [m]
  double wheel_distance = 0.08;              // from the centre [m]
  FixedVector<double, kMaxWheels> bearings;  // [rad]
};

// Tracks slip sideways when turning: they act like wheels on a base wider by `slip`.
struct TrackedGeometry {
  DifferentialGeometry tracks;
  double slip = 1;  // ≥ 1
};

// Two rear wheels that roll (0 is left, 1 right) and front wheels that steer. The robot's origin is the middle of the
// rear axle.
struct CarGeometry {
  double wheel_diameter = 0.1;  // of the rear wheels [m]
  double base = 0.3;            // distance between the rear wheels [m]
  double wheelbase = 0.3;       // from the rear to the front axle [m]
  double steering_limit = 0.6;  // of the middle between the front wheels, to either side [rad]
};

// The same with one front wheel.
struct TricycleGeometry {
  CarGeometry car;
};

using Geometry =
    std::variant<SynchroGeometry, DifferentialGeometry, OmniGeometry, TrackedGeometry, CarGeometry, TricycleGeometry>;

using WheelSpeeds = FixedVector<double, kMaxWheels>;  // [rad/s]

struct Drive {
  DriveKind kind = DriveKind::differential;
  Geometry geometry = DifferentialGeometry{};
  int n_wheels = 0;                                                 // that are counted
  std::array<std::array<double, 3>, kMaxWheels> wheel_from_body{};  // wheel speed = row · (vx, vy, w)
  std::array<std::array<double, kMaxWheels>, 3> body_from_wheel{};
  double max_curvature = kInfinity;  // of the sharpest turn [1/m]; infinite: turns on the spot
  double ticks_per_turn = 0;         // encoder resolution at the wheel; 0: no encoders

  [[nodiscard]] bool can_strafe() const noexcept { return kind == DriveKind::omni; }
  [[nodiscard]] bool can_turn_on_the_spot() const noexcept { return max_curvature == kInfinity; }
  // Whether wheels 0 and 1 are the left and the right one.
  [[nodiscard]] bool has_sides() const noexcept { return n_wheels == 2 && kind != DriveKind::synchro; }
};

// Of this kind, as it is when nothing else is said.
[[nodiscard]] Geometry default_geometry(DriveKind kind) noexcept;
// Two omni wheels that roll the same way leave one motion of the body undetermined: they must stand 10° apart.
[[nodiscard]] bool bearings_differ(const FixedVector<double, kMaxWheels>& bearings) noexcept;

// The drive of this geometry.
[[nodiscard]] Drive make_drive(const Geometry& geometry) noexcept;
[[nodiscard]] Drive make_synchro(double wheel_diameter) noexcept;
[[nodiscard]] Drive make_differential(const DifferentialGeometry& geometry) noexcept;
[[nodiscard]] Drive make_tracked(const DifferentialGeometry& geometry, double slip) noexcept;
[[nodiscard]] Drive make_omni(const OmniGeometry& geometry) noexcept;
[[nodiscard]] Drive make_car(const CarGeometry& geometry) noexcept;
[[nodiscard]] Drive make_tricycle(const CarGeometry& geometry) noexcept;

[[nodiscard]] WheelSpeeds wheel_speeds(const Drive& drive, const Twist& twist) noexcept;
[[nodiscard]] Twist body_twist(const Drive& drive, const WheelSpeeds& speeds) noexcept;

// What a car does with this speed [m/s] of its rear axle's middle and this angle [rad] of its (middle) front wheel.
[[nodiscard]] Twist car_twist(const CarGeometry& car, double speed, double steering) noexcept;
// The angle of the (middle) front wheel for this motion; 0 where it stands.
[[nodiscard]] double steering_angle(const CarGeometry& car, const Twist& twist) noexcept;
// Angles of the left and the right front wheel, which roll about the same point as the rear axle (Ackermann).
struct FrontWheels {
  double left = 0, right = 0;  // [rad]
};
[[nodiscard]] FrontWheels front_wheels(const CarGeometry& car, const Twist& twist) noexcept;

// The twist without the part of its turn that is too sharp for the steering.
[[nodiscard]] Twist within_steering(const Drive& drive, const Twist& twist) noexcept;

inline constexpr Field kWheelDiameter{0.005, 2, "diameter of a wheel [m]"};
inline constexpr Field kBase{0.01, 5, "distance between the left and the right wheels or tracks [m]"};

template <class Visit>
void visit_fields(SynchroGeometry& p, Visit&& visit) {
  visit("wheel_diameter_m", p.wheel_diameter, kWheelDiameter);
}
template <class Visit>
void visit_fields(DifferentialGeometry& p, Visit&& visit) {
  visit("left_diameter_m", p.left_diameter, Field{kWheelDiameter.low, kWheelDiameter.high, "of the left wheel [m]"});
  visit("right_diameter_m", p.right_diameter, Field{kWheelDiameter.low, kWheelDiameter.high, "of the right wheel [m]"});
  visit("base_m", p.base, kBase);
}
// The bearings are no single number; visitors add them.
template <class Visit>
void visit_fields(OmniGeometry& p, Visit&& visit) {
  visit("wheel_diameter_m", p.wheel_diameter, kWheelDiameter);
  visit("wheel_distance_m", p.wheel_distance, Field{0.01, 5, "wheel to centre [m]"});
}
template <class Visit>
void visit_fields(TrackedGeometry& p, Visit&& visit) {
  visit_fields(p.tracks, visit);
  visit("slip", p.slip, Field{1, 10, "how much wider the base seems when turning"});
}
template <class Visit>
void visit_fields(CarGeometry& p, Visit&& visit) {
  visit("wheel_diameter_m", p.wheel_diameter, kWheelDiameter);
  visit("base_m", p.base, kBase);
  visit("wheelbase_m", p.wheelbase, Field{0.02, 10, "from the rear to the front axle [m]"});
  visit("steering_limit_rad", p.steering_limit, Field{0.02, 1.5, "how far the front wheels turn to either side [rad]"});
}
template <class Visit>
void visit_fields(TricycleGeometry& p, Visit&& visit) {
  visit_fields(p.car, visit);
}

}  // namespace forerun::robot
