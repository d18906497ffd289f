// What the clock filter does when a clock may have been set.
#include <algorithm>

#include "forerun/base/math.hpp"
#include "forerun/clocks/clock_filter.hpp"

namespace forerun::clocks {

namespace {

constexpr double kTrustAfterStep = 0.25;  // of the mean of minutes
constexpr double kOldStep = 8;            // evidence that proves a step which went unnoticed

}  // namespace

// What comes from now on stays apart until it is known whether a clock was set.
void ClockFilter::suspect() noexcept {
  refining_ = false;
  set_at_ = detector_.step().since;
  before_out_ = out_.recent(Envelope::kRecent, set_at_, slope());
  before_home_ = home_.recent(Envelope::kRecent, set_at_, -slope());
  out_.part();
  home_.part();
}

void ClockFilter::trust_again() noexcept {
  doubt_ = 0;
  out_.join(slope());
  home_.join(-slope());
}

// The path is as it was: all that is known of it stays, seen from a clock that shows something else.
void ClockFilter::move(double before, double by) noexcept {
  // where one direction was unknown there is nothing to compare
  if (!(std::abs(by) < kFarthest)) return;
  out_.shift(before, by);
  home_.shift(before, -by);
  before_out_ += by;
  before_home_ -= by;
  reference_ += by;
  recent_ += by;
  offset_ += by;
}

void ClockFilter::set(const StepDetector::Step& step) noexcept {
  ++n_steps_;
  sent_from_ = step.since;
  if (step.slow) return set_slowly(step);
  out_.forget_since(step.since);
  home_.forget_since(step.since);
  const double out = step.out.delay - (before_out_ + slope() * (step.out.at - set_at_));
  const double home = step.home.delay - (before_home_ - slope() * (step.home.at - set_at_));
  move(kInfinity, step.has_out && step.has_home ? (out - home) / 2 : step.has_out ? out : -home);
  keep(step.has_out ? &step.out : nullptr, step.has_home ? &step.home : nullptr);
  refining_ = true;
  doubt_ = queue_out_ + queue_home_;
}

// In so many seconds paths change as well: the fastest datagrams of minutes are compared.
void ClockFilter::set_slowly(const StepDetector::Step& step) noexcept {
  doubt_ = 0;
  if (!step.has_out || !step.has_home) return;
  const double out = step.out.delay - slope() * step.out.at - out_.level(step.since, slope());
  const double home = step.home.delay + slope() * step.home.at - home_.level(step.since, -slope());
  move(step.since, (out - home) / 2);
}

void ClockFilter::local_set_back(const Crossing& home, double back_at) noexcept {
  detector_.dismiss();
  const double by = home_.recent(Envelope::kRecent, last_back_, -slope()) - home.delay;
  // whatever was before must not seem to come later
  const double back_by = std::max(by * 1e-9, last_back_ - home.at);
  out_.move_times(-back_by);
  home_.move_times(-back_by);
  at_ -= back_by;
  reference_at_ -= back_by;
  adapted_at_ = last_back_ = back_at;
  set_at_ = home.at;
  before_out_ = out_.recent(Envelope::kRecent, set_at_, slope());
  before_home_ = home_.recent(Envelope::kRecent, set_at_, -slope());
  out_.part();
  home_.part();
  move(kInfinity, by);
  sent_from_ = back_at;
  refining_ = true;
  doubt_ = queue_out_ + queue_home_;
  ++n_steps_;
}

// The size of a step is what the fastest datagrams of some seconds after it differ by from those before it.
void ClockFilter::refine() noexcept {
  const double out = out_.recent_since(set_at_, set_at_, slope());
  const double home = home_.recent_since(set_at_, set_at_, -slope());
  if (out == kInfinity || home == kInfinity || before_out_ == kInfinity || before_home_ == kInfinity) return;
  const double rise_out = out - before_out_;
  const double rise_home = home - before_home_;
  move(set_at_, (rise_out - rise_home) / 2);
  // both ways are no shorter than before: so far one of them may have met all of the queues
  doubt_ = 0.5 * std::max(0.0, rise_out + rise_home);
  const int n = std::min(out_.n_recent_since(set_at_), home_.n_recent_since(set_at_));
  if (n < Envelope::kRecent) return;
  refining_ = false;
  doubt_ = 0;
  // the size of the step is known no better than the path is steady: the mean of minutes has to prove itself again
  reference_weight_ *= kTrustAfterStep;
  settled_ = 0;
}

// Looks for a step that went unnoticed among queues, and owns up to the doubt until it is proven or refuted.
void ClockFilter::reconsider() noexcept {
  if (refining_) return;
  const clocks::OldStep step = look_back(out_, home_, slope());
  doubt_ = 0;
  if (std::abs(step.by) < 0.5 * wanted_error()) return;
  if (step.evidence < kOldStep) {
    doubt_ = std::abs(step.by) * clamp(step.evidence / kOldStep * 2 - 0.5, 0.0, 1.0);
    return;
  }
  // the mean has followed a part of the step
  const double followed = reference_weight_ > 0 ? 1 - exp(-(last_back_ - step.since) / kReferenceTime) : 0;
  move(step.since, step.by);
  reference_ -= followed * step.by;
  ++n_steps_;
}

}  // namespace forerun::clocks
