// A body that hears its commands late: a delay line before the motors, as radio, computers and buses are one.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/base/math.hpp"
#include "forerun/sim/planar_body.hpp"

namespace forerun::sim {

class LateBody final : public Body {
 public:
  static constexpr double kLongestDelay = 2;  // [s]

  // `robot` must outlive the body. `delay` in [0, kLongestDelay] [s].
  LateBody(const robot::Description& robot, const Reality& reality, const Pose2& start, Random random,
           double delay) noexcept
      : body_(robot, reality, start, random), delay_(clamp(delay, 0.0, kLongestDelay)) {}

  // In steps so short that the planar body's own lateness of one step does not show.
  void step(const robot::Twist& command, double dt) noexcept override {
    hear(command);
    const double end = time_ + dt;
    while (end - time_ > kSoon) {
      while (n_waiting_ > 0 && waiting_[first_].time - time_ < kSoon) obey_next();
      double next = time_ + kStep < end - kSoon ? time_ + kStep : end;
      if (n_waiting_ > 0 && waiting_[first_].time < next) next = waiting_[first_].time;
      body_.step(obeyed_, next - time_);
      time_ = next;
    }
  }
  // Goes back by one of its own short steps: it may have come as deep as the loop's step is long.
  void block(bool may_turn) noexcept override { body_.block(may_turn); }

  [[nodiscard]] const robot::State& state() const noexcept override { return body_.state(); }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return body_.odometry(); }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return body_.unwrapped_odometry(); }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override { return body_.measured_velocity(); }
  [[nodiscard]] std::int64_t ticks(std::size_t wheel) const noexcept override { return body_.ticks(wheel); }
  [[nodiscard]] double path_length() const noexcept override { return body_.path_length(); }
  [[nodiscard]] bool moves() const noexcept override { return body_.moves(); }
  void add_to(Hash& hash) const noexcept override {
    body_.add_to(hash);
    hash.add(time_);
    for (std::size_t i = 0; i < n_waiting_; ++i) {
      const Waiting& w = waiting_[(first_ + i) % waiting_.size()];
      for (const double value : {w.time, w.command.vx, w.command.vy, w.command.w}) hash.add(value);
    }
  }

 private:
  static constexpr double kStep = 0.0002;  // [s]
  static constexpr double kSoon = 1e-9;    // rounding of times [s]

  struct Waiting {
    double time = 0;  // at which it is obeyed [s]
    robot::Twist command;
  };

  void hear(const robot::Twist& command) noexcept {
    if (command == heard_) return;
    heard_ = command;
    // more changes than fit: the oldest one comes early
    if (n_waiting_ == waiting_.size()) obey_next();
    waiting_[(first_ + n_waiting_++) % waiting_.size()] = {time_ + delay_, command};
  }
  void obey_next() noexcept {
    obeyed_ = waiting_[first_].command;
    first_ = (first_ + 1) % waiting_.size();
    --n_waiting_;
  }

  PlanarBody body_;
  double delay_;
  double time_ = 0;  // since the start [s]
  robot::Twist heard_, obeyed_;
  std::array<Waiting, 256> waiting_{};  // a change at each tick of 10 ms for the longest delay
  std::size_t first_ = 0, n_waiting_ = 0;
};

}  // namespace forerun::sim
