#include "forerun/sim/planar_body.hpp"

#include <cmath>

namespace forerun::sim {

PlanarBody::PlanarBody(const robot::Description& robot, const Reality& reality, const Pose2& start,
                       Random random) noexcept
    : robot_(robot),
      reality_(reality),
      random_(random),
      noise_v_(reality.velocity_correlation, random_),
      noise_w_(reality.velocity_correlation, random_),
      before_(start),
      odometry_(start),
      odometry_before_(start),
      turned_(start.theta) {
  state_.pose = start;
  scale_ = 1 + reality.odometry_scale * random_.normal();
  turn_scale_ = 1 + reality.odometry_turn_scale * random_.normal();
  drift_ = reality.heading_drift * random_.normal();
}

void PlanarBody::step(const robot::Twist& command, double dt) noexcept {
  // PSS-1: the body moves with the velocities at the beginning of the step, then these change
  before_ = state_.pose;
  state_.pose = robot::move(state_.pose, state_.velocity, dt);
  state_.pose.theta = normalize_angle(state_.pose.theta);
  path_length_ += length(Vec2{state_.velocity.vx, state_.velocity.vy}) * dt;
  count(dt);
  drive_motors(command, dt);
}

// Motors: limits, then lag, then noise.
void PlanarBody::drive_motors(const robot::Twist& command, double dt) noexcept {
  if (dt != last_dt_) {
    last_dt_ = dt;
    lag_share_ = robot::lag_share(reality_.motor_lag, dt);
  }
  motors_.step(robot::within_steering(robot_.drive, command), robot_.limits, dt, lag_share_);
  robot::Twist v = motors_.velocity;
  if (reality_.velocity_noise > 0) {
    noise_v_.step(dt, random_);
    noise_w_.step(dt, random_);
    const double factor_v = 1 + reality_.velocity_noise * noise_v_.value();
    const double factor_w = 1 + reality_.velocity_noise * noise_w_.value();
    v = {v.vx * factor_v, v.vy * factor_v, v.w * factor_w};
  }
  // speed and turn rate change each by itself, but no wheel turns further than it can
  state_.velocity = robot::within_steering(robot_.drive, v);
}

robot::Twist PlanarBody::measured_velocity() const noexcept {
  const robot::Twist& v = state_.velocity;
  return {v.vx * scale_, v.vy * scale_, v.w * turn_scale_ + drift_ * length(Vec2{v.vx, v.vy})};
}

// What the wheels report of the motion, and what dead reckoning makes of that. Called before the velocities change.
void PlanarBody::count(double dt) noexcept {
  const robot::Twist counted = measured_velocity();
  odometry_before_ = odometry_;
  turned_before_ = turned_;
  odometry_ = robot::move(odometry_, counted, dt);
  odometry_.theta = normalize_angle(odometry_.theta);
  turned_ += normalize_angle(odometry_.theta - odometry_before_.theta);
  const robot::WheelSpeeds speeds = robot::wheel_speeds(robot_.drive, counted);
  for (std::size_t i = 0; i < speeds.size(); ++i) wheel_angles_[i] += speeds[i] * dt;
}

void PlanarBody::block(bool may_turn) noexcept {
  path_length_ -= distance(before_.position(), state_.pose.position());
  const auto hold = [&](Pose2& pose, const Pose2& before) {
    pose = {before.x, before.y, may_turn ? pose.theta : before.theta};
  };
  hold(state_.pose, before_);
  hold(odometry_, odometry_before_);
  if (!may_turn) turned_ = turned_before_;
  state_.velocity = {0, 0, may_turn ? state_.velocity.w : 0};
  motors_.hold(may_turn);
}

std::int64_t PlanarBody::ticks(std::size_t wheel) const noexcept {
  return static_cast<std::int64_t>(std::floor(wheel_angles_[wheel] / kTwoPi * robot_.drive.ticks_per_turn));
}

bool PlanarBody::moves() const noexcept {
  constexpr double kStill = 1e-3;  // [m/s], [rad/s]
  return std::fabs(state_.velocity.vx) > kStill || std::fabs(state_.velocity.vy) > kStill ||
         std::fabs(state_.velocity.w) > kStill;
}

void PlanarBody::add_to(Hash& hash) const noexcept {
  for (const Pose2& pose : {state_.pose, odometry_}) {
    hash.add(pose.x);
    hash.add(pose.y);
    hash.add(pose.theta);
  }
  hash.add(state_.velocity.vx);
  hash.add(state_.velocity.vy);
  hash.add(state_.velocity.w);
  for (const double angle : wheel_angles_) hash.add(angle);
  random_.add_to(hash);
}

}  // namespace forerun::sim
