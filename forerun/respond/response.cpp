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
      sideways_(response.sideways == response.forward ? forward_ : make_axis(response.sideways, dt)),
      turn_(response.turn == response.forward ? forward_ : make_axis(response.turn, dt)) {}

double ramp(double wanted, double most, double& now) noexcept {
  const double way = std::fabs(wanted - now);
  const double before = now;
  if (way <= most) {
    now = wanted;
    if (way == 0) return wanted + 0.0;
    const double share = most > 0 ? way / most : 0;  // of the step, until it is there
    return wanted + (before - wanted) * 0.5 * share;
  }
  now += wanted > now ? most : -most;
  return 0.5 * (before + now);
}

double ResponseSteps::answer(const Axis& axis, double wanted, double& ramped, double& velocity) const noexcept {
  double followed = wanted;
  if (axis.response.acceleration > 0) {
    followed = ramp(wanted, axis.response.acceleration * dt_, ramped);
  } else {
    ramped = wanted;
  }
  const double goal = axis.response.gain * followed;
  const double mean = goal + (velocity - goal) * axis.mean;
  velocity = goal + (velocity - goal) * axis.end;
  return mean;
}

robot::Twist ResponseSteps::advance(const CommandTrack& commands, double time, Motion& motion) const noexcept {
  const auto commanded = [&](double delay) { return commands.mean(time - delay, time - delay + dt_); };
  const robot::Twist ahead = commanded(forward_.response.delay);
  const auto wanted = [&](const Axis& axis) {
    return axis.response.delay == forward_.response.delay ? ahead : commanded(axis.response.delay);
  };
  auto& [ramped, velocity] = motion;
  return {answer(forward_, ahead.vx, ramped.vx, velocity.vx),
          answer(sideways_, wanted(sideways_).vy, ramped.vy, velocity.vy),
          answer(turn_, wanted(turn_).w, ramped.w, velocity.w)};
}

void advance(const Response& response, const CommandTrack& commands, double from, double to, Expected& robot) noexcept {
  if (!(to > from)) return;
  const int n = static_cast<int>(std::ceil((to - from) / kStep));
  const ResponseSteps steps(response, (to - from) / n);
  for (int i = 0; i < n; ++i) {
    const robot::Twist mean = steps.advance(commands, from + i * steps.dt(), robot.motion);
    robot.path = robot::move(robot.path, mean, steps.dt());
  }
}

}  // namespace forerun::respond
