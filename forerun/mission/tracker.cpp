#include "forerun/mission/tracker.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/check.hpp"

namespace forerun::mission {

Tracker::Tracker(std::span<const TimedPoint> path, const robot::Description& robot,
                 const TrackerParams& params) noexcept
    : path_(path), drive_(robot.drive), limits_(robot.limits), params_(params) {
  FORERUN_CHECK(!path.empty());
  reference_ = path.front();
  stop_ = path.back().time;
}

void Tracker::go_to(double time) noexcept {
  time_ = time;
  reference_ = point_at(path_, time_);
}

TrackError Tracker::measure(const Pose2& pose) const noexcept {
  const Vec2 left = Transform2(pose).to_local(reference_.pose.position());
  return {left.x, left.y, normalize_angle(reference_.pose.theta - pose.theta)};
}

robot::Twist Tracker::step(double dt, const Pose2& pose, double share) noexcept {
  // a robot that is behind, in the direction in which it drives, is waited for
  error_ = measure(pose);
  const double ahead = reference_.velocity.vx < 0 ? -error_.along : error_.along;
  const double patience = clamp((params_.waits_m - ahead) / (params_.waits_m - params_.slack_m), 0.0, 1.0);
  const double pace = clamp(share, 0.0, 1.0) * patience;
  time_ = std::min(time_ + dt * pace, stop_);
  reference_ = point_at(path_, time_);
  error_ = measure(pose);
  const robot::Twist& v = reference_.velocity;
  return correct({v.vx * pace, v.vy * pace, v.w * pace});
}

// After Kanayama and others (1990): the planned velocities, and what brings the errors to zero. Errors across the path
// are steered out of while driving.
robot::Twist Tracker::correct(const robot::Twist& planned) const noexcept {
  const SinCos off = sincos(error_.heading);
  robot::Twist v;
  v.vx = planned.vx * off.cos - planned.vy * off.sin + params_.along_gain * error_.along;
  v.vy = drive_.can_strafe() ? planned.vx * off.sin + planned.vy * off.cos + params_.along_gain * error_.across : 0;
  const double steering = drive_.can_strafe() ? 0 : params_.cross_gain * planned.vx * error_.across;
  v.w = planned.w + steering + params_.heading_gain * error_.heading;
  // what drives forward does not back up because it is a little ahead, nor the other way round
  if (!drive_.can_strafe()) {
    const bool turns_on_the_spot = std::fabs(planned.vx) < 1e-6;
    const double most = turns_on_the_spot ? 0.5 * limits_.max_speed : limits_.max_speed;
    v.vx = clamp(v.vx, planned.vx > 1e-6 ? 0.0 : -most, planned.vx < -1e-6 ? 0.0 : most);
  }
  v.vx = clamp(v.vx, -limits_.max_speed, limits_.max_speed);
  v.vy = clamp(v.vy, -limits_.max_speed, limits_.max_speed);
  v.w = clamp(v.w, -limits_.max_turn_rate, limits_.max_turn_rate);
  return robot::within_steering(drive_, v);
}

}  // namespace forerun::mission
