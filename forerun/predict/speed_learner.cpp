#include "forerun/predict/speed_learner.hpp"

#include "forerun/base/math.hpp"

namespace forerun::predict {
namespace {

constexpr double kShortest = 0.5;  // ways that say something [m]
constexpr double kSlowest = 0.3;   // scales that are believed
constexpr double kFastest = 1.3;
constexpr double kSurprise = 4;  // squared deviations of this size are hardly chance

}  // namespace

// That says most where nothing but the robot's top speed mattered: where the replica drove as fast as it could all the
// time. Where it did not, the robot may have decided otherwise.
void SpeedLearner::observe(double seen, double expected, double farthest, double variance) noexcept {
  if (expected < kShortest || !(farthest > 0)) return;
  const double off = clamp(seen / expected, kSlowest, 1.5) * scale_ - scale_;
  const double slowed = clamp(1 - expected / farthest, 0.0, 1.0);
  double noise = square(params_.noise) + square(params_.slow_noise * slowed) + variance / square(expected);
  variance_ += square(params_.drift);
  // something else happened, most likely
  if (square(off) > kSurprise * (variance_ + noise)) noise += square(off);
  const double gain = variance_ / (variance_ + noise);
  scale_ = clamp(scale_ + gain * off, kSlowest, kFastest);
  variance_ *= 1 - gain;
}

}  // namespace forerun::predict
