// How far the simulated robot departs from its own copy: the named levels of PSS-7, as data.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "forerun/base/random.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::sim {

// Zero means: no such departure.
struct Reality {
  const char* name = "exact";
  // motors
  double velocity_noise = 0;          // v and ω are multiplied by 1 + this · n(t), n Gauss–Markov of unit variance
  double velocity_correlation = 0.2;  // correlation time of n [s]
  double motor_lag = 0;               // first order [s]
  double control_jitter = 0;          // the control period varies by ± this, uniformly [s]
  // sensors and dead reckoning
  double laser_noise = 0;          // σ of a range instead of the description's; 0: the description's [m]
  double odometry_scale = 0;       // σ of the scale of distances
  double odometry_turn_scale = 0;  // σ of the scale of turns
  double heading_drift = 0;        // σ of the drift [rad/m]
  // what the copy gets wrong
  double slower = 0;            // top speeds and accelerations lie below the description's by this share
  double weight_error = 0;      // each weight of G is off by + or − this share
  double pose_error = 0;        // σ of the reported position, per axis [m]
  double heading_error = 0;     // σ of the reported heading [rad]
  double pose_correlation = 5;  // correlation time of both [s]
  // what nobody put on the map
  int people = 0;
  double slowest_person = 0.8;   // [m/s]
  double fastest_person = 1.2;   // [m/s]
  double person_stops_at = 1.0;  // distance to the robot [m]
  int boxes = 0;
  double box_size = 0.4;  // edge [m]
  double passage = 0.9;   // a box leaves at least this much to pass [m]
};

inline constexpr Reality kExact{};
inline constexpr Reality kNoisy{.name = "noisy",
                                .velocity_noise = 0.05,
                                .motor_lag = 0.1,
                                .control_jitter = 0.02,
                                .laser_noise = 0.02,
                                .odometry_scale = 0.01,
                                .odometry_turn_scale = 0.02,
                                .heading_drift = 0.01};
inline constexpr Reality kMismatched = [] {
  Reality r = kNoisy;
  r.name = "mismatched";
  r.slower = 0.1;
  r.weight_error = 0.1;
  r.pose_error = 0.05;
  r.heading_error = kPi / 180;
  return r;
}();
inline constexpr Reality kCrowded = [] {
  Reality r = kMismatched;
  r.name = "crowded";
  r.people = 6;
  r.boxes = 4;
  return r;
}();

inline constexpr std::array<Reality, 4> kRealities{kExact, kNoisy, kMismatched, kCrowded};

[[nodiscard]] std::optional<Reality> find_reality(std::string_view name) noexcept;

// The robot as it truly is, made from the description that its copy believes.
[[nodiscard]] robot::Description apply(const Reality& reality, const robot::Description& believed, Random& random);

}  // namespace forerun::sim
