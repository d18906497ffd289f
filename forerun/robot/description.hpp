// What a robot is: body, drive, limits and sensors. Plain data, as read from robots/*.yaml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::robot {

inline constexpr int kMaxCorners = 12;
inline constexpr int kMaxLasers = 4;
inline constexpr int kMaxBeams = 1440;   // of one laser
inline constexpr int kMaxRing = 64;      // sensors in one ring
inline constexpr int kMaxConeRays = 37;  // rays that stand for one sonar cone

// Outline in the plan view: a disc, or a convex polygon when corners are given.
struct Footprint {
  double radius = 0.25;                      // disc, or the polygon's circumscribed circle about the origin [m]
  FixedVector<Vec2, kMaxCorners> corners{};  // counter-clockwise; empty: disc

  [[nodiscard]] bool is_disc() const noexcept { return corners.empty(); }
};

struct Limits {
  double max_speed = 0.5;          // [m/s]
  double max_turn_rate = 1.0;      // [rad/s]
  double acceleration = 0.5;       // [m/s²]
  double deceleration = 0.5;       // [m/s²]
  double turn_acceleration = 1.5;  // [rad/s²]
  double turn_deceleration = 1.5;  // [rad/s²]
};

template <class Visit>
void visit_fields(Limits& p, Visit&& visit) {
  visit("max_speed_mps", p.max_speed, Field{0.01, 10, "top forward speed [m/s]"});
  visit("max_turn_rate_radps", p.max_turn_rate, Field{0.01, 20, "top turn rate [rad/s]"});
  visit("acceleration_mps2", p.acceleration, Field{0.01, 20, "speeding up [m/s²]"});
  visit("deceleration_mps2", p.deceleration, Field{0.01, 20, "braking [m/s²]"});
  visit("turn_acceleration_radps2", p.turn_acceleration, Field{0.01, 100, "turning faster [rad/s²]"});
  visit("turn_deceleration_radps2", p.turn_deceleration, Field{0.01, 100, "turning slower [rad/s²]"});
}

