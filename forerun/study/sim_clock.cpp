#include "forerun/study/sim_clock.hpp"

#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::study {
namespace {

constexpr std::int64_t kDay = std::int64_t{86400} * 1'000'000'000;

}  // namespace

SimClock::SimClock(const ClockHabits& habits, Duration length, Random random)
    : drift_(random.uniform(-habits.max_drift, habits.max_drift)),
      wander_(habits.wander),
      period_(habits.wander_period_s),
      phase_(random.uniform(0, kTwoPi)),
      start_(kDay * 19000 + static_cast<std::int64_t>(random.uniform(0, 1000) * 1e9)) {
  if (habits.step_every_s <= 0) return;
  const double decades = std::log(habits.step_max_s / habits.step_min_s);
  for (double t = 0;;) {
    t -= habits.step_every_s * std::log(1 - random.uniform());
    if (t > to_seconds(length)) return;
    const double size = habits.step_min_s * std::exp(decades * random.uniform());
    steps_.push_back({TrueTime{} + from_seconds(t), from_seconds(random.uniform() < 0.5 ? -size : size)});
  }
}

std::int64_t SimClock::read(TrueTime now) const noexcept {
  const double t = to_seconds(now);
  // the integral of the wandering rate
  const double wandered = wander_ * period_ / kTwoPi * (std::cos(phase_) - std::cos(phase_ + kTwoPi * t / period_));
  std::int64_t shown = start_ + now.ns + static_cast<std::int64_t>((drift_ * t + wandered) * 1e9);
  for (const Step& step : steps_) {
    if (step.at > now) break;
    shown += step.by.ns;
  }
  return shown;
}

}  // namespace forerun::study
