// A body on a level floor: motors, wheels, encoders and dead reckoning, as they truly are (PSS-7).
#pragma once

#include <array>

#include "forerun/base/random.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/robot/motors.hpp"
#include "forerun/sim/body.hpp"
#include "forerun/sim/gauss_markov.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::sim {

class PlanarBody final : public Body {
 public:
  // `robot` must outlive the body.
  PlanarBody(const robot::Description& robot, const Reality& reality, const Pose2& start, Random random) noexcept;

  void step(const robot::Twist& command, double dt) noexcept override;
  void block(bool may_turn) noexcept override;

  [[nodiscard]] const robot::State& state() const noexcept override { return state_; }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return odometry_; }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return {odometry_.x, odometry_.y, turned_}; }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override;
  [[nodiscard]] std::int64_t ticks(std::size_t wheel) const noexcept override;
  [[nodiscard]] double path_length() const noexcept override { return path_length_; }
  [[nodiscard]] bool moves() const noexcept override;

  void add_to(Hash& hash) const noexcept override;

 private:
  void drive_motors(const robot::Twist& command, double dt) noexcept;
  void count(double dt) noexcept;

  const robot::Description& robot_;
  Reality reality_;
  Random random_;
  GaussMarkov noise_v_;
  GaussMarkov noise_w_;
  double scale_ = 1;       // of odometry distances
  double turn_scale_ = 1;  // of odometry turns
  double drift_ = 0;       // of the odometry heading [rad/m]
  robot::Motors motors_;   // before the noise
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
