#include "forerun/predict/certainty.hpp"

#include <algorithm>

namespace forerun::predict {
namespace {

constexpr double kMost = 0.95;  // share of the outer region, whose size has nothing to do with the inner one's
constexpr double kMostDoubt = 60;
constexpr double kLeastDoubt = 0.3;
constexpr double kLeastLevel = 0.05, kMostLevel = 0.95;
constexpr double kShortestGap = 0.5;  // surprises after less time are localization's [s]
constexpr double kFarthest = 3;       // surprises larger than this count as this
constexpr double kLate = 2;           // from about here on decisions have gone one way or the other [s]
constexpr double kOnItsWay = 3;       // from about here on a robot's way says more than how it moved [s]

// Made larger by `size`, and by what the robot was seen by.
Spread stated(const Spread& spread, double size, double blur) noexcept {
  const double k = square(size), error = square(blur);
  return {k * spread.xx + error, k * spread.xy, k * spread.yy + error};
}

}  // namespace

Certainty::Certainty(const CertaintyParams& params) noexcept : params_(params) {
  for (auto& row : doubts_) row.fill(1);
}

void Certainty::start_with(double doubt) noexcept {
  is_stranger_ = true;
  for (auto& row : doubts_) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = 1 + (doubt - 1) * (1 - exp(-kLearnedGaps[i] / kLate));
  }
}

double Certainty::doubt() const noexcept { return at(doubts_, {6, 0}); }

double Certainty::at(const Table& table, const When& when) noexcept {
  const auto& row = table[when.activity];
  const auto [before, next, share] = place_of(when.gap);
  return row[before] + (row[next] - row[before]) * share;
}

// Where most members agree and few are far off, so it is with the robot: half of its chances lie in a small region
// then.
double Certainty::first_half(double gap, double evenness) const noexcept {
  const double uneven = exp(params_.unevenness * log(evenness));
  if (!is_stranger_) return params_.half * uneven;
  return params_.stranger_half * exp(-params_.stranger_slower * log(1 + gap / kOnItsWay)) * uneven;
}

double Certainty::learned_half(const When& when) const noexcept {
  return needed_.holding(half_level_, {when.gap, when.activity, params_.half_reach, params_.half_elsewhere});
}

// How much larger than the chances say: as experience was.
double Certainty::factor(double share, double evenness, const When& when, double learned_half) const noexcept {
  const double late = 1 - exp(-when.gap / kLate);
  const double most = (params_.most + (params_.later - params_.most) * late) * at(doubts_, when);
  const double half = std::min(first_half(when.gap, evenness) * exp(learned_half), most);
  return std::max(half + (most - half) * (share - 0.5) / 0.45, 0.01);
}

Region Certainty::region(double share, const Mixture& expected, const When& when) const noexcept {
  const Reaches reaches = reaches_of(expected, share);
  const double learned = share == kMost ? 0 : learned_half(when);
  Region region;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Spread& spread = expected[i].spread;
    const double k = reaches[i] * factor(share, spread.evenness, when, learned);
    if (!(k > 0)) continue;
    const double mean = (spread.xx + spread.yy) / 2;
    const double apart = sqrt(square((spread.xx - spread.yy) / 2) + square(spread.xy));
    region.parts.push_back({expected[i].centre, k * sqrt(mean + apart), k * sqrt(std::max(mean - apart, 1e-8)),
                            atan2(2 * spread.xy, spread.xx - spread.yy) / 2});
  }
  return region;
}

double Certainty::farness(const Seen& seen, const Mixture& expected, const When& when) const noexcept {
  const Reaches reaches = reaches_of(expected, kMost);
  const double blur = sqrt(-2 * log(1 - kMost)) * seen.blur;
  double least = kInfinity;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double size = reaches[i] * factor(kMost, expected[i].spread.evenness, when, 0);
    if (!(size > 0)) continue;
    const Spread widened = stated(expected[i].spread, size, blur);
    least = std::min(least, sqrt(widened.distance2(seen.place - expected[i].centre)));
  }
  return least;
}

// By bisection, because what the robot was seen by does not grow with the region.
double Certainty::needed_half(const Seen& seen, const Mixture& expected, double gap) const noexcept {
  const Reaches reaches = reaches_of(expected, 0.5);
  const double blur = sqrt(2 * log(2.0)) * seen.blur;
  const auto holds = [&](double size) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double k = reaches[i] * first_half(gap, expected[i].spread.evenness) * exp(size);
      if (!(k > 0)) continue;
      if (stated(expected[i].spread, k, blur).distance2(seen.place - expected[i].centre) <= 1) return true;
    }
    return false;
  };
  double low = NeededSizes::kLeast, high = NeededSizes::kMost;
  for (int k = 0; k < 16; ++k) {
    const double size = (low + high) / 2;
    (holds(size) ? high : low) = size;
  }
  return high;
}

void Certainty::steer(const When& when, double step) noexcept {
  for (std::size_t activity = 0; activity < doubts_.size(); ++activity) {
    const double here = activity == when.activity ? 1 : params_.elsewhere;
    for (std::size_t i = 0; i < doubts_[activity].size(); ++i) {
      const double strength = here * lesson_strength(when.gap, i, params_.reach);
      double& doubt = doubts_[activity][i];
      doubt = clamp(doubt * exp(strength * step), kLeastDoubt, kMostDoubt);
    }
  }
}

void Certainty::learn(const Seen& seen, const Mixture& expected, const When& when) noexcept {
  if (when.gap < kShortestGap || expected.empty()) return;
  double variance = 0;
  for (const MixturePart& part : expected) variance += part.weight * (part.spread.xx + part.spread.yy);
  // what is hardly surer than the prediction says little
  const auto clear = [&](double sigma) { return square(variance / (variance + 2 * square(sigma))); };
  const double far = farness(seen, expected, when), needed = needed_half(seen, expected, when.gap);
  const double half_step = params_.half_gain * clear(seen.blur) * (needed > learned_half(when) ? 0.5 : -0.5);
  steer(when, params_.gain * clear(std::max(seen.blur, seen.drawn_from)) *
                  (far > 1 ? 0.95 * std::min(far, kFarthest) : -0.05));
  half_level_ = clamp(half_level_ + half_step, kLeastLevel, kMostLevel);
  needed_.learn({when.gap, when.activity, needed, clear(seen.blur)});
}

}  // namespace forerun::predict
