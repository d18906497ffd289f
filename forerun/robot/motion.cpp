#include "forerun/robot/motion.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/two.hpp"

namespace forerun::robot {
namespace {

// `now` moved towards `wanted`: at most `up` away from zero and `down` towards it.
double approach(double now, double wanted, double up, double down) noexcept {
  if (now < 0) return -approach(-now, -wanted, up, down);
  if (wanted >= now) return std::min(wanted, now + up);
  if (now - down >= 0) return std::max(wanted, now - down);
  // braked to a stop within the step; the rest of it speeds up the other way
  const double rest = 1 - now / down;
  return std::max(wanted, -up * rest);
}

}  // namespace

Pose2 move(const Pose2& pose, const Twist& velocity, double dt) noexcept {
  // v/ω (sin(θ+ωΔ) − sin θ) = v Δ sinc(ωΔ/2) cos(θ+ωΔ/2), which has no seam at ω = 0
  const double half_turn = 0.5 * velocity.w * dt;
  const double stretch = dt * sinc(half_turn);
  const SinCos t = sincos(pose.theta + half_turn);
  return {pose.x + stretch * (velocity.vx * t.cos - velocity.vy * t.sin),
          pose.y + stretch * (velocity.vx * t.sin + velocity.vy * t.cos), pose.theta + velocity.w * dt};
}

Pose2 move(const Pose2& pose, std::span<const Twist> velocities, double dt) noexcept {
  // the headings are known before the places, so that two steps can be computed at once
  Pose2 end = pose;
  std::size_t i = 0;
  for (; i + 1 < velocities.size(); i += 2) {
    const Twist &a = velocities[i], &b = velocities[i + 1];
    const Two half_turn = 0.5 * Two{a.w, b.w} * dt;
    const Two stretch = dt * sinc(half_turn);
    const double between = end.theta + a.w * dt;
    const TwoSinCos t = sincos(Two{end.theta, between} + half_turn);
    const Two vx{a.vx, b.vx}, vy{a.vy, b.vy};
    const Two x = stretch * (vx * t.cos - vy * t.sin), y = stretch * (vx * t.sin + vy * t.cos);
    end = {end.x + x[0] + x[1], end.y + y[0] + y[1], between + b.w * dt};
  }
  return i < velocities.size() ? move(end, velocities[i], dt) : end;
}

State step(const State& state, const Acceleration& acceleration, double dt) noexcept {
  State next{move(state.pose, state.velocity, dt), state.velocity};
  next.velocity.vx += acceleration.v * dt;
  next.velocity.vy += acceleration.vy * dt;
  next.velocity.w += acceleration.w * dt;
  return next;
}

State exact_motion(const State& state, const Acceleration& acceleration, double dt) noexcept {
  // nodes and weights of the eight-point Gauss–Legendre rule on [−1, 1]
  constexpr double kNodes[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                0.96028985649753623168};
  constexpr double kWeights[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                  0.10122853629037625915};
  // panels of less than a quarter radian of turning make the rule exact to rounding
  const double w0 = state.velocity.w, w1 = w0 + acceleration.w * dt;
  const double turning = (std::fabs(w0) + std::fabs(w1)) * std::fabs(dt);
  const int n_panels = 1 + static_cast<int>(std::min(4 * turning, 1e6));
  const double half = 0.5 * dt / n_panels;
  State end = state;
  for (int panel = 0; panel < n_panels; ++panel) {
    const double middle = (2 * panel + 1) * half;
    for (int i = 0; i < 8; ++i) {
      const double t = middle + half * (i < 4 ? -kNodes[i] : kNodes[i - 4]);
      const double weight = half * kWeights[i % 4];
      const SinCos heading = sincos(state.pose.theta + w0 * t + 0.5 * acceleration.w * t * t);
      const double vx = state.velocity.vx + acceleration.v * t, vy = state.velocity.vy + acceleration.vy * t;
      end.pose.x += weight * (vx * heading.cos - vy * heading.sin);
      end.pose.y += weight * (vx * heading.sin + vy * heading.cos);
    }
  }
  end.pose.theta = state.pose.theta + w0 * dt + 0.5 * acceleration.w * dt * dt;
  end.velocity.vx += acceleration.v * dt;
  end.velocity.vy += acceleration.vy * dt;
  end.velocity.w = w1;
  return end;
}

Twist approach(const Twist& now, const Twist& wanted, const Limits& limits, double dt) noexcept {
  const double up = limits.acceleration * dt, down = limits.deceleration * dt;
  return {approach(now.vx, clamp(wanted.vx, -limits.max_speed, limits.max_speed), up, down),
          approach(now.vy, clamp(wanted.vy, -limits.max_speed, limits.max_speed), up, down),
          approach(now.w, clamp(wanted.w, -limits.max_turn_rate, limits.max_turn_rate), limits.turn_acceleration * dt,
                   limits.turn_deceleration * dt)};
}

}  // namespace forerun::robot
