// The robot's body: motors, wheels, encoders and dead reckoning, as they truly are (PSS-7).
#pragma once

#include <array>

#include "forerun/base/random.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/sim/gauss_markov.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::sim {

class Plant {
 public:
  Plant(const Reality& reality, const Pose2& start, Random random) noexcept;

  // Moves on by `dt` towards the commanded velocities.
  void step(const robot::Description& robot, const robot::Twist& command, double dt) noexcept;
  // Something is in the way: back to where the last step began, standing. With `may_turn` it stands there, but turns
  // on.
  void block(bool may_turn) noexcept;

  [[nodiscard]] const robot::State& state() const noexcept { return state_; }  // the truth
  [[nodiscard]] const Pose2& odometry() const noexcept { return odometry_; }   // what dead reckoning makes of it
  // Likewise, with a heading that counts whole turns.
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept { return {odometry_.x, odometry_.y, turned_}; }
  // What the wheels say, with the errors of the odometry.
  [[nodiscard]] robot::Twist measured_velocity() const noexcept;
  // Whole encoder ticks since the start.
  [[nodiscard]] std::int64_t ticks(const robot::Drive& drive, std::size_t wheel) const noexcept;
  [[nodiscard]] double path_length() const noexcept { return path_length_; }
  [[nodiscard]] bool moves() const noexcept;

  void add_to(Hash& hash) const noexcept;

 private:
  void drive_motors(const robot::Limits& limits, const robot::Twist& command, double dt) noexcept;
  void count(const robot::Drive& drive, double dt) noexcept;

  Reality reality_;
  Random random_;
  GaussMarkov noise_v_;
  GaussMarkov noise_w_;
  double scale_ = 1;       // of odometry distances
  double turn_scale_ = 1;  // of odometry turns
  double drift_ = 0;       // of the odometry heading [rad/m]
  robot::Twist ramped_;    // after the limits, before the lag
  robot::Twist lagged_;    // after the lag, before the noise
  robot::State state_;
  Pose2 before_;  // where the last step began
  Pose2 odometry_;
  Pose2 odometry_before_;
  double turned_ = 0;  // heading of the odometry, with whole turns [rad]
  double turned_before_ = 0;
  std::array<double, robot::kMaxWheels> wheel_angles_{};
  double path_length_ = 0;
  double last_dt_ = 0;
  double lag_share_ = 1;
};

}  // namespace forerun::sim
