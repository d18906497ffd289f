#include "forerun/predict/opinions.hpp"

namespace forerun::predict {
namespace {

constexpr double kFloor = 0.0015;      // nobody is surer than this [m]
constexpr double kSpreadShare = 0.02;  // of its way at full speed: strangers are off by about this after 1 s
constexpr double kTracked = 0.03;      // a tracker keeps the robot about so near to its path [m] …
constexpr double kPaceShare = 0.005;   // … and is off by about this share of the way that the path has led
constexpr double kLeast = 1e-3;        // who is believed less has no say
constexpr int kDelays = 5;             // different ones that are thought of
constexpr int kDepartures = 3;         // the same

MixturePart disc(Vec2 centre, double sigma, double weight) noexcept {
  return {centre, {square(sigma), 0, square(sigma)}, weight};
}

}  // namespace

void add_experts(Opinions& all, const ExpertPlaces& places, const ExpertRow& weights,
                 const UnderWay& under_way) noexcept {
  const double way = under_way.speed * under_way.gap;
  const double sigma =
      under_way.on_mission ? kTracked + kPaceShare * way : kFloor + kSpreadShare * way * sqrt(under_way.gap);
  for (std::size_t i = 0; i < kMostExperts; ++i) {
    if (weights[i] > kLeast) all.push_back(disc(places[i], sigma, weights[i]));
  }
}

double add_delays(Opinions& all, const Milestones& milestones, const HoldUps& hold_ups,
                  const UnderWay& under_way) noexcept {
  if (milestones.empty()) return 0;
  const double step = under_way.gap / kDelays;
  const double sigma = kFloor + 0.3 * under_way.speed * step;  // of what lies between two of them
  const double any = hold_ups.chance_of_losing(0, under_way.gap);
  double more = any;
  for (int i = 0; i < kDelays; ++i) {
    const double rest = hold_ups.chance_of_losing((i + 1) * step, under_way.gap);
    all.push_back(disc(milestones.at(under_way.gap - (i + 0.5) * step), sigma, more - rest));
    more = rest;
  }
  return any;
}

double add_departures(Opinions& all, const Wait& wait, const SurvivalCurve& waiting, double speed) noexcept {
  const double step = wait.since_s / kDepartures;
  double stays = 1;
  for (int i = 0; i < kDepartures; ++i) {
    const double still = waiting.after(wait.so_far, (i + 1) * step);
    const double radius = speed * (wait.since_s - (i + 0.5) * step);
    if (stays > still) all.push_back(disc(wait.place, kFloor + radius / 2, stays - still));
    stays = still;
  }
  return 1 - stays;
}

}  // namespace forerun::predict
