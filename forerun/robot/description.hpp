// What a robot is: body, drive, limits and sensors. Plain data, as read from robots/*.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/crawler.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/robot/eye.hpp"
#include "forerun/robot/sensor.hpp"

namespace forerun::robot {

inline constexpr int kMaxCorners = 12;

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
  std::string control_system = "navigator";  // who decides, and …
  std::string planner = "value_iteration";   // … who plans: names of navigate/control_systems.hpp
  std::vector<Sensor> sensors;
  // what was learned of how it answers its commands (respond/model_bytes.hpp); empty: nothing
  std::vector<std::uint8_t> response;
  std::optional<Crawler> crawler;  // as physics has it, of a tracked robot with flippers
  std::optional<Eye> camera;       // of a robot without crawler, which has cameras of its own
};

// The camera that looks ahead, whose images travel; null: it has none.
[[nodiscard]] inline const Eye* front_camera(const Description& d) noexcept {
  if (d.crawler) return &d.crawler->front;
  return d.camera ? &*d.camera : nullptr;
}

}  // namespace forerun::robot
