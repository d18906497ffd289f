// What a robot's range sensors saw at a moment, as points around it.
#pragma once

#include <algorithm>
#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::localize {

inline constexpr std::size_t kMaxEchoes = 64;  // more of them say little more

struct Echo {
  Vec2 from;    // where the sensor is, in the robot's frame
  Vec2 at;      // where the echo came from
  Vec2 across;  // the echo may have come from at − across … at + across: half a sonar's cone; zeros for a laser
};
using Echoes = FixedVector<Echo, kMaxEchoes>;

// A fan of ranges, counter-clockwise.
struct RangeScan {
  Pose2 robot_from_sensor{};
  double first_angle = 0;  // [rad]
  double step = 0;         // [rad]
  double least_range = 0;  // nearer than this is the robot itself, or nothing [m]
  double max_range = 0;    // this or more is no echo [m]
  std::span<const float> ranges{};
};

// Adds echoes spread evenly over the fan, at most `most` of them and as many as there is room for.
inline void add_echoes(const RangeScan& scan, std::size_t most, Echoes& echoes) noexcept {
  const auto has_echo = [&](float range) {
    return range > static_cast<float>(scan.least_range) && range < static_cast<float>(scan.max_range);
  };
  std::size_t n = 0;
  for (const float range : scan.ranges) n += has_echo(range) ? 1 : 0;
  const Transform2 robot_from_sensor(scan.robot_from_sensor);
  std::size_t seen = 0, taken = 0;
  for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
    if (!has_echo(scan.ranges[i])) continue;
    // the k-th of n echoes is taken where k · most / n passes a whole number
    const bool due = n <= most || (seen * most) / n >= taken;
    ++seen;
    if (!due || taken >= most || echoes.size() == echoes.capacity()) continue;
    ++taken;
    const double angle = scan.first_angle + static_cast<double>(i) * scan.step;
    echoes.push_back({robot_from_sensor.translation,
                      robot_from_sensor * (unit_vector(angle) * static_cast<double>(scan.ranges[i])),
                      {}});
  }
}

// In the field's units. Of a cone the place counts that fits best.
[[nodiscard]] inline std::uint8_t distance_to_wall(const LikelihoodField& field, const Transform2& world_from_robot,
                                                   const Echo& echo) noexcept {
  const Vec2 at = world_from_robot * echo.at;
  const std::uint8_t distance = field.distance_at(at);
  if (echo.across == Vec2{}) return distance;
  const Vec2 across = world_from_robot.rotate(echo.across);
  return std::min({distance, field.distance_at(at + across), field.distance_at(at - across)});
}

}  // namespace forerun::localize
