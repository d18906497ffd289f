// What the other side's clock shows, measured from ordinary traffic (PSS-10): the filter of room clocks, with types
// that keep the clocks apart.
#pragma once

#include <cstdint>

#include "forerun/base/time.hpp"
#include "forerun/clocks/clock_filter.hpp"

namespace forerun::sync {

using clocks::ClockFilter;
using clocks::ClockParams;
using clocks::RawExchange;

template <class Local, class Remote>
struct Exchange {
  TimePoint<Local> sent;
  TimePoint<Remote> received;
  TimePoint<Remote> answered;
  TimePoint<Local> back;
};

// A time on the other clock, and how far it may be off.
template <class Clock>
struct Reading {
  TimePoint<Clock> time;
  Duration uncertainty;  // 95 %
};

// The only way from one clock to the other.
template <class Local, class Remote>
class ClockMap {
 public:
  explicit ClockMap(const ClockParams& params = {}) noexcept : filter_(params) {}

  void add(const Exchange<Local, Remote>& exchange) noexcept {
    filter_.add({exchange.sent.ns, exchange.received.ns, exchange.answered.ns, exchange.back.ns});
  }
  [[nodiscard]] bool ready() const noexcept { return filter_.ready(); }
  [[nodiscard]] Reading<Remote> to_remote(TimePoint<Local> local) const noexcept {
    return {{sum(local.ns, filter_.whole_offset_at(local.ns))}, uncertainty(local)};
  }
  // `now` is the local time at which the question is asked: the offset of then is used.
  [[nodiscard]] Reading<Local> to_local(TimePoint<Remote> remote, TimePoint<Local> now) const noexcept {
    return {{sum(remote.ns, -filter_.whole_offset_at(now.ns))}, uncertainty(now)};
  }
  [[nodiscard]] const ClockFilter& filter() const noexcept { return filter_; }

 private:
  // Absurd times off the wire wrap around rather than overflow.
  static std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  [[nodiscard]] Duration uncertainty(TimePoint<Local> now) const noexcept {
    return {static_cast<std::int64_t>(filter_.uncertainty_at(now.ns))};
  }

  ClockFilter filter_;
};

using OperatorsClockMap = ClockMap<OperatorClock, RobotClock>;  // on the operator side
using RobotsClockMap = ClockMap<RobotClock, OperatorClock>;     // on the robot side

}  // namespace forerun::sync
