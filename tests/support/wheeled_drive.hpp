// A made-up drive of two wheels with everything that is true of it: ticks, and external poses with their noise.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/estimate/encoders.hpp"
#include "forerun/estimate/pose_filter.hpp"

namespace forerun::test {

inline constexpr robot::DifferentialGeometry kTrueWheels{0.1415, 0.1405, 0.355};
inline constexpr double kTicksPerTurn = 2048;

struct WheeledDriveParams {
  robot::DifferentialGeometry wheels = kTrueWheels;
  Pose2 mount;  // of the external sensor on the robot
  estimate::CalibrationNoise noise{1e-6, 0.01, 0.01, kPi / 180};
  double duration_s = 60;
  double step_s = 0.02;
  double pose_interval_s = 0.2;
  double delay_s = 0;      // external poses are stamped so much too late
  double max_turn = 0.8;   // 0: straight on [rad/s]
  double max_speed = 0.5;  // 0: on the spot [m/s]
  std::uint64_t seed = 1;
};

struct WheeledMoment {
  double time = 0;
  estimate::Ticks ticks;
  Pose2 truth;                    // of the robot
  std::optional<Pose2> external;  // of the sensor, measured
};

// Ordinary driving: another speed and turn rate every few seconds, reached gradually.
inline std::vector<WheeledMoment> drive_wheels(const WheeledDriveParams& p) {
  Random commands(p.seed, 0), slips(p.seed, 1), sensor(p.seed, 2);
  std::vector<WheeledMoment> drive{{}};
  estimate::Ticks turned;
  Pose2 pose;
  double v = 0, w = 0, wanted_v = 0, wanted_w = 0;
  const auto n_steps = static_cast<int>(std::lround(p.duration_s / p.step_s));
  const auto n_between = static_cast<int>(std::lround(p.pose_interval_s / p.step_s));
  const auto n_late = static_cast<int>(std::lround(p.delay_s / p.step_s));
  for (int i = 1; i <= n_steps; ++i) {
    if (i % 150 == 1) {
      wanted_v = commands.uniform(0.2, 1.0) * p.max_speed;
      wanted_w = commands.uniform(-1.0, 1.0) * p.max_turn;
    }
    v += (wanted_v - v) * 0.05;
    w += (wanted_w - w) * 0.05;
    const double left = (v - w * p.wheels.base / 2) * p.step_s, right = (v + w * p.wheels.base / 2) * p.step_s;
    turned.left += left / (kPi * p.wheels.left_diameter) * kTicksPerTurn;
    turned.right += right / (kPi * p.wheels.right_diameter) * kTicksPerTurn;
    const double real_left = left + std::sqrt(p.noise.slip * std::fabs(left)) * slips.normal();
    const double real_right = right + std::sqrt(p.noise.slip * std::fabs(right)) * slips.normal();
    pose = estimate::move_along(pose, {(real_left + real_right) / 2, (real_right - real_left) / p.wheels.base});
    pose = pose * Pose2{0, std::sqrt(p.noise.slip * std::fabs(left + right) / 2) * slips.normal(), 0};
    WheeledMoment moment{i * p.step_s, {std::floor(turned.left), std::floor(turned.right)}, pose, {}};
    if (i % n_between == 0 && i > n_late) {
      const Pose2 seen = (n_late == 0 ? pose : drive[static_cast<std::size_t>(i - n_late)].truth) * p.mount;
      moment.external =
          Pose2{seen.x + p.noise.position_x * sensor.normal(), seen.y + p.noise.position_y * sensor.normal(),
                seen.theta + p.noise.heading * sensor.normal()};
    }
    drive.push_back(moment);
  }
  return drive;
}

}  // namespace forerun::test
