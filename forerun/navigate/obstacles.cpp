#include "forerun/navigate/obstacles.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::navigate {
namespace {

// Too near to measure is as near as the sensor can measure; no echo is no obstacle.
bool is_obstacle(float range) noexcept { return range < static_cast<float>(kInfinity); }
double usable(float range, double min_range) noexcept { return std::max(static_cast<double>(range), min_range); }

}  // namespace

void ObstacleField::add(Vec2 p) noexcept {
  const double range2 = dot(p, p);
  if (range2 > reach_ * reach_) return;
  obstacles_.push_back({p, sqrt(range2)});
}

void ObstacleField::sort() noexcept {
  std::sort(obstacles_.begin(), obstacles_.end(), [](const Obstacle& a, const Obstacle& b) {
    // a total order, so that equal ranges end in the same order everywhere
    if (a.range != b.range) return a.range < b.range;
    if (a.point_in_robot.x != b.point_in_robot.x) return a.point_in_robot.x < b.point_in_robot.x;
    return a.point_in_robot.y < b.point_in_robot.y;
  });
}

void ObstacleField::update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
                           double reach) noexcept {
  obstacles_.clear();
  reach_ = reach;
  const Pose2 robot_from_odometry = inverse(odometry);
  for (std::size_t i = 0; i < readings.lasers.size(); ++i) {
    const robot::Laser& laser = robot.lasers[i];
    const sense::Ranges& scan = readings.lasers[i];
    const Transform2 robot_from_laser(robot_from_odometry * scan.odometry * laser.mount);
    const double step = laser.beams > 1 ? laser.field_of_view / (laser.beams - 1) : 0;
    const double first = laser.beams > 1 ? -0.5 * laser.field_of_view : 0;
    for (std::size_t b = 0; b < scan.values.size(); ++b) {
      if (!is_obstacle(scan.values[b])) continue;
      const Vec2 beam = unit_vector(first + static_cast<double>(b) * step);
      add(robot_from_laser * (beam * usable(scan.values[b], laser.min_range)));
    }
  }
  // a ring of sensors; a wide beam becomes three points across its width
  const auto add_ring = [&](const sense::Ranges& ring, double first, double ring_radius, double min_range, double width) {
    const Transform2 robot_then(robot_from_odometry * ring.odometry);
    for (std::size_t i = 0; i < ring.values.size(); ++i) {
      if (!is_obstacle(ring.values[i])) continue;
      const double bearing = first + static_cast<double>(i) * kTwoPi / static_cast<double>(ring.values.size());
      const Vec2 origin = unit_vector(bearing) * ring_radius;
      const double range = usable(ring.values[i], min_range);
      for (int side = width > 0 ? -1 : 0; side <= (width > 0 ? 1 : 0); ++side) {
        add(robot_then * (origin + unit_vector(bearing + side * 0.5 * width) * range));
      }
    }
  };
  const robot::SonarRing& sonar = robot.sonar;
  add_ring(readings.sonar, sonar.first_bearing, sonar.ring_radius, sonar.min_range, sonar.cone_angle);
  add_ring(readings.infrared, robot.infrared.first_bearing, robot.infrared.ring_radius, 0, 0);
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
  for (const Obstacle& o : obstacles_) {
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
