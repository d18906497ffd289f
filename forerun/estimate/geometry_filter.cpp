#include "forerun/estimate/geometry_filter.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::estimate {
namespace {

constexpr double kSmallestShare = 0.25;  // one measurement shrinks no diameter or base below this share of what it was

template <std::size_t R, std::size_t C>
void put(Matrix<R, C>& whole, std::size_t row, std::size_t column, const Matrix<3, 3>& part) noexcept {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) whole(row + i, column + j) = part(i, j);
  }
}

void symmetrize(Matrix<kGeometryStates, kGeometryStates>& a) noexcept {
  for (std::size_t i = 0; i < kGeometryStates; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(i, j) = a(j, i) = (a(i, j) + a(j, i)) / 2;
  }
}

}  // namespace

GeometryFilter::GeometryFilter(const robot::DifferentialGeometry& believed, const Pose2& robot_from_sensor,
                               const GeometryParams& params) noexcept
    : params_(params) {
  const double values[] = {believed.left_diameter, believed.right_diameter, believed.base,
                           robot_from_sensor.x,    robot_from_sensor.y,     robot_from_sensor.theta};
  const GeometryPrior& prior = params.prior;
  const double sigmas[] = {prior.share * believed.left_diameter,
                           prior.share * believed.right_diameter,
                           prior.share * believed.base,
                           prior.mount_m,
                           prior.mount_m,
                           prior.mount_rad};
  for (std::size_t i = 0; i < 6; ++i) {
    state_[kFirstGeometry + i] = values[i];
    covariance_(kFirstGeometry + i, kFirstGeometry + i) = square(sigmas[i]);
  }
}

void GeometryFilter::start_at(const PoseEstimate& start) noexcept {
  state_[0] = start.pose.x;
  state_[1] = start.pose.y;
  state_[2] = start.pose.theta;
  // the old pose's errors went with the geometry's; those of the new one do not
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < kGeometryStates; ++j) covariance_(i, j) = covariance_(j, i) = 0;
  }
  // but a wrong mount puts the robot beside where it is
  const Matrix<3, 3> by_mount = see(start.pose, mount()).by_mount;
  Matrix<3, 3> back = see(start.pose, mount()).by_pose;
  back(0, 2) = -back(0, 2);
  back(1, 2) = -back(1, 2);
  Matrix<3, 6> spread;
  const Matrix<3, 3> off = back * by_mount * -1;
  put(spread, 0, 3, off);
  Matrix<6, 6> known;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) known(i, j) = covariance_(kFirstGeometry + i, kFirstGeometry + j);
  }
  const Matrix<3, 6> cross = spread * known;
  put(covariance_, 0, 0, start.covariance + cross * transposed(spread));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      covariance_(i, kFirstGeometry + j) = covariance_(kFirstGeometry + j, i) = cross(i, j);
    }
  }
}

void GeometryFilter::predict(const WheelTurns& turns, double elapsed_s) noexcept {
  const Moved moved = move(pose(), geometry(), turns);
  auto by_state = identity<kGeometryStates>();
  put(by_state, 0, 0, moved.by_pose);
  put(by_state, 0, kFirstGeometry, moved.by_geometry);
  Matrix<kGeometryStates, kGeometryStates> noise;
  put(noise, 0, 0, slip_covariance(geometry(), turns, moved, params_.noise.slip));
  for (std::size_t i = kFirstGeometry; i < kFirstMount; ++i) {
    noise(i, i) = square(params_.prior.drift_share * state_[i]) * elapsed_s;
  }
  if (elapsed_s > 0) {
    const ArcMotion arc = arc_of(geometry(), turns);
    rates_ = {arc.driven / elapsed_s, arc.turned / elapsed_s};
  }
  state_[0] = moved.pose.x;
  state_[1] = moved.pose.y;
  state_[2] = moved.pose.theta;
  covariance_ = by_state * covariance_ * transposed(by_state) + noise;
}

Innovation GeometryFilter::correct(const ExternalPose& measured) noexcept {
  const Seen seen = see(pose(), mount());
  Matrix<3, kGeometryStates> by_state;
  put(by_state, 0, 0, seen.by_pose);
  put(by_state, 0, kFirstMount, seen.by_mount);
  const Matrix<kGeometryStates, 3> cross = covariance_ * transposed(by_state);
  const SinCos heading = sincos(state_[2]);
  const Vector<3> velocity{{{{rates_.driven * heading.cos}, {rates_.driven * heading.sin}, {rates_.turned}}}};
  const Innovation found = innovation(
      measured, seen.pose, by_state * cross + stamp_covariance(seen, velocity, params_.noise.stamp), params_.noise);
  if (!(found.squared <= usual_gate(measured.n_values()))) return found;

  const Matrix<kGeometryStates, 3> gain = cross * found.precision;
  const robot::DifferentialGeometry before = geometry();
  const double least[] = {before.left_diameter, before.right_diameter, before.base};
  state_ += gain * found.difference;
  state_[2] = normalize_angle(state_[2]);
  for (std::size_t i = 0; i < 3; ++i) {
    state_[kFirstGeometry + i] = std::max(state_[kFirstGeometry + i], kSmallestShare * least[i]);
  }
  covariance_ -= gain * transposed(cross);
  symmetrize(covariance_);
  return found;
}

GeometryBelief GeometryFilter::belief() const noexcept {
  const auto sigma = [this](std::size_t i) { return sqrt(std::max(covariance_(i, i), 0.0)); };
  GeometryBelief belief{.geometry = geometry(),
                        .sigma = {sigma(3), sigma(4), sigma(5)},
                        .mount = mount(),
                        .mount_sigma = {sigma(6), sigma(7), sigma(8)}};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t at = kFirstGeometry + i;
    belief.observable[i] = sigma(at) <= params_.largest_sigma * state_[at];
  }
  return belief;
}

}  // namespace forerun::estimate
