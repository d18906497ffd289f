#include "forerun/impair/link.hpp"

#include <algorithm>

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::impair {

namespace {

// Numbers of the random streams of one way; the other way's follow them.
enum class Effect : std::uint64_t { loss, burst, order, copies, jumps, jitter };
constexpr std::uint64_t kEffects = 6;

Random stream(std::uint64_t seed, Way way, Effect effect) noexcept {
  return Random(seed, static_cast<std::uint64_t>(effect) + (way == Way::down ? kEffects : 0));
}

bool bursty(const LinkPath& path) noexcept { return path.burst_good > 0 && path.burst_bad > 0; }

// Share of the time that is bad.
double bad_share(const LinkPath& path) noexcept { return path.burst_bad / (path.burst_good + path.burst_bad); }

bool black(const Blackout& blackout, Duration now) noexcept {
  const Duration since = now - from_seconds(blackout.at);
  if (since.ns < 0) return false;
  const Duration every = from_seconds(blackout.every);
  const Duration into = every.ns > 0 ? Duration{since.ns % every.ns} : since;
  return into < from_seconds(blackout.length);
}

double at_most(double delay, const LinkPath& path) noexcept {
  return path.max_delay > 0 ? std::min(delay, path.max_delay) : delay;
}

}  // namespace

bool black(const LinkProfile& profile, Duration now) noexcept {
  return std::any_of(profile.blackouts.begin(), profile.blackouts.end(),
                     [&](const Blackout& blackout) { return black(blackout, now); });
}

QueueingDelay::QueueingDelay(Random random) noexcept : random_(random), a_(random_.normal()), b_(random_.normal()) {}

double QueueingDelay::after(double dt, double correlation_time) noexcept {
  // squares forget twice as fast as what is squared
  const double keep = exp(-0.5 * dt / correlation_time);
  const double renew = sqrt(1 - keep * keep);
  a_ = keep * a_ + renew * random_.normal();
  b_ = keep * b_ + renew * random_.normal();
  return 0.5 * (a_ * a_ + b_ * b_);
}

Link::Link(const LinkProfile& profile, Way way, std::uint64_t seed) noexcept
    : profile_(&profile),
      path_(&profile.path(way)),
      trace_share_(way == Way::up ? profile.trace_split : 1 - profile.trace_split),
      loss_(stream(seed, way, Effect::loss)),
      burst_(stream(seed, way, Effect::burst)),
      order_(stream(seed, way, Effect::order)),
      copies_(stream(seed, way, Effect::copies)),
      jumps_(stream(seed, way, Effect::jumps)),
      jitter_(stream(seed, way, Effect::jitter)) {
  // begins as if it had been running for long
  if (bursty(*path_)) bad_ = burst_.uniform() < bad_share(*path_);
  if (path_->jump_every > 0) jumped_ = jumps_.uniform(0, path_->jump);
}

double Link::recorded_round_trip(Duration now) const noexcept {
  const std::vector<TraceSample>& trace = profile_->trace;
  if (trace.empty()) return 0;
  const Duration length = from_seconds(profile_->trace_length);
  const double at = to_seconds(length.ns > 0 ? Duration{now.ns % length.ns} : Duration{});
  const auto next =
      std::upper_bound(trace.begin(), trace.end(), at, [](double t, const TraceSample& s) { return t < s.at; });
  const double round_trip = next == trace.begin() ? trace.front().round_trip : (next - 1)->round_trip;
  return round_trip > profile_->trace_lost_above ? -1 : round_trip;
}

void Link::jump(double dt) noexcept {
  if (path_->jump_every <= 0) return;
  const bool stays = jumps_.uniform() < exp(-dt / path_->jump_every);
  const double target = jumps_.uniform(0, path_->jump);
  if (!stays) jumped_ = target;
}

bool Link::lost_in_burst(double dt) noexcept {
  if (!bursty(*path_)) return false;
  // the chance of being bad tends from 1 or 0 to the share of bad times
  const double share = bad_share(*path_);
  const double remembered = exp(-dt * (1 / path_->burst_good + 1 / path_->burst_bad));
  bad_ = burst_.uniform() < share + ((bad_ ? 1.0 : 0.0) - share) * remembered;
  return burst_.uniform() < (bad_ ? path_->burst_bad_loss : path_->burst_good_loss);
}

bool Link::pass_bottleneck(Duration now, std::size_t bytes) noexcept {
  const Duration begins = std::max(now, bottleneck_free_);
  if (path_->rate <= 0) {
    bottleneck_free_ = now;
    return true;
  }
  const double size = static_cast<double>(bytes);
  const double waiting = to_seconds(begins - now) * path_->rate / 8;
  if (waiting + size > path_->queue) return false;
  bottleneck_free_ = begins + from_seconds(size * 8 / path_->rate);
  return true;
}

FixedVector<Duration, 2> Link::carry(Duration now, std::size_t bytes) noexcept {
  FORERUN_ASSERT(now >= last_call_);
  now = std::max(now, last_call_);
  const double dt = to_seconds(now - last_call_);
  last_call_ = now;

  // draw everything for every datagram, lost or not, so that the effects do not disturb each other's streams
  jump(dt);
  const double jitter = path_->jitter * jitter_.after(dt, path_->jitter_correlation);
  const double hold = order_.uniform() < path_->reorder ? order_.uniform(0, path_->reorder_hold) : 0;
  const double lag = copies_.uniform(0, path_->duplicate_lag);
  const bool doubled = copies_.uniform() < path_->duplicate;
  const bool lost_alone = loss_.uniform() < path_->loss;
  const bool lost = lost_in_burst(dt) || lost_alone;
  const double round_trip = recorded_round_trip(now);

  // what is lost later has still passed the bottleneck
  if (impair::black(*profile_, now) || !pass_bottleneck(now, bytes) || lost || round_trip < 0) return {};

  const double travel = path_->delay + jumped_ + jitter + round_trip * trace_share_;
  last_arrival_ = std::max(last_arrival_, bottleneck_free_ + from_seconds(at_most(travel, *path_)));
  const Duration held = bottleneck_free_ + from_seconds(at_most(travel + hold, *path_));
  const Duration arrival = std::max(last_arrival_, held);

  FixedVector<Duration, 2> arrivals;
  arrivals.push_back(arrival - now);
  if (!doubled) return arrivals;
  const Duration copy = arrival + from_seconds(lag);
  if (path_->reorder <= 0) last_arrival_ = copy;  // else the copy may come after what was sent later
  arrivals.push_back(copy - now);
  return arrivals;
}

double mean_delay(const LinkProfile& profile, Way way) noexcept {
  const LinkPath& path = profile.path(way);
  double recorded = 0;
  double covered = 0;
  for (std::size_t i = 0; i < profile.trace.size(); ++i) {
    const TraceSample& sample = profile.trace[i];
    if (sample.round_trip > profile.trace_lost_above) continue;
    const double until = i + 1 < profile.trace.size() ? profile.trace[i + 1].at : profile.trace_length;
    recorded += sample.round_trip * (until - sample.at);
    covered += until - sample.at;
  }
  const double share = way == Way::up ? profile.trace_split : 1 - profile.trace_split;
  const double base = path.delay + (path.jump_every > 0 ? 0.5 * path.jump : 0) +
                      (covered > 0 ? recorded / covered * share : 0) + 0.5 * path.reorder * path.reorder_hold;
  if (path.max_delay <= 0) return base + path.jitter;
  // the mean of an exponential variable that is cut off
  const double room = std::max(path.max_delay - base, 0.0);
  const double jitter = path.jitter > 0 ? path.jitter * (1 - exp(-room / path.jitter)) : 0;
  return std::min(base + jitter, path.max_delay);
}

}  // namespace forerun::impair
