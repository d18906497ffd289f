#include "forerun/estimate/pose_filter.hpp"

namespace forerun::estimate {
namespace {

// Keeps a covariance symmetric against rounding.
void symmetrize(Matrix<3, 3>& a) noexcept {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(i, j) = a(j, i) = (a(i, j) + a(j, i)) / 2;
  }
}

// The inverse over position and heading, or over the position alone.
Matrix<3, 3> precision_of(const Matrix<3, 3>& covariance, bool has_heading) noexcept {
  if (has_heading) return inverse_symmetric(covariance).value_or(Matrix<3, 3>{});
  const Matrix<2, 2> position{{{{covariance(0, 0), covariance(0, 1)}, {covariance(1, 0), covariance(1, 1)}}}};
  const Matrix<2, 2> inverse = inverse_symmetric(position).value_or(Matrix<2, 2>{});
  return {{{{inverse(0, 0), inverse(0, 1), 0}, {inverse(1, 0), inverse(1, 1), 0}, {0, 0, 0}}}};
}

}  // namespace

Matrix<3, 3> measurement_covariance(const CalibrationNoise& noise) noexcept {
  Matrix<3, 3> covariance;
  covariance(0, 0) = square(noise.position_x);
  covariance(1, 1) = square(noise.position_y);
  covariance(2, 2) = square(noise.heading);
  return covariance;
}

Innovation innovation(const ExternalPose& measured, const Pose2& expected, const Matrix<3, 3>& covariance,
                      const CalibrationNoise& noise) noexcept {
  Innovation result;
  result.difference = {{{{measured.pose.x - expected.x},
                         {measured.pose.y - expected.y},
                         {measured.has_heading ? normalize_angle(measured.pose.theta - expected.theta) : 0.0}}}};
  result.covariance = covariance + measurement_covariance(noise);
  result.precision = precision_of(result.covariance, measured.has_heading);
  result.squared = (transposed(result.difference) * result.precision * result.difference)[0];
  return result;
}

PoseEstimate pose_from(const ExternalPose& measured, const Pose2& robot_from_sensor, const CalibrationNoise& noise,
                       const HeadingGuess& guess) noexcept {
  Pose2 sensor = measured.pose;
  CalibrationNoise spread = noise;
  if (!measured.has_heading) {
    sensor.theta = guess.heading + robot_from_sensor.theta;
    spread.heading = guess.sigma;
  }
  PoseEstimate estimate{.pose = sensor * inverse(robot_from_sensor)};
  // back through what the sensor sees of the robot's pose
  Matrix<3, 3> back = see(estimate.pose, robot_from_sensor).by_pose;
  back(0, 2) = -back(0, 2);
  back(1, 2) = -back(1, 2);
  estimate.covariance = back * measurement_covariance(spread) * transposed(back);
  return estimate;
}

void predict_pose(PoseEstimate& estimate, const robot::DifferentialGeometry& geometry, const WheelTurns& turns,
                  double slip) noexcept {
  const Moved moved = move(estimate.pose, geometry, turns);
  estimate.pose = moved.pose;
  estimate.covariance =
      moved.by_pose * estimate.covariance * transposed(moved.by_pose) + slip_covariance(geometry, turns, moved, slip);
}

Innovation correct_pose(PoseEstimate& estimate, const ExternalPose& measured, const Pose2& robot_from_sensor,
                        const CalibrationNoise& noise, double gate) noexcept {
  const Seen seen = see(estimate.pose, robot_from_sensor);
  const Matrix<3, 3> cross = estimate.covariance * transposed(seen.by_pose);
  const Innovation found = innovation(measured, seen.pose, seen.by_pose * cross, noise);
  if (found.squared > gate) return found;
  const Matrix<3, 3> gain = cross * found.precision;
  const Vector<3> step = gain * found.difference;
  estimate.pose = {estimate.pose.x + step[0], estimate.pose.y + step[1],
                   normalize_angle(estimate.pose.theta + step[2])};
  estimate.covariance -= gain * transposed(cross);
  symmetrize(estimate.covariance);
  return found;
}

}  // namespace forerun::estimate
