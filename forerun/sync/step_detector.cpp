#include "forerun/sync/step_detector.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::sync {

namespace {

// The other direction must have lost this share of what one has gained: the gain is only known up to queueing.
constexpr double kShareLost = 0.6;
// Queueing alone makes n datagrams in a row late by y with a chance of about exp(−n y / mean): beyond e⁻⁸ it is a step.
constexpr double kEvidence = 8;
constexpr double kSingleEvidence = 20;  // in a single datagram
constexpr int kFewest = 3;
constexpr int kMost = 30;
// Datagrams closer together than this met the same queue [s].
constexpr double kIndependent = 0.3;

}  // namespace

void StepDetector::open(const Crossing* out, const Crossing& home, const Usual& usual, bool outward) noexcept {
  *this = StepDetector{};
  open_ = true;
  outward_ = outward;
  step_.since = outward ? std::min(out->at, home.at) : home.at;
  least_out_ = usual.least_out;
  least_home_ = usual.least_home;
  in_flight_ = (least_out_ + least_home_ + 4 * (usual.queue_out + usual.queue_home)) * 1e-9;
  loss_ = kInfinity;
  counted_at_ = -kInfinity;
}

void StepDetector::observe(const Crossing* out, const Crossing& home) noexcept {
  // what left for the remote side before the step says nothing, unless it shows the step itself; and its time of
  // leaving may be one of the clock before it was set
  const bool early = out && (out->at < step_.since || home.at < step_.since + in_flight_);
  if (early && !outward_ && out->delay - least_out_ < kShareLost * gain_) out = nullptr;
  if (out && (!step_.has_out || out->delay < step_.out.delay)) {
    step_.out = *out;
    step_.has_out = true;
  }
  if (!step_.has_home || home.delay < step_.home.delay) {
    step_.home = home;
    step_.has_home = true;
  }
  const Crossing* other = outward_ ? &home : out;
  if (!other) return;
  loss_ = std::min(loss_, other->delay - (outward_ ? least_home_ : least_out_));
  if (other->at < counted_at_ + kIndependent) return;
  counted_at_ = other->at;
  ++n_others_;
}

bool StepDetector::decided(const Usual& usual) noexcept {
  // faster than at once: no path is
  const double round_trip = outward_ ? step_.out.delay + least_home_ : step_.home.delay + least_out_;
  if (round_trip < -usual.tolerance) return true;
  if (n_others_ == 0) return false;
  if (loss_ < kShareLost * gain_ || n_others_ > kMost) {
    open_ = false;
    return false;
  }
  const double evidence = loss_ / (1e3 + (outward_ ? usual.queue_home : usual.queue_out));
  return evidence > kSingleEvidence || (n_others_ >= kFewest && n_others_ * evidence > kEvidence);
}

bool StepDetector::judge(const Crossing* out, const Crossing& home, const Usual& usual) noexcept {
  const double gain_out = out ? usual.least_out - out->delay : -kInfinity;
  const double gain_home = usual.least_home - home.delay;
  if (!open_) {
    if (std::max(gain_out, gain_home) <= usual.tolerance) return false;
    open(out, home, usual, gain_out > gain_home);
  }
  gain_ = std::max(gain_, outward_ ? gain_out : gain_home);
  observe(out, home);
  if (!decided(usual)) return false;
  open_ = false;
  return true;
}

}  // namespace forerun::sync
