#include "forerun/mission/drive_limits.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::mission {

DriveLimits limits_for(const robot::Description& robot, double share) noexcept {
  const robot::Limits& l = robot.limits;
  const AxisLimit drive{l.max_speed * share, std::min(l.acceleration, l.deceleration) * share};
  const AxisLimit turn{l.max_turn_rate * share, std::min(l.turn_acceleration, l.turn_deceleration) * share};
  DriveLimits limits;
  for (const AxisLimit& axis : {drive, drive, turn}) limits.axes.push_back(axis);
  for (int i = 0; i < robot.drive.n_wheels; ++i) {
    const auto& row = robot.drive.wheel_from_body[static_cast<std::size_t>(i)];
    const double along = std::max(std::fabs(row[0]), robot.drive.can_strafe() ? std::fabs(row[1]) : 0);
    const double about = std::fabs(row[2]);
    limits.axes.push_back(
        {along * drive.speed + about * turn.speed, std::max(along * drive.acceleration, about * turn.acceleration)});
  }
  return limits;
}

Axes axes_of(const robot::Drive& drive, const robot::Twist& twist) noexcept {
  Axes axes;
  for (const double value : {twist.vx, twist.vy, twist.w}) axes.push_back(value);
  for (const double speed : robot::wheel_speeds(drive, twist)) axes.push_back(speed);
  return axes;
}

}  // namespace forerun::mission
