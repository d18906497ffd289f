#include "forerun/learn/motors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "forerun/base/math.hpp"
#include "forerun/learn/search.hpp"
#include "forerun/robot/motors.hpp"

namespace forerun::learn {
namespace {

constexpr double kBreak = 0.5;    // [s]
constexpr double kMoving = 0.02;  // slower than this is standing [m/s, rad/s]

bool is_known(const robot::Twist& command) noexcept { return command.vx == command.vx && command.w == command.w; }

double percentile_of(std::vector<double>& values, double share) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

double motor_error(std::span<const MotorLog> logs, const Motors& motors) noexcept {
  double sum = 0;
  std::size_t n = 0;
  robot::Motors follow;
  for (const MotorLog& log : logs) {
    for (std::size_t i = 0; i < log.size(); ++i) {
      const double dt = i > 0 ? log[i].time - log[i - 1].time : kInfinity;
      if (dt > kBreak || !is_known(log[i - 1].command)) {
        follow.begin(log[i].velocity);
        continue;
      }
      follow.step(log[i - 1].command, motors.limits, dt, robot::lag_share(motors.lag, dt));
      const robot::Twist& expected = follow.velocity;
      sum += std::fabs(expected.vx - log[i].velocity.vx) / motors.limits.max_speed +
             std::fabs(expected.vy - log[i].velocity.vy) / motors.limits.max_speed +
             std::fabs(expected.w - log[i].velocity.w) / motors.limits.max_turn_rate;
      ++n;
    }
  }
  return n > 0 ? sum / static_cast<double>(n) : 0;
}

bool has_commands(std::span<const MotorLog> logs) noexcept {
  return std::any_of(logs.begin(), logs.end(), [](const MotorLog& log) {
    return std::any_of(log.begin(), log.end(), [](const MotorRow& row) { return is_known(row.command); });
  });
}

Motors fit_motors(std::span<const MotorLog> logs, const Motors& start) {
  const auto with = [&start](std::span<const double> values) {
    Motors motors = start;
    robot::Limits& limits = motors.limits;
    limits.acceleration = values[0];
    limits.deceleration = values[1];
    limits.turn_acceleration = values[2];
    limits.turn_deceleration = values[3];
    motors.lag = values[4];
    return motors;
  };
  const robot::Limits& limits = start.limits;
  const std::array<Unknown, 5> unknowns{{{limits.acceleration, 0.01, 20},
                                         {limits.deceleration, 0.01, 20},
                                         {limits.turn_acceleration, 0.01, 100},
                                         {limits.turn_deceleration, 0.01, 100},
                                         {std::max(start.lag, 0.02), 0.01, 1}}};
  const Found found =
      search(unknowns, [&](std::span<const double> values) { return Costs{motor_error(logs, with(values))}; },
             {.first_step = 0.4, .last_step = 0.02, .least_gain = 1e-4, .most_costs = 400});
  return with(found.values);
}

double cruising_speed(std::vector<double> speeds) {
  std::erase_if(speeds, [](double speed) { return !(speed > kMoving); });
  if (speeds.empty()) return 0;
  const double fast = 0.8 * percentile_of(speeds, 0.98);
  std::erase_if(speeds, [fast](double speed) { return speed < fast; });
  return percentile_of(speeds, 0.5);
}

}  // namespace forerun::learn