// Evenly spaced sonars that look outwards; each is a cone of rays.
struct SonarRing {
  int count = 0;
  double ring_radius = 0.25;  // [m]
  double height = 0.4;        // [m]
  double first_bearing = 0;   // bearing of sonar 0 [rad]
  double cone_angle = 0.26;   // full opening [rad]
  int rays = 9;               // per cone
  double min_range = 0.1;     // [m]
  double max_range = 5.0;     // [m]
  double noise = 0.01;        // σ of a range [m]
  double rate_hz = 4;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(SonarRing& p, Visit&& visit) {
  visit("count", p.count, Field{0, kMaxRing, "sonars in the ring"});
  visit("ring_radius_m", p.ring_radius, Field{0, 5, "distance of the sonars from the robot's centre [m]"});
  visit("height_m", p.height, Field{0, 5, "height above the floor [m]"});
  visit("first_bearing_rad", p.first_bearing, Field{-kTwoPi, kTwoPi, "bearing of sonar 0 [rad]"});
  visit("cone_angle_rad", p.cone_angle, Field{0, 1.5, "full opening of the cone [rad]"});
  visit("rays", p.rays, Field{1, kMaxConeRays, "rays that stand for one cone"});
  visit("min_range_m", p.min_range, Field{0, 10, "nearest echo [m]"});
  visit("max_range_m", p.max_range, Field{0.05, 50, "farthest echo [m]"});
  visit("noise_m", p.noise, Field{0, 1, "standard deviation of a range [m]"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "readings per second"});
  visit("seed", p.seed, Field{0, 1e15, "number of the sensor's random stream"});
}

struct Laser {
  std::string name = "laser";
  Pose2 mount{};        // robot_from_laser
  double height = 0.4;  // [m]
  int beams = 180;
  double field_of_view = kPi;  // from the first to the last beam [rad]
  double min_range = 0.02;     // [m]
  double max_range = 10.0;     // [m]
  double noise = 0.01;         // σ of a range [m]
  double rate_hz = 8;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(Laser& p, Visit&& visit) {
  visit("name", p.name, Field{0, 0, "what it is called"});
  visit("mount", p.mount, Field{-10, 10, "x, y, heading on the robot [m, m, rad]"});
  visit("height_m", p.height, Field{0, 5, "height above the floor [m]"});
  visit("beams", p.beams, Field{1, kMaxBeams, "beams of one scan"});
  visit("field_of_view_rad", p.field_of_view, Field{0, kTwoPi, "first to last beam [rad]"});
  visit("min_range_m", p.min_range, Field{0, 10, "nearest range [m]"});
  visit("max_range_m", p.max_range, Field{0.05, 200, "farthest range [m]"});
  visit("noise_m", p.noise, Field{0, 1, "standard deviation of a range [m]"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "scans per second"});
  visit("seed", p.seed, Field{0, 1e15, "number of the sensor's random stream"});
}

// Evenly spaced short-range sensors that look outwards along one ray each.
struct InfraredRing {
  int count = 0;
  double ring_radius = 0.25;  // [m]
  double height = 0.2;        // [m]
  double first_bearing = 0;   // [rad]
  double max_range = 0.6;     // [m]
  double noise = 0.02;        // σ of a range [m]
  double rate_hz = 10;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(InfraredRing& p, Visit&& visit) {
  visit("count", p.count, Field{0, kMaxRing, "sensors in the ring"});
  visit("ring_radius_m", p.ring_radius, Field{0, 5, "distance of the sensors from the robot's centre [m]"});
  visit("height_m", p.height, Field{0, 5, "height above the floor [m]"});
  visit("first_bearing_rad", p.first_bearing, Field{-kTwoPi, kTwoPi, "bearing of sensor 0 [rad]"});
  visit("max_range_m", p.max_range, Field{0.01, 10, "farthest range [m]"});
  visit("noise_m", p.noise, Field{0, 1, "standard deviation of a range [m]"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "readings per second"});
  visit("seed", p.seed, Field{0, 1e15, "number of the sensor's random stream"});
}

// Evenly spaced contact switches around the footprint; segment 0 is centred straight ahead.
struct BumperRing {
  int count = 0;
  double reach = 0.01;  // a surface nearer than this to the footprint presses the switch [m]
  double low = 0.05;    // the ring covers heights from here [m]
  double high = 0.4;    // to here [m]
  double rate_hz = 20;
};

template <class Visit>
void visit_fields(BumperRing& p, Visit&& visit) {
  visit("count", p.count, Field{0, kMaxRing, "switches around the footprint"});
  visit("reach_m", p.reach, Field{0, 0.5, "a surface nearer than this presses the switch [m]"});
  visit("low_m", p.low, Field{0, 5, "lower edge [m]"});
  visit("high_m", p.high, Field{0, 5, "upper edge [m]"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "readings per second"});
}

// How the control system drives (PSS-4, PSS-5): belongs to the robot, because its weights were tuned on it.
struct Control {
  // decisions
  double period = 0.25;          // between decisions [s]
  double heading_weight = 2.0;   // α of G
  double distance_weight = 0.2;  // β of G
  double velocity_weight = 0.2;  // γ of G
  double distance_cap = 2.0;     // farther obstacles count as this far [m]
  double smoothing = 0.25;       // σ of G: share of the neighbours in each cell of the (v, ω) grid
  int speed_samples = 7;         // over the window
  int turn_samples = 15;
  double margin = 0.06;    // kept free around the footprint [m]
  double motor_lag = 0.1;  // assumed when braking [s]
  // planning
  double cell_size = 0.05;          // of the planner's grid [m]
  double planning_margin = 0.08;    // kept free around the footprint when planning [m]
  double clearance_distance = 0.9;  // nearer to obstacles than this costs more [m]; 0: no clearance cost
  double clearance_cost = 4.0;      // how much more, at the obstacle (1: twice)
  double target_distance = 3.0;     // target points are at most this far ahead [m]
  double goal_tolerance = 0.15;     // a goal is reached within this [m]
};

template <class Visit>
void visit_fields(Control& p, Visit&& visit) {
  visit("period_s", p.period, Field{0.02, 2, "time between decisions [s]"});
  visit("heading_weight", p.heading_weight, Field{0, 10, "weight of heading in G"});
  visit("distance_weight", p.distance_weight, Field{0, 10, "weight of obstacle distance in G"});
  visit("velocity_weight", p.velocity_weight, Field{0, 10, "weight of forward speed in G"});
  visit("distance_cap_m", p.distance_cap,
        Field{0.1, 20, "obstacles farther than this along the arc do not matter [m]"});
  visit("smoothing", p.smoothing, Field{0, 1, "how much of G comes from neighbouring velocities"});
  visit("speed_samples", p.speed_samples, Field{2, 31, "speeds tried within the window"});
  visit("turn_samples", p.turn_samples, Field{3, 63, "turn rates tried within the window"});
  visit("margin_m", p.margin, Field{0, 1, "kept free around the footprint while driving [m]"});
  visit("motor_lag_s", p.motor_lag, Field{0, 1, "delay of the motors counted when braking [s]"});
  visit("cell_size_m", p.cell_size, Field{0.01, 1, "cell of the planner's grid [m]"});
  visit("planning_margin_m", p.planning_margin, Field{0, 1, "kept free around the footprint in the plan [m]"});
  visit("clearance_distance_m", p.clearance_distance,
        Field{0, 5, "paths nearer to obstacles cost more [m]; 0: no such cost"});
  visit("clearance_cost", p.clearance_cost, Field{0, 20, "extra cost beside an obstacle, as a multiple of the length"});
  visit("target_distance_m", p.target_distance, Field{0.3, 20, "target points are at most this far ahead [m]"});
  visit("goal_tolerance_m", p.goal_tolerance, Field{0.02, 2, "a goal is reached within this distance [m]"});
}

struct Description {
  std::string name = "robot";
  double height = 1.0;  // [m]
  Footprint footprint;
  Drive drive;
  Limits limits;
  Control control;
  FixedVector<Laser, kMaxLasers> lasers;
  SonarRing sonar;
  InfraredRing infrared;
  BumperRing bumper;
};

}  // namespace forerun::robot
