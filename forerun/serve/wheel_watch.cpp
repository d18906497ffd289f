#include "forerun/serve/wheel_watch.hpp"

#include "forerun/robot/wheel_pair.hpp"

namespace forerun::serve {
namespace {

constexpr Duration kPoseInterval = from_seconds(1);
// of poses from localization
constexpr estimate::CalibrationNoise kNoise{.slip = 1e-5, .position_x = 0.05, .position_y = 0.05, .heading = 0.03};

estimate::CalibratorParams calibrator_params() noexcept {
  estimate::CalibratorParams params;
  params.filter.noise = kNoise;
  return params;
}

}  // namespace

WheelWatch::WheelWatch(const robot::Drive& drive) noexcept : drive_(drive) {
  if (const auto wheels = robot::wheel_pair(drive)) {
    calibrator_.emplace(*wheels, drive.ticks_per_turn, calibrator_params());
  }
}

void WheelWatch::take(RobotTime time, const robot::Report& state, const estimate::Ticks& ticks) noexcept {
  if (!calibrator_) return;
  calibrator_->add_ticks(time, ticks);
  const Pose2& pose = state.state.pose;
  // the same to the last digit: nobody has localized it since
  if (time < next_pose_ || pose == last_pose_) return;
  next_pose_ = time + kPoseInterval;
  last_pose_ = pose;
  (void)calibrator_->add_pose(time, {pose});
}

void WheelWatch::apply(robot::Report& report) const noexcept {
  if (!calibrator_ || report.wheels) return;
  const estimate::GeometryBelief belief = calibrator_->belief();
  const auto& seen = belief.observable;
  if (!seen[0] && !seen[1] && !seen[2]) return;
  const auto& [left, right, base] = belief.geometry;
  const auto& [sigma_left, sigma_right, sigma_base] = belief.sigma;
  report.wheels = robot::FoundWheels{{seen[0] ? left : 0, seen[1] ? right : 0, seen[2] ? base : 0},
                                     {seen[0] ? sigma_left : 0, seen[1] ? sigma_right : 0, seen[2] ? sigma_base : 0}};
  if (!seen[0] || !seen[1] || !seen[2]) return;
  // what the wheels really did, seen with the right wheels
  robot::Twist& velocity = report.state.velocity;
  velocity = robot::body_twist(robot::with_wheel_pair(drive_, belief.geometry), robot::wheel_speeds(drive_, velocity));
}

}  // namespace forerun::serve
