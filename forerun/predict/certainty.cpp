#include "forerun/predict/certainty.hpp"

#include <algorithm>

namespace forerun::predict {
namespace {

constexpr double kMostDoubt = 20;
constexpr double kLeastDoubt = 0.5;
constexpr double kShortestGap = 1;  // surprises after less time are localization's [s]

}  // namespace

// Semi-axes in standard deviations: those of a normal distribution, and what experience adds to them. Where most
// members agree and few are far off, so it is with the robot: half of its chances lie in a small region then.
double Certainty::size(double share, double evenness, double gap) const noexcept {
  const double late = 1 - exp(-gap / params_.doubt_after);
  const double half = params_.half * exp(params_.unevenness * log(evenness)) * (1 + (half_doubt_ - 1) * late);
  const double most = (params_.most + (params_.later - params_.most) * late) * (1 + (doubt_ - 1) * late);
  const double factor = half + (std::max(most, half) - half) * (share - 0.5) / 0.45;
  return sqrt(-2 * log(1 - share)) * std::max(factor, 0.05);
}

Region Certainty::region(double share, Vec2 centre, const Spread& spread, double gap) const noexcept {
  const double k = size(share, spread.evenness, gap);
  const double mean = (spread.xx + spread.yy) / 2;
  const double apart = sqrt(square((spread.xx - spread.yy) / 2) + square(spread.xy));
  return {centre, k * sqrt(mean + apart), k * sqrt(std::max(mean - apart, 1e-8)),
          atan2(2 * spread.xy, spread.xx - spread.yy) / 2};
}

bool Certainty::is_outside(double share, Vec2 off, const Spread& spread, double gap, double sigma,
                           double* far) const noexcept {
  const double widened = square(size(share, spread.evenness, gap));
  const double error = -2 * log(1 - share) * square(sigma);
  const Spread seen{widened * spread.xx + error, widened * spread.xy, widened * spread.yy + error};
  *far = sqrt(seen.distance2(off));
  return *far > 1;
}

// Wider whenever the robot was outside, the more the farther; and back in so small steps otherwise that both cancel out
// when it is outside as often as stated.
void Certainty::learn(Vec2 off, const Spread& spread, double gap, double sigma) noexcept {
  if (gap < kShortestGap) return;
  double far = 0;
  const bool misses = is_outside(0.95, off, spread, gap, sigma, &far);
  const double change = misses ? 0.95 * std::min(far, 4.0) : -0.05;
  const bool misses_half = is_outside(0.5, off, spread, gap, sigma, &far);
  doubt_ = clamp(doubt_ * exp(params_.doubt_gain * change), 1.0, kMostDoubt);
  // a report that is hardly surer than the prediction says little about its middle
  const double clear = square((spread.xx + spread.yy) / (spread.xx + spread.yy + 2 * square(sigma)));
  half_doubt_ =
      clamp(half_doubt_ * exp(params_.half_gain * clear * (misses_half ? 0.5 : -0.5)), kLeastDoubt, kMostDoubt);
}

}  // namespace forerun::predict
