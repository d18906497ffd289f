#include "forerun/respond/response.hpp"

#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::respond {
namespace {

constexpr double kStep = 0.02;  // [s]

}  // namespace

ResponseSteps::Axis ResponseSteps::make_axis(const AxisResponse& response, double dt) noexcept {
  if (!(response.lag > 0)) return {response, 0, 0};
  const double end = exp(-dt / response.lag);
  return {response, end, response.lag / dt * (1 - end)};
}

ResponseSteps::ResponseSteps(const Response& response, double dt) noexcept
    : dt_(dt),
      forward_(make_axis(response.forward, dt)),
      sideways_(make_axis(response.sideways, dt)),
      turn_(make_axis(response.turn, dt)),
      one_delay_(response.forward.delay == response.sideways.delay) {}

robot::Twist ResponseSteps::advance(const CommandTrack& commands, double time, robot::Twist& velocity) const noexcept {
  const auto commanded = [&](const Axis& axis) {
    const double from = time - axis.response.delay;
    return commands.mean(from, from + dt_);
  };
  const auto answer = [](const Axis& axis, double wanted, double& now) {
    const double goal = axis.response.gain * wanted;
    const double mean = goal + (now - goal) * axis.mean;
    now = goal + (now - goal) * axis.end;
    return mean;
  };
  const robot::Twist ahead = commanded(forward_);
  const double aside = one_delay_ ? ahead.vy : commanded(sideways_).vy;
  robot::Twist mean;
  mean.vx = answer(forward_, ahead.vx, velocity.vx);
  mean.vy = answer(sideways_, aside, velocity.vy);
  mean.w = answer(turn_, commanded(turn_).w, velocity.w);
  return mean;
}

void advance(const Response& response, const CommandTrack& commands, double from, double to, Expected& robot) noexcept {
  if (!(to > from)) return;
  const int n = static_cast<int>(std::ceil((to - from) / kStep));
  const ResponseSteps steps(response, (to - from) / n);
  for (int i = 0; i < n; ++i) {
    const robot::Twist mean = steps.advance(commands, from + i * steps.dt(), robot.velocity);
    robot.path = robot::move(robot.path, mean, steps.dt());
  }
}

}  // namespace forerun::respond
