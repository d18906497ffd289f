#include "forerun/estimate/wheel_motion.hpp"

#include <cmath>

namespace forerun::estimate {
namespace {

// Derivative of sin(x)/x.
double sinc_slope(double x) noexcept {
  // the quotient below loses its digits near 0
  if (std::fabs(x) < 1e-3) return -x / 3 + x * x * x / 30;
  return (cos(x) - sinc(x)) / x;
}

}  // namespace

ArcMotion arc_of(const robot::DifferentialGeometry& geometry, const WheelTurns& turns) noexcept {
  const double left = kPi * geometry.left_diameter * turns.left;
  const double right = kPi * geometry.right_diameter * turns.right;
  return {(left + right) / 2, (right - left) / geometry.base};
}

Pose2 move_along(const Pose2& pose, const ArcMotion& motion) noexcept {
  const double alpha = motion.turned / 2;
  const double chord = motion.driven * sinc(alpha);
  const SinCos course = sincos(pose.theta + alpha);
  return {pose.x + chord * course.cos, pose.y + chord * course.sin, normalize_angle(pose.theta + motion.turned)};
}

Moved move(const Pose2& pose, const robot::DifferentialGeometry& geometry, const WheelTurns& turns) noexcept {
  const ArcMotion motion = arc_of(geometry, turns);
  const double alpha = motion.turned / 2;
  const double arc_share = sinc(alpha);  // of the chord in the arc
  const double chord = motion.driven * arc_share;
  const SinCos course = sincos(pose.theta + alpha);
  Moved moved{.pose = move_along(pose, motion), .by_pose = identity<3>()};
  moved.by_pose(0, 2) = -chord * course.sin;
  moved.by_pose(1, 2) = chord * course.cos;

  // by Δs and Δφ first
  const double stretch = motion.driven * sinc_slope(alpha) / 2;
  const Matrix<3, 2> by_motion{{{{arc_share * course.cos, stretch * course.cos - chord * course.sin / 2},
                                 {arc_share * course.sin, stretch * course.sin + chord * course.cos / 2},
                                 {0, 1}}}};
  const double left = kPi * turns.left, right = kPi * turns.right, base = geometry.base;
  moved.by_geometry =
      by_motion * Matrix<2, 3>{{{{left / 2, right / 2, 0}, {-left / base, right / base, -motion.turned / base}}}};
  const double left_way = kPi * geometry.left_diameter, right_way = kPi * geometry.right_diameter;
  moved.by_turns = by_motion * Matrix<2, 2>{{{{left_way / 2, right_way / 2}, {-left_way / base, right_way / base}}}};
  return moved;
}

Seen see(const Pose2& world_from_robot, const Pose2& robot_from_sensor) noexcept {
  const SinCos turn = sincos(world_from_robot.theta);
  const Vec2 arm = Transform2(world_from_robot).rotate(robot_from_sensor.position());
  Seen seen{.pose = world_from_robot * robot_from_sensor, .by_pose = identity<3>()};
  seen.by_pose(0, 2) = -arm.y;
  seen.by_pose(1, 2) = arm.x;
  seen.by_mount = {{{{turn.cos, -turn.sin, 0}, {turn.sin, turn.cos, 0}, {0, 0, 1}}}};
  return seen;
}

SeenMove see_move(const robot::DifferentialGeometry& geometry, const WheelTurns& turns,
                  const Pose2& robot_from_sensor) noexcept {
  return see_move(move({}, geometry, turns), robot_from_sensor);
}

SeenMove see_move(const Moved& moved, const Pose2& robot_from_sensor) noexcept {
  const SinCos turn = sincos(moved.pose.theta), mount = sincos(robot_from_sensor.theta);
  const Vec2 arm = robot_from_sensor.position();
  const Vec2 arm_after{turn.cos * arm.x - turn.sin * arm.y, turn.sin * arm.x + turn.cos * arm.y};
  const Vec2 way = moved.pose.position() + arm_after - arm;  // of the sensor, in the robot's frame before
  const Matrix<3, 3> into_sensor{{{{mount.cos, mount.sin, 0}, {-mount.sin, mount.cos, 0}, {0, 0, 1}}}};
  const Matrix<3, 3> by_moved = into_sensor * Matrix<3, 3>{{{{1, 0, -arm_after.y}, {0, 1, arm_after.x}, {0, 0, 1}}}};
  const Vector<3> seen = into_sensor * Vector<3>{{{{way.x}, {way.y}, {moved.pose.theta}}}};
  SeenMove result{.moved = {seen[0], seen[1], seen[2]}};
  result.by_geometry = by_moved * moved.by_geometry;
  result.by_turns = by_moved * moved.by_turns;
  result.by_moved = by_moved;
  result.by_mount =
      into_sensor * Matrix<3, 3>{{{{turn.cos - 1, -turn.sin, 0}, {turn.sin, turn.cos - 1, 0}, {0, 0, 0}}}};
  result.by_mount(0, 2) = seen[1];
  result.by_mount(1, 2) = -seen[0];
  return result;
}

Matrix<3, 3> slip_covariance(const robot::DifferentialGeometry& geometry, const WheelTurns& turns, const Moved& moved,
                             double slip) noexcept {
  // of the turns: the way's variance over the square of the way of a turn
  const double left = slip * std::fabs(turns.left) / (kPi * geometry.left_diameter);
  const double right = slip * std::fabs(turns.right) / (kPi * geometry.right_diameter);
  Matrix<3, 2> spread = moved.by_turns;
  for (std::size_t i = 0; i < 3; ++i) {
    spread(i, 0) *= left;
    spread(i, 1) *= right;
  }
  const SinCos heading = sincos(moved.pose.theta);
  const double aside = slip * std::fabs(arc_of(geometry, turns).driven);
  const Vector<3> sideways{{{{-heading.sin}, {heading.cos}, {0}}}};
  return spread * transposed(moved.by_turns) + sideways * transposed(sideways) * aside;
}

Matrix<3, 3> stamp_covariance(const Seen& seen, const Vector<3>& velocity, double stamp) noexcept {
  const Vector<3> way = seen.by_pose * velocity * stamp;
  return way * transposed(way);
}

}  // namespace forerun::estimate
