#include "forerun/clocks/clock_filter.hpp"

#include <algorithm>
#include <iterator>

#include "forerun/base/math.hpp"

namespace forerun::clocks {

namespace {

constexpr std::int64_t kLatestStamp = 4'500'000'000'000'000'000;    // differences of two stay within 64 bits
constexpr std::int64_t kLargestOffset = 3'200'000'000'000'000'000;  // a century
constexpr double kReading = 100;                                    // reading a clock takes its time [ns]
constexpr std::int64_t kLongestHeld = 3'600'000'000'000;            // an hour
// Time that goes back by more than this may show that the local clock was set [s].
constexpr double kPlainStep = 0.005;

constexpr int kExperience = 24;       // buckets before anything is learned
constexpr double kLongestGap = 3;     // a statement counts for at most this long [s]
constexpr double kSettlingTime = 80;  // until it is worth comparing with [s]
constexpr double kExcessTime = 50;    // further running means [s]
constexpr double kErrorTime = 60;
constexpr double kStatedTime = 30;
constexpr int kNewcomer = 5;          // buckets before queues can be told from the path
constexpr double kStraggler = 20;     // times the mean time in queues
constexpr double kQueueShare = 0.02;  // of the newest datagram in the mean time in queues
// At first a path hides how much it will change: for so long, so much of the round trip may be uneven.
constexpr double kNoviceTime = 300;  // [s]
constexpr double kNoviceShare = 0.08;
// A rate is known this much better than the spread of the envelopes over their length says.
constexpr double kRateShare = 0.3;
constexpr double kRecord = 8;  // queues alone beat a record by more with a chance of e to the minus this
// Memory is lengthened after so many buckets, and shortened after twice as many.
constexpr int kAdaptEvery = 6;
constexpr double kStatedToError = 1.15;  // the 95th percentile of errors against the mean of what is stated

// What is remembered: short buckets, and how far the newest ones are trusted rather than the mean of minutes.
struct Memory {
  int n_buckets;
  double trust;
  double widening;  // slow errors hide from the comparison with that mean
};
constexpr Memory kMemories[] = {{1, 1, 1},       {2, 1, 1},      {3, 1, 1},       {4, 1, 1},       {6, 1, 1},
                                {8, 1, 1},       {12, 1, 1},     {12, 0.85, 1.1}, {12, 0.7, 1.15}, {12, 0.6, 1.2},
                                {12, 0.5, 1.25}, {12, 0.4, 1.3}, {12, 0.3, 1.35}};

bool credible(const RawExchange& e) noexcept {
  for (const std::int64_t stamp : {e.sent, e.received, e.answered, e.back})
    if (stamp > kLatestStamp || stamp < -kLatestStamp) return false;
  const auto far = [](std::int64_t a, std::int64_t b) { return a - b > kLargestOffset || b - a > kLargestOffset; };
  const std::int64_t held = e.answered - e.received;
  return held >= 0 && held <= kLongestHeld && !far(e.received, e.sent) && !far(e.answered, e.back);
}

// How far, in sum, crossings lie above the highest line of a slope that lies below all of them.
double above_line(const Envelope& envelope, double slope) noexcept {
  double sum = 0;
  double least = kInfinity;
  for (const Crossing& crossing : envelope) {
    const double level = crossing.delay - slope * crossing.at;
    sum += level;
    least = std::min(least, level);
  }
  return sum - least * envelope.size();
}

// A mean over some seconds to which a single value adds no more than a few times the mean: a clock that was set looks
// like a huge delay at first.
void average(double& mean, double value, double share) noexcept {
  mean += share * (std::min(value, 6 * mean + 1e5) - mean);
}

}  // namespace

ClockFilter::ClockFilter(const ClockParams& params) noexcept : params_(params), rate_sigma_(params.max_drift / 2) {}

double ClockFilter::seconds(std::int64_t local) const noexcept {
  return (static_cast<double>(local) - static_cast<double>(local_zero_)) * 1e-9;
}

int ClockFilter::n_buckets() const noexcept {
  return out_.empty() || home_.empty() ? 0 : std::min(out_.n_buckets(), home_.n_buckets());
}

void ClockFilter::start(const RawExchange& e) noexcept {
  started_ = true;
  local_zero_ = e.back;
  const std::int64_t out = e.received - e.sent;
  const std::int64_t home = e.back - e.answered;
  offset_zero_ = out - (out + home) / 2;
  last_sent_ = e.sent - 1;
  sent_from_ = -kInfinity;
  mean_round_trip_ = static_cast<double>(out + home);
  // until there is experience: as if half of the way were queueing
  mean_excess_ = queue_out_ = queue_home_ = mean_round_trip_ / 4;
  mean_error_ = mean_excess_ / 4;
}

void ClockFilter::add(const RawExchange& e) noexcept {
  if (!credible(e)) return;
  const double round_trip = static_cast<double>((e.back - e.sent) - (e.answered - e.received));
  // a clock that was set during the exchange spoils the older half of it
  const bool whole = round_trip >= 0 && e.back >= e.sent;
  if (!started_ && !whole) return;
  if (!started_) start(e);
  // a copy of the last datagram
  if (e.sent == last_sent_ && e.answered == last_answered_) return;
  const double back_at = static_cast<double>(e.back - local_zero_) * 1e-9;
  const double sent_at = static_cast<double>(e.sent - local_zero_) * 1e-9;
  if (whole) {
    round_trip_ = round_trip;
    average(mean_round_trip_, round_trip, 0.01);
  }

  // each way counts as of the time at which the remote clock was read
  const double half_s = whole ? std::min(round_trip * 0.5e-9, 1.0) : 0;
  const Crossing home{back_at - half_s, static_cast<double>((e.back - e.answered) + offset_zero_)};
  const Crossing out{sent_at + half_s, static_cast<double>((e.received - e.sent) - offset_zero_)};
  if (local_clock_set_back(home, back_at)) local_set_back(home, back_at);
  // several answers to one datagram tell of its way only once
  const bool news = whole && e.sent != last_sent_ && sent_at >= sent_from_;
  last_sent_ = e.sent;
  last_answered_ = e.answered;
  if (!take(news ? &out : nullptr, home, back_at)) return;
  if (refining_) refine();
  state(news ? std::max(home.at, out.at) : home.at);
  if (!detector_.suspicious()) adapt();
}

// Time has gone back, and the way home has become as much shorter. Otherwise the exchange merely comes out of order.
bool ClockFilter::local_clock_set_back(const Crossing& home, double back_at) const noexcept {
  const double back_by = last_back_ - back_at;
  if (back_by < kPlainStep || home_.empty()) return false;
  return home_.lasting(home.at, -slope()) - home.delay > 0.5e9 * back_by;
}

bool ClockFilter::take(const Crossing* out, const Crossing& home, double back_at) noexcept {
  const double silence = clamp(back_at - last_back_, 0.0, kLongestGap);
  last_back_ = std::max(last_back_, back_at);
  const bool suspected = detector_.suspicious();
  const double suspected_since = detector_.step().since;
  const bool proven = n_buckets() > 0 && detector_.judge(out, home, usual(out, home));
  const bool anew = !suspected || detector_.step().since != suspected_since;
  if (anew && (proven || detector_.suspicious())) suspect();
  if (suspected && !proven && !detector_.suspicious()) trust_again();
  if (detector_.suspicious()) doubt_ = detector_.gain();
  if (proven) {
    set(detector_.step());
    return true;
  }
  if (!detector_.suspicious() && !refining_) learn(silence);
  return keep(out, &home);
}

StepDetector::Usual ClockFilter::usual(const Crossing* out, const Crossing& home) const noexcept {
  const double aged = 3e9 * rate_sigma_ * std::max(0.0, home.at - at_) + 1e5;
  // an envelope that has just begun still becomes better
  const double doubt = (0.25 + 4.0 / n_buckets()) * (queue_out_ + queue_home_) + calibration_.factor() * guess_ + aged;
  StepDetector::Usual usual{.least_out = out_.lasting(out ? out->at : home.at, slope()),
                            .least_home = home_.lasting(home.at, -slope()),
                            .queue_out = queue_out_,
                            .queue_home = queue_home_,
                            .spread_out = out_.spread(slope()),
                            .spread_home = home_.spread(-slope()),
                            .spread_s = out_.long_seconds(),
                            .doubt = doubt};
  // the least of many buckets is seldom beaten, and then by little
  const bool known = n_buckets() > kExperience;
  const auto tolerance = [&](const Envelope& envelope, double spread) {
    return known ? std::min(doubt, kRecord * spread / envelope.size() + 0.25 * wanted_error() + aged) : doubt;
  };
  usual.tolerance_out = tolerance(out_, usual.spread_out);
  usual.tolerance_home = tolerance(home_, usual.spread_home);
  return usual;
}

// A datagram that met a queue beyond all measure says nothing, and in a silence it must not stand for the path.
bool ClockFilter::keep(Envelope& envelope, double& mean_queue, const Crossing& crossing, double slope) noexcept {
  if (envelope.n_buckets() <= kNewcomer) {
    envelope.add(crossing, slope);
    return true;
  }
  const double queue = crossing.delay - envelope.lasting(crossing.at, slope);
  const bool straggler = queue > kStraggler * mean_queue + kReading;
  if (!straggler) envelope.add(crossing, slope);
  average(mean_queue, std::max(0.0, queue), kQueueShare);
  return !straggler;
}

bool ClockFilter::keep(const Crossing* out, const Crossing* home) noexcept {
  const bool out_kept = out && keep(out_, queue_out_, *out, slope());
  const bool home_kept = home && keep(home_, queue_home_, *home, -slope());
  return out_kept || home_kept;
}

// The statement that held until now is compared with its mean over minutes.
void ClockFilter::learn(double seconds) noexcept {
  if (n_buckets() < kExperience) return;
  learned_ += seconds;
  settled_ += seconds;

  // long queues say little about the mean
  reference_ += slope() * (at_ - reference_at_);
  reference_at_ = at_;
  const double usual_excess = 0.3 * mean_excess_ + 1e3;
  const double weight = seconds * square(usual_excess / (excess_ + usual_excess));
  const double memory = std::min(kReferenceTime, 10 + 0.5 * learned_);
  reference_weight_ = reference_weight_ * (1 - seconds / memory) + weight;
  reference_ += weight / (reference_weight_ + 1e-9) * (recent_ - reference_);

  // a mean that has just begun agrees with everything; but at the very first anything is better than nothing
  const double telling = seconds * std::min(1.0, settled_ / kSettlingTime);
  const double heard = settled_ < learned_ ? telling : seconds;
  const auto share = [&](double time) { return clamp(heard / (learned_ + 0.5), heard / time, 1.0); };
  const double error = std::abs(offset_ + bias_ - reference_);
  calibration_.add(error / std::max(guess_, 1.0), telling);
  average(mean_excess_, excess_, share(kExcessTime));
  average(mean_error_, error, share(kErrorTime));
  average(mean_stated_, calibration_.factor() * guess_, share(kStatedTime));

  // neither the mean nor the fastest datagrams are right alone: queues of one direction draw at the one, a single lucky
  // datagram at the other
  const double fastest = (out_.lasting(at_, slope()) - home_.lasting(at_, -slope())) / 2;
  bias_ = clamp(0.5 * (reference_ - fastest), -mean_excess_, mean_excess_);
}

double ClockFilter::wanted_error() const noexcept {
  return params_.error_share * mean_round_trip_ / 2 + params_.error_s * 1e9;
}

// Remembers as little as the error to aim at allows.
void ClockFilter::adapt() noexcept {
  if (last_back_ < adapted_at_ + Envelope::kBucketSeconds) return;
  adapted_at_ = last_back_;
  fit_rate();
  reconsider();
  if (n_buckets() < kExperience || ++n_adapted_ % kAdaptEvery != 0) return;
  const double wanted = wanted_error();
  const double error = kStatedToError * mean_stated_;
  if (error > wanted && memory_ + 1 < static_cast<int>(std::size(kMemories))) ++memory_;
  if (error < 0.75 * wanted && n_adapted_ % (2 * kAdaptEvery) == 0 && memory_ > 0) --memory_;
}

// The rate whose lines lie closest below all crossings, one line a direction: a convex search.
void ClockFilter::fit_rate() noexcept {
  if (out_.size() < 2 || home_.size() < 2) return;
  const auto cost = [&](double slope) { return above_line(out_, slope) + above_line(home_, -slope); };
  double low = -params_.max_drift * 1e9;
  double high = -low;
  for (int i = 0; i < 36; ++i) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    if (cost(a) < cost(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  const double best = (low + high) / 2;
  const double spread = cost(best) / (out_.size() + home_.size()) + 1e3;
  const double span = std::max(1.0, (home_.end() - 1)->at - home_.begin()->at);
  const double sigma = kRateShare * spread / span * 1e-9;
  const double usual = params_.max_drift / 3;
  const double known = square(usual) / (square(usual) + square(sigma));
  rate_ = known * best * 1e-9;
  rate_sigma_ = sigma * sqrt(known);
}

void ClockFilter::state(double at) noexcept {
  at_ = std::max(at, at_);
  if (out_.empty() || home_.empty()) {
    // just after a step: one direction, and the shortest round trip known from before
    if (!ready_) return;
    const double half = least_round_trip_ / 2;
    offset_ = home_.empty() ? out_.recent(1, at_, slope()) - half : half - home_.recent(1, at_, -slope());
    guess_ = mean_excess_ + queue_home_;
    return;
  }
  ready_ = true;
  const Memory& memory = kMemories[memory_];
  const double out = out_.recent(memory.n_buckets, at_, slope());
  const double home = home_.recent(memory.n_buckets, at_, -slope());
  least_round_trip_ = out_.lasting(at_, slope()) + home_.lasting(at_, -slope());
  excess_ = std::max(0.0, out + home - least_round_trip_);
  recent_ = (out - home) / 2;
  const double reference = reference_ + slope() * (at_ - reference_at_);
  const double distrust = reference_weight_ > 1 ? 1 - memory.trust : 0;
  offset_ = recent_ + distrust * (reference - recent_) - bias_;
  // a queue far longer than usual may all be on one side
  guess_ = 0.15 * (excess_ + mean_excess_) + 0.2 * std::max(0.0, excess_ - 5 * mean_excess_) + mean_error_;
}

double ClockFilter::offset_at(std::int64_t local) const noexcept {
  return static_cast<double>(offset_zero_) + (offset_ + slope() * (seconds(local) - at_));
}

std::int64_t ClockFilter::whole_offset_at(std::int64_t local) const noexcept {
  // hostile stamps lead far, but not beyond 64 bits
  const double fine = clamp(offset_ + slope() * (seconds(local) - at_), -kFarthest, kFarthest);
  return offset_zero_ + static_cast<std::int64_t>(fine + (fine < 0 ? -0.5 : 0.5));
}

double ClockFilter::uncertainty_at(std::int64_t local) const noexcept {
  const double novice = kNoviceShare * mean_round_trip_ * std::max(0.0, 1 - learned_ / kNoviceTime);
  const double aged = 2e9 * rate_sigma_ * std::abs(seconds(local) - at_);
  return std::min(kFarthest,
                  kMemories[memory_].widening * calibration_.factor() * guess_ + doubt_ + novice + aged + kReading);
}

}  // namespace forerun::clocks
