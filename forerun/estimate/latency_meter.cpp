#include "forerun/estimate/latency_meter.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"

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
      c.now = began ? commands[delay] : commands[delay] + (c.now - commands[delay]) * left;
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
  if (least > kMostUnexplained * spread()) return std::nullopt;
  robot::FoundResponse::Axis axis{static_cast<double>(delay) * kDelayStep, kLags[lag]};
  if (delay > 0 && delay + 1 < kDelays) {
    axis.delay += kDelayStep * lowest(unexplained(delay - 1, lag), least, unexplained(delay + 1, lag));
  }
  return axis;
}

void LatencyMeter::measure(double time, const robot::Twist& velocity) noexcept {
  const bool goes_on = last_ && time > *last_ && time - *last_ <= kLongestStep;
  if (last_ && !(time > *last_)) return;
  const double from = goes_on ? *last_ : time - 0.02;
  LagBank::Commands forward, turn;
  for (std::size_t i = 0; i < LagBank::kDelays; ++i) {
    const double delay = static_cast<double>(i) * LagBank::kDelayStep;
    const robot::Twist mean = commands_.mean(from - delay, time - delay);
    forward[i] = mean.vx;
    turn[i] = mean.w;
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
