#include "forerun/navigate/obstacles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace forerun::navigate {
namespace {

// Too near to measure is as near as the sensor can measure; no echo is no obstacle.
bool is_obstacle(float range) noexcept { return range < static_cast<float>(kInfinity); }
double usable(float range, double min_range) noexcept { return std::max(static_cast<double>(range), min_range); }

// A total order, so that equal ranges end in the same order everywhere.
bool comes_before(const Obstacle& a, const Obstacle& b) noexcept {
  if (a.range != b.range) return a.range < b.range;
  if (a.point_in_robot.x != b.point_in_robot.x) return a.point_in_robot.x < b.point_in_robot.x;
  return a.point_in_robot.y < b.point_in_robot.y;
}

// Bearing of each value, in the frame of the ring.
template <class Ring>
double bearing(const Ring& ring, std::size_t i) noexcept {
  return ring.first_bearing + static_cast<double>(i) * kTwoPi / static_cast<double>(ring.count);
}
double bearing(const robot::BumperRing& ring, std::size_t i) noexcept {
  return static_cast<double>(i) * kTwoPi / ring.count;
}

// A sonar's echo: somewhere at `range`, within `half_angle` of the axis.
struct Cone {
  Vec2 apex;
  Vec2 axis;
  double half_angle;
  double range;
};

bool is_explained(const Cone& cone, std::span<const Obstacle> seen) noexcept {
  constexpr double kRangeSlack = 0.15;                  // sonar and laser differ by noise and by what they hit [m]
  constexpr double kAngleSlack = 0.05;                  // between two beams of the laser [rad]
  const double spread = cone.half_angle + kAngleSlack;  // small enough for the angle to be its tangent
  return std::any_of(seen.begin(), seen.end(), [&](const Obstacle& o) {
    const Vec2 d = o.point_in_robot - cone.apex;
    const double ahead = dot(d, cone.axis), aside = cross(cone.axis, d);
    return ahead > 0 && std::fabs(aside) <= spread * ahead && std::fabs(ahead - cone.range) <= kRangeSlack;
  });
}

}  // namespace

double bearing(const robot::Laser& laser, std::size_t beam) noexcept {
  if (laser.beams <= 1) return 0;
  const double step = laser.field_of_view / (laser.beams - 1);
  return -0.5 * laser.field_of_view + static_cast<double>(beam) * step;
}

void ObstacleField::prepare(const robot::Description& robot) {
  directions_.clear();
  for (const robot::Sensor& sensor : robot.sensors) {
    BeamDirections& directions = directions_.emplace_back();
    const auto add = [&](Vec2 direction) {
      directions.exact.push_back(direction);
      directions.x.push_back(static_cast<float>(direction.x));
      directions.y.push_back(static_cast<float>(direction.y));
    };
    const auto n = static_cast<std::size_t>(robot::reading_size(sensor));
    std::visit(
        [&](const auto& kind) {
          for (std::size_t i = 0; i < n; ++i) add(unit_vector(bearing(kind, i)));
        },
        sensor);
  }
}

void ObstacleField::add(Vec2 p) noexcept {
  const double range2 = dot(p, p);
  if (range2 > reach_ * reach_) return;
  obstacles_.push_back({p, sqrt(range2)});
}

// Puts them into drawers by range first, which leaves next to nothing to sort.
void ObstacleField::sort() noexcept {
  constexpr std::size_t kDrawers = 256, kWellSpread = 32;
  double farthest = 0;
  for (const Obstacle& o : obstacles_) farthest = std::max(farthest, o.range);
  const double per_meter = (kDrawers - 1) / std::max(farthest, 1e-9);
  const auto drawer_of = [&](const Obstacle& o) {
    const double drawer = o.range * per_meter;
    return drawer > 0 ? static_cast<std::size_t>(std::min(drawer, kDrawers - 1.0)) : 0;
  };
  std::array<std::uint16_t, kDrawers + 1> first{};
  for (const Obstacle& o : obstacles_) ++first[drawer_of(o) + 1];
  const bool well_spread = *std::max_element(first.begin(), first.end()) <= kWellSpread;
  for (std::size_t i = 1; i < first.size(); ++i) first[i] = static_cast<std::uint16_t>(first[i] + first[i - 1]);
  for (const Obstacle& o : obstacles_) sorted_[first[drawer_of(o)]++] = o;

  const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(obstacles_.size());
  if (!well_spread) return std::sort(sorted_.begin(), end, comes_before);
  for (auto at = sorted_.begin(); at != end; ++at) {
    const Obstacle moved = *at;
    auto to = at;
    for (; to != sorted_.begin() && comes_before(moved, to[-1]); --to) *to = to[-1];
    *to = moved;
  }
}

