// What the robot perceives with: a list of sensors, each of a kind. A kind is a plain struct with a field list; what is
// common to all of them is asked here, so that only those who treat a kind in its own way name it.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "forerun/base/fields.hpp"
#include "forerun/base/math.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::robot {

inline constexpr int kMaxBeams = 1440;   // of one laser
inline constexpr int kMaxRing = 64;      // sensors in one ring
inline constexpr int kMaxConeRays = 37;  // rays that stand for one sonar cone

// What the list needs to know of a kind.
struct SensorKind {
  const char* name;                // of one of them
  const char* key;                 // in a robot's file
  int most = 1;                    // of one robot; more than one stand as a list in the file
  std::uint64_t first_stream = 0;  // numbers of random streams, `most` of them below 16: no other kind has them
  bool is_stopgap = false;         // a replica does without where the robot has sensors that see farther
};

struct Laser {
  static constexpr SensorKind kKind{.name = "laser", .key = "lasers", .most = 4};
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

// Evenly spaced sonars that look outwards; each is a cone of rays.
struct SonarRing {
  static constexpr SensorKind kKind{.name = "sonar", .key = "sonar", .first_stream = 8};
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

// Evenly spaced short-range sensors that look outwards along one ray each.
struct InfraredRing {
  static constexpr SensorKind kKind{.name = "infrared", .key = "infrared", .first_stream = 9, .is_stopgap = true};
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
  static constexpr SensorKind kKind{.name = "bumper", .key = "bumper", .first_stream = 10};
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

// In the order in which they stand in a robot's list. The place of a kind is its number in the binary form.
using Sensor = std::variant<Laser, SonarRing, InfraredRing, BumperRing>;

// Calls `visit(Kind{})` for every kind.
template <class Visit, std::size_t... I>
void for_each_sensor_kind(Visit&& visit, std::index_sequence<I...>) {
  (visit(std::variant_alternative_t<I, Sensor>{}), ...);
}
template <class Visit>
void for_each_sensor_kind(Visit&& visit) {
  for_each_sensor_kind(visit, std::make_index_sequence<std::variant_size_v<Sensor>>{});
}

[[nodiscard]] inline const SensorKind& kind_of(const Sensor& sensor) noexcept {
  return std::visit([](const auto& s) -> const SensorKind& { return std::decay_t<decltype(s)>::kKind; }, sensor);
}

// Numbers in one reading: beams of a scan, members of a ring.
[[nodiscard]] inline int reading_size(const Sensor& sensor) noexcept {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.beams; }) {
          return s.beams;
        } else {
          return s.count;
        }
      },
      sensor);
}

[[nodiscard]] inline double rate_hz(const Sensor& sensor) noexcept {
  return std::visit([](const auto& s) { return s.rate_hz; }, sensor);
}

// Of the sensor's random numbers; 0 for a kind that draws none.
[[nodiscard]] inline std::uint64_t seed_of(const Sensor& sensor) noexcept {
  return std::visit(
      [](const auto& s) -> std::uint64_t {
        if constexpr (requires { s.seed; }) {
          return s.seed;
        } else {
          return 0;
        }
      },
      sensor);
}

// Two fields; the first must be the smaller one.
struct OrderedPair {
  const char* low_key;
  double low;
  const char* high_key;
  double high;
};
// Calls `visit(OrderedPair)` for each that the kind has.
template <class Kind, class Visit>
void visit_ordered_pairs(const Kind& s, Visit&& visit) {
  if constexpr (requires { s.min_range; }) visit(OrderedPair{"min_range_m", s.min_range, "max_range_m", s.max_range});
  if constexpr (requires { s.low; }) visit(OrderedPair{"low_m", s.low, "high_m", s.high});
}

// The robot's first sensor of this kind, or none.
template <class Kind, class Sensors>
[[nodiscard]] auto* find_sensor(Sensors& sensors) noexcept {
  for (auto& sensor : sensors) {
    if (auto* found = std::get_if<Kind>(&sensor)) return found;
  }
  return static_cast<decltype(std::get_if<Kind>(&*sensors.begin()))>(nullptr);
}

}  // namespace forerun::robot
