// How two turning wheels move a robot, and what a sensor on it sees of that, each with its derivatives (DEC-1).
#pragma once

#include "forerun/geom/matrix.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::estimate {

// How far the wheels have turned since the last time [turns].
struct WheelTurns {
  double left = 0;
  double right = 0;
};

// Along an arc.
struct ArcMotion {
  double driven = 0;  // Δs [m]
  double turned = 0;  // Δφ [rad]
};

[[nodiscard]] ArcMotion arc_of(const robot::DifferentialGeometry& geometry, const WheelTurns& turns) noexcept;

// The pose after an arc.
[[nodiscard]] Pose2 move_along(const Pose2& pose, const ArcMotion& motion) noexcept;

// A pose after an arc, with derivatives by the pose before, by (left diameter, right diameter, base) and by the turns.
struct Moved {
  Pose2 pose;
  Matrix<3, 3> by_pose;
  Matrix<3, 3> by_geometry;
  Matrix<3, 2> by_turns;
};
[[nodiscard]] Moved move(const Pose2& pose, const robot::DifferentialGeometry& geometry,
                         const WheelTurns& turns) noexcept;

// The pose of a sensor that is mounted at `robot_from_sensor`, with derivatives by the robot's pose and by the mount.
struct Seen {
  Pose2 pose;
  Matrix<3, 3> by_pose;
  Matrix<3, 3> by_mount;
};
[[nodiscard]] Seen see(const Pose2& world_from_robot, const Pose2& robot_from_sensor) noexcept;

// How such a sensor has moved in its own frame: what scan matching gives.
struct SeenMove {
  Pose2 moved;
  Matrix<3, 3> by_geometry;
  Matrix<3, 3> by_mount;
  Matrix<3, 2> by_turns;
  Matrix<3, 3> by_moved;  // by the robot's own move
};
// `moved` begins at a pose of zeros.
[[nodiscard]] SeenMove see_move(const Moved& moved, const Pose2& robot_from_sensor) noexcept;
[[nodiscard]] SeenMove see_move(const robot::DifferentialGeometry& geometry, const WheelTurns& turns,
                                const Pose2& robot_from_sensor) noexcept;

// How far wheels and measurements are from the truth, by chance. Variances of the wheels grow with the way.
struct CalibrationNoise {
  double slip = 1e-5;        // variance of a wheel's way, and of a sideways move, for each metre driven [m²/m]
  double position_x = 0.01;  // of an external pose or displacement, along the axes in which it is given: σ [m]
  double position_y = 0.01;
  double heading = 0.02;  // of the same: σ [rad]
  double stamp = 0;       // of the time at which an external pose was taken: σ [s]
};

// What the slip of both wheels and sideways does to the pose after this move.
[[nodiscard]] Matrix<3, 3> slip_covariance(const robot::DifferentialGeometry& geometry, const WheelTurns& turns,
                                           const Moved& moved, double slip) noexcept;

// What an uncertain stamp [s] does to what is seen of a robot with this velocity of its pose.
[[nodiscard]] Matrix<3, 3> stamp_covariance(const Seen& seen, const Vector<3>& velocity, double stamp) noexcept;

}  // namespace forerun::estimate
