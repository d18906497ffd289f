// Offset and rate of another clock, from exchanges of time stamps with it (PSS-10).
//
// Every datagram says when it was sent, which datagram of the other side it answers and how long that one was held:
// four time stamps. Queueing lengthens the way of a datagram, never shortens it, so the fastest exchanges tell most.
// Half of a constant difference between the two directions cannot be observed by anybody.
#pragma once

#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/base/time.hpp"
#include "forerun/clocks/coverage_factor.hpp"
#include "forerun/clocks/envelope.hpp"
#include "forerun/clocks/step_detector.hpp"

namespace forerun::clocks {

// One exchange in raw nanoseconds, for the filter that does not care which clock is whose.
struct RawExchange {
  std::int64_t sent = 0;      // local clock
  std::int64_t received = 0;  // remote clock
  std::int64_t answered = 0;  // remote clock
  std::int64_t back = 0;      // local clock
};

struct ClockParams {
  double max_drift = 420e-6;  // clocks differ in rate by at most this share: each may be wrong by 200 ppm, and wanders
  // The error to aim at, 95 times out of 100: this share of the mean one-way delay, and this much more; two thirds of
  // what is allowed. Where a longer memory would give smaller errors than that, the filter remembers less: it follows
  // changes sooner, and errors that pass quickly are the ones whose size can be learned.
  double error_share = 0.165;
  double error_s = 0.66e-3;
};

template <class Visit>
void visit_fields(ClockParams& p, Visit&& visit) {
  visit("max_drift", p.max_drift, Field{0, 0.01, "clocks differ in rate by at most this share"});
  visit("error_share", p.error_share,
        Field{0, 1, "the error to aim at, 95 times out of 100, as a share of the mean one-way delay"});
  visit("error_s", p.error_s, Field{0, 1, "and this much more [s]"});
}

// Offset and rate of the remote clock against the local one, with an uncertainty.
//
// The offset comes from the fastest datagrams each way of the last seconds; how many seconds depends on the error to
// aim at. The uncertainty is learned: what was stated is compared with its mean over minutes, in which exchanges that
// met short queues weigh most. What is wrong for as long as that goes unnoticed.
class ClockFilter {
 public:
  explicit ClockFilter(const ClockParams& params = {}) noexcept;

  // Exchanges may come out of order. Stamps that no clock shows are ignored. Allocates nothing.
  void add(const RawExchange& exchange) noexcept;

  [[nodiscard]] bool ready() const noexcept { return ready_; }
  // Remote minus local clock at a local time [ns]; in whole nanoseconds where a double would round it.
  [[nodiscard]] double offset_at(std::int64_t local) const noexcept;
  [[nodiscard]] std::int64_t whole_offset_at(std::int64_t local) const noexcept;
  // Half width of the interval that holds the true offset 95 times out of 100 [ns]; grows with the age of the data.
  [[nodiscard]] double uncertainty_at(std::int64_t local) const noexcept;
  [[nodiscard]] double drift() const noexcept { return rate_; }             // of the remote clock against the local one
  [[nodiscard]] double round_trip() const noexcept { return round_trip_; }  // of the newest exchange [ns]
  [[nodiscard]] std::uint32_t steps() const noexcept { return n_steps_; }   // how often a clock was found to be set

 private:
  static constexpr double kFarthest = 5e18;      // with an offset it stays within 64 bits [ns]
  static constexpr double kReferenceTime = 300;  // the mean that statements are compared with [s]

  [[nodiscard]] double slope() const noexcept { return rate_ * 1e9; }  // [ns/s]
  [[nodiscard]] double seconds(std::int64_t local) const noexcept;
  [[nodiscard]] int n_buckets() const noexcept;
  [[nodiscard]] double wanted_error() const noexcept;
  [[nodiscard]] StepDetector::Usual usual(const Crossing* out, const Crossing& home) const noexcept;
  [[nodiscard]] bool local_clock_set_back(const Crossing& home, double back_at) const noexcept;
  void start(const RawExchange& exchange) noexcept;
  void local_set_back(const Crossing& home, double back_at) noexcept;
  void suspect() noexcept;
  void trust_again() noexcept;
  void set(const StepDetector::Step& step) noexcept;
  void set_slowly(const StepDetector::Step& step) noexcept;
  void move(double before, double by) noexcept;
  void refine() noexcept;
  void reconsider() noexcept;
  // These are true when there is something new to state.
  bool take(const Crossing* out, const Crossing& home, double back_at) noexcept;
  bool keep(const Crossing* out, const Crossing* home) noexcept;
  bool keep(Envelope& envelope, double& mean_queue, const Crossing& crossing, double slope) noexcept;
  void learn(double seconds) noexcept;
  void adapt() noexcept;
  void fit_rate() noexcept;
  void state(double at) noexcept;

  ClockParams params_;
  Envelope out_;   // received − sent: the way to the remote side + offset
  Envelope home_;  // back − answered: the way home − offset
  StepDetector detector_;
  CoverageFactor calibration_;
  std::int64_t local_zero_ = 0;   // times are counted from here
  std::int64_t offset_zero_ = 0;  // offsets are counted from here
  std::int64_t last_sent_ = 0;
  std::int64_t last_answered_ = 0;
  double sent_from_ = 0;   // what was sent earlier belongs to a time before a step [s]
  double last_back_ = 0;   // [s]
  double adapted_at_ = 0;  // [s]
  // the newest statement
  double at_ = 0;      // [s]
  double offset_ = 0;  // [ns]
  double guess_ = 0;   // of its error, to be widened by the calibration [ns]
  double rate_ = 0;
  double rate_sigma_ = 0;
  // before the newest step, which is known ever better during the first buckets after it
  double set_at_ = 0;            // [s]
  double before_out_ = 0;        // [ns]
  double before_home_ = 0;       // [ns]
  double doubt_ = 0;             // about what the step changed, proven or not [ns]
  double round_trip_ = 0;        // [ns]
  double least_round_trip_ = 0;  // [ns]
  // what statements are compared with: their own mean over minutes, where queues were short [ns]
  double recent_ = 0;
  double reference_ = 0;
  double reference_at_ = 0;  // [s]
  double reference_weight_ = 0;
  double bias_ = 0;  // of the newest datagrams against the fastest ones of minutes [ns]
  // running means [ns]
  double excess_ = 0;  // the newest: recent round trip above the least of minutes
  double mean_excess_ = 0;
  double mean_error_ = 0;
  double mean_stated_ = 0;
  double mean_round_trip_ = 0;
  double queue_out_ = 0;
  double queue_home_ = 0;
  double learned_ = 0;  // [s]
  double settled_ = 0;  // since the last step [s]
  std::uint32_t n_steps_ = 0;
  std::int16_t memory_ = 5;  // how much is remembered: a row of a table
  std::uint16_t n_adapted_ = 0;
  bool refining_ = false;
  bool started_ = false;
  bool ready_ = false;
};
static_assert(sizeof(ClockFilter) <= 1536, "there is one for every operator");

}  // namespace forerun::clocks
