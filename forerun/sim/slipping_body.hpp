// A body whose wheels lose grip: they count what they turn, and the body goes less far. For faults that a robot must
// notice.
#pragma once

#include <array>

#include "forerun/sim/planar_body.hpp"

namespace forerun::sim {

class SlippingBody final : public Body {
 public:
  // Each wheel moves the body by this share of what it turns; 1: it grips.
  using Grip = std::array<double, robot::kMaxWheels>;

  // `robot` must outlive the body.
  SlippingBody(const robot::Description& robot, const Reality& reality, const Pose2& start, Random random) noexcept
      : robot_(robot), counted_(robot, reality, start, random), state_(counted_.state()), before_(start) {
    grip_.fill(1);
  }
  // From now on.
  void set_grip(const Grip& grip) noexcept { grip_ = grip; }

  void step(const robot::Twist& command, double dt) noexcept override {
    before_ = state_.pose;
    state_.velocity = slipped(counted_.state().velocity);
    state_.pose = robot::move(state_.pose, state_.velocity, dt);
    state_.pose.theta = normalize_angle(state_.pose.theta);
    path_length_ += length(Vec2{state_.velocity.vx, state_.velocity.vy}) * dt;
    counted_.step(command, dt);
    state_.velocity = slipped(counted_.state().velocity);
  }
  void block(bool may_turn) noexcept override {
    path_length_ -= distance(before_.position(), state_.pose.position());
    state_.pose = {before_.x, before_.y, may_turn ? state_.pose.theta : before_.theta};
    counted_.block(may_turn);
    state_.velocity = slipped(counted_.state().velocity);
  }

  [[nodiscard]] const robot::State& state() const noexcept override { return state_; }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return counted_.odometry(); }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return counted_.unwrapped_odometry(); }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override { return counted_.measured_velocity(); }
  [[nodiscard]] std::int64_t ticks(std::size_t wheel) const noexcept override { return counted_.ticks(wheel); }
  [[nodiscard]] double path_length() const noexcept override { return path_length_; }
  [[nodiscard]] bool moves() const noexcept override { return counted_.moves(); }
  void add_to(Hash& hash) const noexcept override {
    counted_.add_to(hash);
    for (const double value : {state_.pose.x, state_.pose.y, state_.pose.theta}) hash.add(value);
  }

 private:
  [[nodiscard]] robot::Twist slipped(const robot::Twist& velocity) const noexcept {
    robot::WheelSpeeds speeds = robot::wheel_speeds(robot_.drive, velocity);
    for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] *= grip_[i];
    return robot::body_twist(robot_.drive, speeds);
  }

  const robot::Description& robot_;
  PlanarBody counted_;  // as it would be with grip
  robot::State state_;  // as it is
  Pose2 before_;
  Grip grip_{};
  double path_length_ = 0;
};

}  // namespace forerun::sim