void ObstacleField::update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
                           double reach) noexcept {
  obstacles_.clear();
  reach_ = reach;
  const Pose2 robot_from_odometry = inverse(odometry);
  rim_ = robot.footprint.radius;
  const auto add_sensor = [&](std::size_t i) {
    const sense::Reading& reading = readings.sensors[i];
    const std::span<const Vec2> directions = i < directions_.size() ? directions_[i].exact : std::span<const Vec2>{};
    const Seen seen{reading.values, directions, robot_from_odometry * reading.odometry};
    std::visit([&](const auto& kind) { add(kind, seen); }, robot.sensors[i]);
  };
  const auto is_laser = [&](std::size_t i) { return std::holds_alternative<robot::Laser>(robot.sensors[i]); };
  // lasers first: they explain what others heard
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    if (is_laser(i)) add_sensor(i);
  }
  n_from_lasers_ = obstacles_.size();
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    if (!is_laser(i)) add_sensor(i);
  }
  sort();
}

template <class Kind>
Vec2 ObstacleField::direction(const Kind& kind, const Seen& seen, std::size_t i) noexcept {
  return i < seen.directions.size() ? seen.directions[i] : unit_vector(bearing(kind, i));
}

// Something stands at the rim wherever a switch is pressed.
void ObstacleField::add(const robot::BumperRing& ring, const Seen& seen) noexcept {
  for (int i = 0; i < ring.count; ++i) {
    if (seen.values[static_cast<std::size_t>(i)] == 0) continue;
    add(direction(ring, seen, static_cast<std::size_t>(i)) * rim_);
  }
}

void ObstacleField::add(const robot::Laser& laser, const Seen& scan) noexcept {
  const Transform2 robot_from_laser(scan.robot_from_then * laser.mount);
  for (std::size_t b = 0; b < scan.values.size(); ++b) {
    if (!is_obstacle(scan.values[b])) continue;
    add(robot_from_laser * (direction(laser, scan, b) * usable(scan.values[b], laser.min_range)));
  }
}

// An echo may come from anywhere across the cone. Where a laser sees what it came from, the laser knows better; else it
// becomes three points across the cone.
void ObstacleField::add(const robot::SonarRing& ring, const Seen& echoes) noexcept {
  const Transform2 robot_then(echoes.robot_from_then);
  for (std::size_t i = 0; i < echoes.values.size(); ++i) {
    if (!is_obstacle(echoes.values[i])) continue;
    const double range = usable(echoes.values[i], ring.min_range);
    if (range > reach_) continue;
    const Vec2 axis = direction(ring, echoes, i);
    const Cone cone{robot_then * (axis * ring.ring_radius), robot_then.rotate(axis), 0.5 * ring.cone_angle, range};
    if (is_explained(cone, {obstacles_.data(), n_from_lasers_})) continue;
    for (const double side : {-0.5, 0.0, 0.5}) {
      const Vec2 ray = unit_vector(bearing(ring, i) + side * ring.cone_angle);
      add(robot_then * (axis * ring.ring_radius + ray * range));
    }
  }
}

void ObstacleField::add(const robot::InfraredRing& ring, const Seen& ranges) noexcept {
  const Transform2 robot_then(ranges.robot_from_then);
  for (std::size_t i = 0; i < ranges.values.size(); ++i) {
    if (!is_obstacle(ranges.values[i])) continue;
    add(robot_then * (direction(ring, ranges, i) * (ring.ring_radius + usable(ranges.values[i], 0))));
  }
}

void ObstacleField::include(std::span<const Vec2> points_in_robot) noexcept {
  if (points_in_robot.empty()) return;
  for (const Vec2 p : points_in_robot) add(p);
  sort();
}

void ObstacleField::update(std::span<const Vec2> points_in_robot) noexcept {
  obstacles_.clear();
  reach_ = kInfinity;
  for (const Vec2 p : points_in_robot) add(p);
  sort();
}

double ObstacleField::free_way(Vec2 direction, double radius, double limit) const noexcept {
  double way = limit;
  for (const Obstacle& o : nearest_first()) {
    if (o.range - radius >= way) break;
    const double ahead = dot(o.point_in_robot, direction);
    const double aside = cross(direction, o.point_in_robot);
    const double h = radius * radius - aside * aside;
    if (ahead <= 0 || h <= 0) continue;
    way = std::min(way, std::max(0.0, ahead - sqrt(h)));
  }
  return way;
}

}  // namespace forerun::navigate
