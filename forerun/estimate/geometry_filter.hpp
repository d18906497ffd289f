// Pose, wheel diameters and base of a robot while it drives: the augmented extended Kalman filter (DEC-2), with the
// mount of the external sensor along.
#pragma once

#include <array>

#include "forerun/base/fields.hpp"
#include "forerun/estimate/pose_filter.hpp"

namespace forerun::estimate {

// Places in the state [x, y, φ, dL, dR, b, and the sensor's x, y and angle on the robot].
inline constexpr std::size_t kGeometryStates = 9;
inline constexpr std::size_t kFirstGeometry = 3;
inline constexpr std::size_t kFirstMount = 6;

// How far what is believed at first may be off, as standard deviations.
struct GeometryPrior {
  double share = 0.15;        // of each diameter and of the base
  double mount_m = 0;         // of the sensor's place by axis [m]; 0: it is where it is said to be
  double mount_rad = 0;       // of its angle [rad]
  double drift_share = 1e-5;  // how far geometry changes in a second, as a share of it: tyres lose air, loads shift
};

struct GeometryParams {
  CalibrationNoise noise;
  GeometryPrior prior;
  double largest_sigma = 0.02;  // what is known no better than this, as a share of it, was not shown by the drive
};

// How sure the geometry is [m]. What the drive did not show is not observable: a straight line says nothing about the
// base.
struct GeometryBelief {
  robot::DifferentialGeometry geometry;
  robot::DifferentialGeometry sigma;
  std::array<bool, 3> observable{};  // left diameter, right diameter, base
  Pose2 mount;                       // robot_from_sensor
  Pose2 mount_sigma;
};

class GeometryFilter {
 public:
  GeometryFilter(const robot::DifferentialGeometry& believed, const Pose2& robot_from_sensor,
                 const GeometryParams& params) noexcept;

  // The pose begins here anew; what was learned of the geometry stays.
  void start_at(const PoseEstimate& start) noexcept;
  // The wheels have turned, in `elapsed_s`.
  void predict(const WheelTurns& turns, double elapsed_s) noexcept;
  // Changes nothing when the squared innovation is beyond the usual gate.
  Innovation correct(const ExternalPose& measured) noexcept;

  [[nodiscard]] Pose2 pose() const noexcept { return {state_[0], state_[1], state_[2]}; }
  [[nodiscard]] robot::DifferentialGeometry geometry() const noexcept { return {state_[3], state_[4], state_[5]}; }
  [[nodiscard]] Pose2 mount() const noexcept { return {state_[6], state_[7], state_[8]}; }
  [[nodiscard]] const Matrix<kGeometryStates, kGeometryStates>& covariance() const noexcept { return covariance_; }
  [[nodiscard]] GeometryBelief belief() const noexcept;

 private:
  GeometryParams params_;
  ArcMotion rates_;  // each second
  Vector<kGeometryStates> state_;
  Matrix<kGeometryStates, kGeometryStates> covariance_;
};

template <class Visit>
void visit_fields(GeometryParams& p, Visit&& visit) {
  visit("slip_m2_per_m", p.noise.slip, Field{1e-12, 1, "variance of a wheel's way for each metre driven [m²/m]"});
  visit("position_x_m", p.noise.position_x, Field{1e-6, 10, "of an external pose, along x: σ [m]"});
  visit("position_y_m", p.noise.position_y, Field{1e-6, 10, "of an external pose, along y: σ [m]"});
  visit("heading_rad", p.noise.heading, Field{1e-6, 3, "of an external pose: σ [rad]"});
  visit("stamp_s", p.noise.stamp, Field{0, 1, "of the time at which an external pose was taken: σ [s]"});
  visit("share", p.prior.share, Field{0.001, 0.5, "how far diameters and base may be off at first: σ as a share"});
  visit("mount_m", p.prior.mount_m, Field{0, 5, "how far the external sensor's place may be off, by axis: σ [m]"});
  visit("mount_rad", p.prior.mount_rad, Field{0, 3, "how far the external sensor's angle may be off: σ [rad]"});
  visit("drift_share", p.prior.drift_share, Field{0, 0.01, "how far geometry changes in a second: σ as a share"});
  visit("largest_sigma", p.largest_sigma,
        Field{0.001, 0.5, "what is known no better than this share was not shown by the drive"});
}

}  // namespace forerun::estimate
