// The bad network: what a link does to datagrams, in any time that the caller likes, virtual or real.
#pragma once

#include <cstddef>
#include <cstdint>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/random.hpp"
#include "forerun/base/time.hpp"
#include "forerun/impair/profile.hpp"

namespace forerun::impair {

// Nothing that is sent at this time since the link began arrives.
[[nodiscard]] bool black(const LinkProfile& profile, Duration now) noexcept;

// What the profile says of the mean delay of datagrams that arrive, apart from waiting in the rate limit's queue and
// for datagrams sent before [s]. Walks through the whole trace.
[[nodiscard]] double mean_delay(const LinkProfile& profile, Way way) noexcept;

// A queueing delay: never negative, skewed to the right and correlated in time. The sum of two squared Gauss–Markov
// processes is distributed exponentially and may be sampled at any times without error.
class QueueingDelay {
 public:
  explicit QueueingDelay(Random random) noexcept;
  // Unit mean; `dt` since the last call [s].
  [[nodiscard]] double after(double dt, double correlation_time) noexcept;

 private:
  Random random_;
  double a_;
  double b_;
};

// One direction of a link. The same seed and the same calls give the same fate of every datagram. Every effect has a
// random stream of its own: adding one to a profile leaves the others' chance as it was.
class Link {
 public:
  // `profile` must outlive the link.
  Link(const LinkProfile& profile, Way way, std::uint64_t seed) noexcept;

  // How long after now each copy of a datagram arrives: none when it is lost, two when it is doubled. First in, first
  // out, unless the profile reorders. `now` is the time since the link began and never goes back. Allocates nothing.
  [[nodiscard]] FixedVector<Duration, 2> carry(Duration now, std::size_t bytes) noexcept;

 private:
  // The round trip recorded for this time; negative: a disconnection.
  [[nodiscard]] double recorded_round_trip(Duration now) const noexcept;
  void jump(double dt) noexcept;
  [[nodiscard]] bool lost_in_burst(double dt) noexcept;
  // Takes a place in the bottleneck's queue; false when there is none.
  [[nodiscard]] bool pass_bottleneck(Duration now, std::size_t bytes) noexcept;

  const LinkProfile* profile_;
  const LinkPath* path_;
  double trace_share_;
  // where each effect takes its chance from
  Random loss_, burst_, order_, copies_, jumps_;
  QueueingDelay jitter_;
  // state
  Duration last_call_;
  Duration bottleneck_free_;  // when the last bit of what was taken has left
  Duration last_arrival_;     // of what keeps its order
  double jumped_ = 0;         // on top of the smallest delay [s]
  bool bad_ = false;          // within a burst
};

}  // namespace forerun::impair
