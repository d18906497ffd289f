// Where a robot is, from its wheels and from a sensor that sees it now and then: an extended Kalman filter (DEC-2).
#pragma once

#include "forerun/estimate/wheel_motion.hpp"

namespace forerun::estimate {

// A pose as something outside the wheels says it.
struct ExternalPose {
  Pose2 pose;               // of the sensor
  bool has_heading = true;  // false: only its position is known

  [[nodiscard]] int n_values() const noexcept { return has_heading ? 3 : 2; }
};

// What a measurement says against what was expected.
struct Innovation {
  Vector<3> difference;     // measured − expected
  Matrix<3, 3> covariance;  // of the difference; its third row and column mean nothing without a heading
  Matrix<3, 3> precision;   // its inverse; zeros where nothing was measured
  double squared = 0;       // normalized: χ² distributed with as many degrees of freedom as values
};

// Squared innovations beyond this come by chance once in ten thousand times: the measurement is an outlier.
[[nodiscard]] constexpr double usual_gate(int n_values) noexcept { return n_values == 3 ? 21.11 : 18.42; }

// `covariance`: of what is expected, without the measurement's own noise.
[[nodiscard]] Innovation innovation(const ExternalPose& measured, const Pose2& expected, const Matrix<3, 3>& covariance,
                                    const CalibrationNoise& noise) noexcept;

// Of an external pose.
[[nodiscard]] Matrix<3, 3> measurement_covariance(const CalibrationNoise& noise) noexcept;

struct PoseEstimate {
  Pose2 pose;
  Matrix<3, 3> covariance;
};

// The robot's pose where the sensor says where it is; without a heading, `heading_guess` [rad] stands for it, good to
// `guess_sigma`.
struct HeadingGuess {
  double heading = 0;  // of the robot [rad]
  double sigma = 0.5;  // [rad]
};
[[nodiscard]] PoseEstimate pose_from(const ExternalPose& measured, const Pose2& robot_from_sensor,
                                     const CalibrationNoise& noise, const HeadingGuess& guess = {}) noexcept;

// The wheels have turned.
void predict_pose(PoseEstimate& estimate, const robot::DifferentialGeometry& geometry, const WheelTurns& turns,
                  double slip) noexcept;

// A measurement came. It changes nothing when its squared innovation is beyond `gate`.
Innovation correct_pose(PoseEstimate& estimate, const ExternalPose& measured, const Pose2& robot_from_sensor,
                        const CalibrationNoise& noise, double gate) noexcept;

}  // namespace forerun::estimate
