#include "forerun/predict/certainty.hpp"

#include <algorithm>

namespace forerun::predict {
namespace {

constexpr double kMostDoubt = 60;
constexpr double kLeastDoubt = 0.3;
constexpr double kLeastHalf = 0.1;
constexpr double kShortestGap = 0.5;  // surprises after less time are localization's [s]
constexpr double kFarthest = 3;       // surprises larger than this count as this
constexpr double kLate = 2;           // from about here on decisions have gone one way or the other [s]

}  // namespace

Certainty::Certainty(const CertaintyParams& params) noexcept : params_(params) { start_with(1); }

void Certainty::start_with(double doubt) noexcept {
  for (auto& row : doubts_) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = 1 + (doubt - 1) * (1 - exp(-kLearnedGaps[i] / kLate));
  }
  for (auto& row : half_doubts_) row.fill(1);
}

double Certainty::doubt() const noexcept { return at(doubts_, {6, 0}); }

double Certainty::at(const Table& table, const When& when) noexcept {
  const auto& row = table[when.activity];
  const auto [before, next, share] = place_of(when.gap);
  return row[before] + (row[next] - row[before]) * share;
}

// How much larger than the chances say: as experience was. Where most members agree and few are far off, so it is with
// the robot: half of its chances lie in a small region then.
double Certainty::factor(double share, double evenness, const When& when) const noexcept {
  const double late = 1 - exp(-when.gap / kLate);
  const double half = params_.half * exp(params_.unevenness * log(evenness)) * at(half_doubts_, when);
  const double most = (params_.most + (params_.later - params_.most) * late) * at(doubts_, when);
  return std::max(half + (std::max(most, half) - half) * (share - 0.5) / 0.45, 0.01);
}

Region Certainty::region(double share, const Mixture& expected, const When& when) const noexcept {
  const Reaches reaches = reaches_of(expected, share);
  Region region;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Spread& spread = expected[i].spread;
    const double k = reaches[i] * factor(share, spread.evenness, when);
    if (!(k > 0)) continue;
    const double mean = (spread.xx + spread.yy) / 2;
    const double apart = sqrt(square((spread.xx - spread.yy) / 2) + square(spread.xy));
    region.parts.push_back({expected[i].centre, k * sqrt(mean + apart), k * sqrt(std::max(mean - apart, 1e-8)),
                            atan2(2 * spread.xy, spread.xx - spread.yy) / 2});
  }
  return region;
}

double Certainty::farness(double share, Vec2 seen, const Mixture& expected, const When& when,
                          double sigma) const noexcept {
  const Reaches reaches = reaches_of(expected, share);
  const double error = -2 * log(1 - share) * square(sigma);
  double least = kInfinity;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Spread& spread = expected[i].spread;
    const double widened = square(reaches[i] * factor(share, spread.evenness, when));
    if (!(widened > 0)) continue;
    const Spread stated{widened * spread.xx + error, widened * spread.xy, widened * spread.yy + error};
    least = std::min(least, sqrt(stated.distance2(seen - expected[i].centre)));
  }
  return least;
}

void Certainty::steer(Table& table, const When& when, double step) noexcept {
  const bool is_half = &table == &half_doubts_;
  const double least = is_half ? kLeastHalf : kLeastDoubt;
  for (std::size_t activity = 0; activity < table.size(); ++activity) {
    const double here = activity == when.activity ? 1 : (is_half ? params_.half_elsewhere : params_.elsewhere);
    for (std::size_t i = 0; i < table[activity].size(); ++i) {
      const double strength = here * lesson_strength(when.gap, i, params_.reach);
      double& doubt = table[activity][i];
      doubt = clamp(doubt * exp(strength * step), least, kMostDoubt);
    }
  }
}

void Certainty::learn(Vec2 seen, const Mixture& expected, const When& when, double sigma) noexcept {
  if (when.gap < kShortestGap || expected.empty()) return;
  const double far = farness(0.95, seen, expected, when, sigma);
  const bool misses_half = farness(0.5, seen, expected, when, sigma) > 1;
  // a report that is hardly surer than the prediction says little
  double variance = 0;
  for (const MixturePart& part : expected) variance += part.weight * (part.spread.xx + part.spread.yy);
  const double clear = square(variance / (variance + 2 * square(sigma)));
  steer(doubts_, when, params_.gain * clear * (far > 1 ? 0.95 * std::min(far, kFarthest) : -0.05));
  steer(half_doubts_, when, params_.half_gain * clear * (misses_half ? 0.5 : -0.5));
}

}  // namespace forerun::predict
