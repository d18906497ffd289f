#include "forerun/estimate/latency_meter.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/respond/response.hpp"

namespace forerun::estimate {
namespace {

constexpr double kRemembered = 60;        // what was seen counts for about so long [s]
constexpr double kLongestStep = 0.3;      // measurements farther apart begin anew [s]
constexpr double kShortest = 10;          // of driving, before anything is said [s]
constexpr double kLeastSpread = 0.02;     // of the velocities [m/s, rad/s]
constexpr double kMostUnexplained = 0.2;  // of their variance

// Where a parabola through three values, one step apart, is lowest: −½ … ½ of a step from the middle one.
double lowest(double before, double middle, double after) noexcept {
  const double bend = before - 2 * middle + after;
  return bend > 0 ? clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
}

}  // namespace

void LagBank::add(const Commands& commands, double measured, double dt, bool began) noexcept {
  const double keep = exp(-dt / kRemembered);
  n_ = n_ * keep + dt;
  y_ = y_ * keep + measured * dt;
  yy_ = yy_ * keep + measured * measured * dt;
  seconds_ += dt;
  for (std::size_t lag = 0; lag < kLags.size(); ++lag) {
    const double left = kLags[lag] > 0 ? exp(-dt / kLags[lag]) : 0;
    for (std::size_t delay = 0; delay < kDelays; ++delay) {
      Candidate& c = candidates_[delay][lag];
      const auto& [mean, end] = commands[delay];
      c.now = began || kLags[lag] == 0 ? end : mean + (c.now - mean) * left;
      c.x = c.x * keep + c.now * dt;
      c.xx = c.xx * keep + c.now * c.now * dt;
      c.xy = c.xy * keep + c.now * measured * dt;
    }
  }
}

double LagBank::spread() const noexcept { return n_ > 0 ? std::max(0.0, yy_ / n_ - square(y_ / n_)) : 0; }

double LagBank::unexplained(std::size_t delay, std::size_t lag) const noexcept {
  const Candidate& c = candidates_[delay][lag];
  const double xx = c.xx / n_ - square(c.x / n_), xy = c.xy / n_ - c.x * y_ / (n_ * n_);
  return xx > 0 && xy > 0 ? spread() - xy * xy / xx : spread();
}

std::optional<robot::FoundResponse::Axis> LagBank::found() const noexcept {
  if (seconds_ < kShortest || spread() < square(kLeastSpread)) return std::nullopt;
  std::size_t delay = 0, lag = 0;
  double least = kInfinity;
  for (std::size_t d = 0; d < kDelays; ++d) {
    for (std::size_t l = 0; l < kLags.size(); ++l) {
      if (unexplained(d, l) >= least) continue;
      least = unexplained(d, l);
      delay = d;
      lag = l;
    }
  }
  // at the edge it may be any longer one
  if (least > kMostUnexplained * spread() || delay + 1 == kDelays) return std::nullopt;
  robot::FoundResponse::Axis axis{static_cast<double>(delay) * kDelayStep, kLags[lag]};
  if (delay > 0) {
    axis.delay += kDelayStep * lowest(unexplained(delay - 1, lag), least, unexplained(delay + 1, lag));
  }
  return axis;
}

void LatencyMeter::command(double time, const robot::Twist& velocity) noexcept {
  ramp_to(time);
  wanted_ = velocity;
}

void LatencyMeter::ramp_to(double time) noexcept {
  constexpr double kStep = 0.02;     // [s]
  constexpr double kLongest = 10.0;  // nobody drives on through a longer silence [s]
  if (time - ramped_at_ > kLongest) ramped_at_ = time;
  const auto follow = [](double wanted, double speeding_up, double braking, double& now) {
    return respond::ramp(wanted, std::fabs(wanted) > std::fabs(now) ? speeding_up : braking, now);
  };
  while (ramped_at_ < time) {
    const double dt = std::min(kStep, time - ramped_at_);
    const double v = follow(wanted_.vx, limits_.acceleration * dt, limits_.deceleration * dt, ramped_.vx);
    const double w = follow(wanted_.w, limits_.turn_acceleration * dt, limits_.turn_deceleration * dt, ramped_.w);
    commands_.give(ramped_at_, {v, 0, w});
    ramped_at_ += dt;
  }
}

void LatencyMeter::measure(double time, const robot::Twist& velocity) noexcept {
  ramp_to(time);
  const bool goes_on = last_ && time > *last_ && time - *last_ <= kLongestStep;
  if (last_ && !(time > *last_)) return;
  const double from = goes_on ? *last_ : time - 0.02;
  LagBank::Commands forward, turn;
  for (std::size_t i = 0; i < LagBank::kDelays; ++i) {
    const double delay = static_cast<double>(i) * LagBank::kDelayStep;
    const robot::Twist mean = commands_.mean(from - delay, time - delay);
    const robot::Twist end = commands_.at(time - delay);
    forward[i] = {mean.vx, end.vx};
    turn[i] = {mean.w, end.w};
  }
  forward_.add(forward, velocity.vx, time - from, !goes_on);
  turn_.add(turn, velocity.w, time - from, !goes_on);
  last_ = time;
}

std::optional<robot::FoundResponse> LatencyMeter::found() const noexcept {
  const robot::FoundResponse found{forward_.found(), turn_.found()};
  if (!found.forward && !found.turn) return std::nullopt;
  return found;
}

}  // namespace forerun::estimate
