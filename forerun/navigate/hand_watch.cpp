#include "forerun/navigate/hand_watch.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::navigate {
namespace {

constexpr double kCell = 0.0625;               // of what is remembered [m]
constexpr double kFarthest = 1.9;              // likewise, from the robot [m]
constexpr Duration kLasts = from_seconds(15);  // likewise
constexpr double kBefore = 0.1;                // a beam that ends so much before a place does not show it [m]
constexpr double kSlack = 0.02;                // at the edges of a laser's view [rad]

bool is_in_view(const robot::Laser& laser, Vec2 point_in_laser) noexcept {
  return std::fabs(angle_of(point_in_laser)) < 0.5 * laser.field_of_view - kSlack;
}

// Where this beam ends; infinity where it meets nothing.
double range_of(const robot::Laser& laser, const sense::Reading& scan, Vec2 point_in_laser) noexcept {
  const double n = static_cast<double>(scan.values.size());
  const double at = (angle_of(point_in_laser) / laser.field_of_view + 0.5) * (n - 1);
  const auto beam = static_cast<std::size_t>(clamp(at + 0.5, 0.0, n - 1));
  return static_cast<double>(scan.values[beam]);
}

}  // namespace

void OutOfView::update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
                       std::span<const BeamDirections> directions) noexcept {
  RobotTime newest = kNever;
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    const auto* laser = std::get_if<robot::Laser>(&robot.sensors[i]);
    const sense::Reading& scan = readings.sensors[i];
    if (laser == nullptr || scan.values.size() < 2) continue;
    newest = std::max(newest, scan.time);
    if (scan.time == taken_[i]) continue;
    taken_[i] = scan.time;
    clear_in_view(*laser, scan);
    take(*laser, scan, directions[i].exact);
  }
  points_.clear();
  const Transform2 odometry_from_robot(odometry);
  for (const Trace& trace : traces_) {
    if (newest - trace.seen > kLasts || distance(trace.place, odometry.position()) > kFarthest) continue;
    if (!points_.push_back(odometry_from_robot.to_local(trace.place))) break;
  }
}

// Each cell keeps the newest point in it.
void OutOfView::take(const robot::Laser& laser, const sense::Reading& scan, std::span<const Vec2> directions) noexcept {
  const Transform2 odometry_from_laser(scan.odometry * laser.mount);
  const auto cell_of = [](double x) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(std::floor(x / kCell)) & (kCells - 1));
  };
  for (std::size_t b = 0; b < scan.values.size(); ++b) {
    const double range = std::max(static_cast<double>(scan.values[b]), laser.min_range);
    if (!(range < kFarthest)) continue;
    const Vec2 place = odometry_from_laser * (directions[b] * range);
    traces_[cell_of(place.y) * kCells + cell_of(place.x)] = {place, scan.time};
  }
}

void OutOfView::clear_in_view(const robot::Laser& laser, const sense::Reading& scan) noexcept {
  const Transform2 odometry_from_laser(scan.odometry * laser.mount);
  for (Trace& trace : traces_) {
    if (scan.time - trace.seen > kLasts) continue;
    const Vec2 p = odometry_from_laser.to_local(trace.place);
    if (is_in_view(laser, p) && range_of(laser, scan, p) > length(p) - kBefore) trace.seen = kNever;
  }
}

HandWatch::HandWatch(const PlanningModel& model, const world::Outline& known, const robot::Description& robot)
    : model_(model),
      known_(known),
      robot_(robot),
      guard_(robot),
      sees_far_(std::any_of(robot.sensors.begin(), robot.sensors.end(),
                            [](const robot::Sensor& sensor) {
                              return std::holds_alternative<robot::Laser>(sensor) && robot::reading_size(sensor) > 1;
                            })),
      out_of_view_(robot) {
  obstacles_.prepare(robot_);
}

bool HandWatch::is_in_view(Vec2 point_in_robot) const noexcept {
  return std::any_of(robot_.sensors.begin(), robot_.sensors.end(), [&](const robot::Sensor& sensor) {
    const auto* laser = std::get_if<robot::Laser>(&sensor);
    return laser != nullptr && navigate::is_in_view(*laser, Transform2(laser->mount).to_local(point_in_robot));
  });
}

// Walls that are known, where no laser looks.
void HandWatch::look_up(const Transform2& world_from_robot) noexcept {
  points_.clear();
  for_each_known(known_, world_from_robot, guard_.reach(), [&](Vec2 p) {
    if (!is_in_view(p)) points_.push_back(p);
  });
}

void HandWatch::observe(const Percept& percept) noexcept {
  const Transform2 world_from_robot(percept.pose);
  obstacles_.update(robot_, percept.readings, percept.odometry, guard_.reach());
  look_up(world_from_robot);
  obstacles_.include({points_.data(), points_.size()});
  if (sees_far_) {
    out_of_view_.update(robot_, percept.readings, percept.odometry, obstacles_.directions());
    obstacles_.include(out_of_view_.points_in_robot());
  } else {
    memory_.update(robot_, model_, percept.readings, percept.odometry, world_from_robot, percept.time);
    obstacles_.include(memory_.points_in_robot());
  }
}

AllowedHand HandWatch::allow(const robot::Twist& velocity, const robot::Twist& wanted) noexcept {
  const AllowedHand allowed = guard_.allow({velocity, commanded_}, wanted, obstacles_);
  commanded_ = allowed.velocity;
  return allowed;
}

}  // namespace forerun::navigate
