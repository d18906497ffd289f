#include "forerun/clocks/step_detector.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::clocks {

namespace {

// The other direction must have lost this share of what one has gained: the gain is only known up to queueing.
constexpr double kShareLost = 0.6;
// Queueing alone makes n datagrams in a row late by y with a chance of about exp(−n y / mean): beyond e⁻⁸ it is a step.
constexpr double kEvidence = 8;
constexpr double kSingleEvidence = 20;  // in a single datagram
constexpr int kFewest = 3;
constexpr int kMost = 30;          // beyond, only time tells more
constexpr double kPathLasts = 20;  // a path that changed may stay so for this long [s]
constexpr double kPatience = 4;    // long buckets
// Datagrams closer together than this met the same queue [s].
constexpr double kIndependent = 0.3;
// Looking back: fewer buckets tell nothing, and queues are not known better than this [ns].
constexpr int kFewestBefore = 4;
constexpr int kFewestAfter = 2;
constexpr double kLeastSpread = 5e4;

// The buckets of one direction before and after a time.
struct Epochs {
  double before = kInfinity;  // the least [ns]
  double after = kInfinity;
  double spread = 0;  // mean above the least of the epoch [ns]
  int n_before = 0;
  int n_after = 0;

  Epochs(const Envelope& envelope, double slope, double at) noexcept {
    double sum = 0;
    for (const Crossing& crossing : envelope) {
      const double level = crossing.delay - slope * crossing.at;
      sum += level;
      double& least = crossing.at < at ? before : after;
      least = std::min(least, level);
      ++(crossing.at < at ? n_before : n_after);
    }
    if (!telling()) return;
    spread = std::max(kLeastSpread, (sum - n_before * before - n_after * after) / (n_before + n_after - 2));
  }
  [[nodiscard]] bool telling() const noexcept { return n_before >= kFewestBefore && n_after >= kFewestAfter; }
  [[nodiscard]] double rise() const noexcept { return after - before; }
};

// Exponential queues beat the old record by y with a chance of exp(−n y / spread), n buckets before; and they miss it
// by y ever after with the same chance, n buckets after.
double evidence_of(const Epochs& faster, const Epochs& slower) noexcept {
  const double gain = -faster.rise();
  const double loss = slower.rise();
  if (gain <= 0 || loss <= 0 || std::min(gain, loss) < 0.5 * std::max(gain, loss)) return 0;
  return std::min(faster.n_before * gain / faster.spread, slower.n_after * loss / slower.spread);
}

}  // namespace

void StepDetector::open(const Crossing* out, const Crossing& home, const Usual& usual, bool outward) noexcept {
  *this = StepDetector{};
  open_ = true;
  outward_ = outward;
  step_.since = outward ? std::min(out->at, home.at) : home.at;
  least_out_ = usual.least_out;
  least_home_ = usual.least_home;
  in_flight_ = (least_out_ + least_home_ + 4 * (usual.queue_out + usual.queue_home)) * 1e-9;
  spread_ = kLeastSpread + (outward ? usual.spread_home : usual.spread_out);
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

bool StepDetector::decided(const Usual& usual, double now) noexcept {
  // faster than at once: no path is
  const double round_trip = outward_ ? step_.out.delay + least_home_ : step_.home.delay + least_out_;
  if (round_trip < -usual.doubt) return true;
  if (n_others_ == 0) return false;
  const double spent = now - step_.since;
  const double lasts = std::max(usual.spread_s, kPathLasts);
  if (loss_ < kShareLost * gain_ || spent > kPatience * lasts) {
    open_ = false;
    return false;
  }
  const double evidence = loss_ / (1e3 + (outward_ ? usual.queue_home : usual.queue_out));
  // a small change may be one of the path, which several datagrams meet
  const double share = gain_ > usual.doubt ? 1 : 0.5;
  if (n_others_ <= kMost) {
    if (share * evidence > kSingleEvidence || (n_others_ >= kFewest && n_others_ * share * evidence > kEvidence))
      return true;
  }
  // paths change too: but the least of a long time hardly does
  step_.slow = n_others_ >= kFewest && spent / lasts * loss_ / spread_ > kEvidence;
  return step_.slow;
}

bool StepDetector::judge(const Crossing* out, const Crossing& home, const Usual& usual) noexcept {
  const double gain_out = out ? usual.least_out - out->delay : -kInfinity;
  const double gain_home = usual.least_home - home.delay;
  // a far larger change within a suspicion is one of its own
  const bool outdone = open_ && std::max(gain_out, gain_home) > usual.doubt + 2 * gain_;
  if (!open_ || outdone) {
    const double odd_out = gain_out - usual.tolerance_out;
    const double odd_home = gain_home - usual.tolerance_home;
    if (std::max(odd_out, odd_home) <= 0) return false;
    open(out, home, usual, odd_out > 0 && gain_out > gain_home);
  }
  // what is judged keeps the faster datagrams too: only at first they are compared with those before
  const double before = outward_ ? least_out_ - (out ? out->delay : kInfinity) : least_home_ - home.delay;
  gain_ = std::max(gain_, before);
  observe(out, home);
  if (!decided(usual, home.at)) return false;
  open_ = false;
  return true;
}

OldStep look_back(const Envelope& out, const Envelope& home, double slope) noexcept {
  OldStep best;
  for (const Envelope* const envelope : {&out, &home}) {
    for (const Crossing& candidate : *envelope) {
      const Epochs there(out, slope, candidate.at);
      const Epochs back(home, -slope, candidate.at);
      if (!there.telling() || !back.telling()) continue;
      const double evidence = there.rise() < 0 ? evidence_of(there, back) : evidence_of(back, there);
      if (evidence > best.evidence) best = {candidate.at, (there.rise() - back.rise()) / 2, evidence};
    }
  }
  return best;
}

}  // namespace forerun::clocks
