#include "forerun/predict/hold_ups.hpp"

namespace forerun::predict {
namespace {

// What is known at first: as much as so many hold-ups in so much time say.
constexpr double kPriorSeen = 0.3;
constexpr double kPriorDriven = 150;  // [s]
constexpr double kMemory = 900;       // what is longer ago counts less [s of driving]

constexpr double kLost = 1.0;       // who has lost less was not held up [s] …
constexpr double kLostShare = 0.2;  // … nor who has lost less than this share of the time

}  // namespace

void HoldUps::take_in(double time, double lost, bool stands) noexcept {
  const bool held_up = lost > kLost + kLostShare * time || (so_far_ > 0 && stands);
  const double keeps = exp(-time / kMemory);
  driven_ = driven_ * keeps + (so_far_ > 0 ? 0 : time - (held_up ? lost : 0));
  n_seen_ *= keeps;
  if (held_up && so_far_ <= 0) n_seen_ += 1;
  const double lasted = so_far_ + (held_up ? lost : 0);
  if (held_up && stands) {
    so_far_ = lasted;
  } else {
    if (lasted > 0) lasting_.learn(lasted);
    so_far_ = 0;
  }
}

double HoldUps::rate() const noexcept { return (n_seen_ + kPriorSeen) / (driven_ + kPriorDriven); }

// It began early enough, and lasted or lasts that long.
double HoldUps::chance_of_losing(double lost, double gap) const noexcept {
  if (lost >= gap) return 0;
  return (1 - exp(-rate() * (gap - lost))) * lasting_.at(lost);
}

}  // namespace forerun::predict
