// A tracked robot with four flippers, as a physics engine needs it (KEN-1, KEN-2). Its frame lies in the middle of the
// main tracks, x ahead, y to the left, z up.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/base/fields.hpp"
#include "forerun/geom/rotation.hpp"
#include "forerun/robot/eye.hpp"

namespace forerun::robot {

// In this order everywhere: in reports, commands and files.
enum Flipper : std::size_t { kFrontLeft, kFrontRight, kRearLeft, kRearRight };
inline constexpr std::size_t kFlippers = 4;
inline constexpr std::array<const char*, kFlippers> kFlipperNames{"front left", "front right", "rear left",
                                                                  "rear right"};
// Angles [rad]: 0 stretched away from the body, positive with the tip up.
using FlipperAngles = std::array<double, kFlippers>;

constexpr bool is_front(std::size_t flipper) noexcept { return flipper < 2; }
constexpr bool is_left(std::size_t flipper) noexcept { return flipper % 2 == 0; }

struct Crawler {
  // the body: a box of even density, moved so that the whole robot's centre of gravity is as given
  Vec3 body_size{0.6, 0.4, 0.18};
  double body_mass = 16;                     // [kg]
  Vec3 center_of_gravity{-0.015, 0, -0.05};  // of the whole robot, flippers stretched [m]
  // the two main tracks: belts around a row of wheels
  double track_length = 0.4;   // between the first and the last axle [m]
  double track_radius = 0.09;  // of the wheels, belt included [m]
  double track_offset = 0.11;  // of a belt's middle from the robot's middle [m]
  int track_wheels = 9;        // that carry the belt
  // the four flippers: arms with belts, driven along with the main track of their side
  Vec2 hinge{0.225, 0.23};         // of the front left one [m]
  double flipper_length = 0.145;   // from the hinge to the axle at the tip [m]
  double hinge_radius = 0.05;      // of the wheel there [m]
  double tip_radius = 0.08;        // of the wheel there [m]
  double hinge_wheel_mass = 0.35;  // [kg]
  double tip_wheel_mass = 0.65;    // [kg]
  int flipper_wheels = 6;          // that carry the belt
  // what the belts do on the ground
  double friction = 1.3;        // along the belt, whose lugs hold
  double side_friction = 0.45;  // across it, where they slide
  // motors
  double track_torque = 25;      // of a main track, at its wheels [N·m]
  double track_speed = 0.6;      // of the belt, at most [m/s]
  double track_inertia = 0.05;   // of motor and gears, at the wheels [kg·m²]
  double flipper_torque = 40;    // [N·m]
  double flipper_speed = 1.2;    // [rad/s]
  double flipper_limit = 3.0;    // up and down [rad]
  double ticks_per_turn = 2000;  // of the encoders on all six axes
  // cameras
  Eye front{{0.25, 0, 0.16}, 0.1, 0.8};   // turns, tilts and zooms
  Eye above{{-0.35, 0, 0.75}, 0.7, 1.0};  // looks down on the robot
};

// How many wheels a belt may be made of.
inline constexpr int kMostBeltWheels = 24;

// All but the cameras, which are parts of their own.
template <class Visit>
void visit_fields(Crawler& c, Visit&& visit) {
  constexpr Field kLength{0.01, 5, "length [m]"};
  constexpr Field kRadius{0.005, 1, "radius of a wheel with its belt [m]"};
  constexpr Field kWheels{2, kMostBeltWheels, "wheels that carry a belt"};
  constexpr Field kFriction{0.05, 3, "friction of a belt"};
  visit("body_length_m", c.body_size.x, kLength);
  visit("body_width_m", c.body_size.y, kLength);
  visit("body_height_m", c.body_size.z, kLength);
  visit("body_mass_kg", c.body_mass, Field{0.1, 1000, "mass without flippers [kg]"});
  visit("gravity_x_m", c.center_of_gravity.x, Field{-2, 2, "centre of gravity, ahead of the middle [m]"});
  visit("gravity_y_m", c.center_of_gravity.y, Field{-2, 2, "centre of gravity, left of the middle [m]"});
  visit("gravity_z_m", c.center_of_gravity.z, Field{-2, 2, "centre of gravity, above the main axles [m]"});
  visit("track_length_m", c.track_length, Field{0.01, 5, "between the outer axles of a main track [m]"});
  visit("track_radius_m", c.track_radius, kRadius);
  visit("track_offset_m", c.track_offset, Field{0.01, 3, "of a main track from the middle [m]"});
  visit("track_wheels", c.track_wheels, kWheels);
  visit("hinge_x_m", c.hinge.x, Field{0.01, 5, "flipper hinges, ahead of and behind the middle [m]"});
  visit("hinge_y_m", c.hinge.y, Field{0.01, 5, "flipper hinges, left and right of the middle [m]"});
  visit("flipper_length_m", c.flipper_length, Field{0.01, 5, "from a flipper's hinge to the axle at its tip [m]"});
  visit("hinge_radius_m", c.hinge_radius, kRadius);
  visit("tip_radius_m", c.tip_radius, kRadius);
  visit("hinge_wheel_mass_kg", c.hinge_wheel_mass, Field{0.01, 100, "of a flipper, at its hinge [kg]"});
  visit("tip_wheel_mass_kg", c.tip_wheel_mass, Field{0.01, 100, "of a flipper, at its tip [kg]"});
  visit("flipper_wheels", c.flipper_wheels, kWheels);
  visit("friction", c.friction, kFriction);
  visit("side_friction", c.side_friction, kFriction);
  visit("track_torque_nm", c.track_torque, Field{0.1, 10000, "torque of a main track at its wheels [N·m]"});
  visit("track_speed_mps", c.track_speed, Field{0.01, 20, "top speed of a belt [m/s]"});
  visit("track_inertia_kgm2", c.track_inertia, Field{1e-4, 100, "of motor and gears at the wheels [kg·m²]"});
  visit("flipper_torque_nm", c.flipper_torque, Field{0.1, 10000, "torque of a flipper [N·m]"});
  visit("flipper_speed_radps", c.flipper_speed, Field{0.01, 20, "top speed of a flipper [rad/s]"});
  visit("flipper_limit_rad", c.flipper_limit, Field{0.1, 6.3, "how far flippers turn up and down [rad]"});
  visit("ticks_per_turn", c.ticks_per_turn, Field{1, 1e7, "encoder ticks per turn of an axis"});
}

[[nodiscard]] constexpr double flipper_mass(const Crawler& c) noexcept { return c.hinge_wheel_mass + c.tip_wheel_mass; }
[[nodiscard]] constexpr double total_mass(const Crawler& c) noexcept {
  return c.body_mass + static_cast<double>(kFlippers) * flipper_mass(c);
}

}  // namespace forerun::robot
