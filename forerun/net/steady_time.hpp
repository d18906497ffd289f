// The clock of our programs: the time of day when the program began, and from there on a clock that nobody sets.
#pragma once

#include <cstdint>

#include "forerun/base/time.hpp"

namespace forerun::net {

// [ns] since 1970, never going back, whatever happens to the system's time of day.
[[nodiscard]] std::int64_t read_steady_time() noexcept;

// The same in seconds, to the microsecond: for how long something took.
[[nodiscard]] inline double read_steady_seconds() noexcept { return static_cast<double>(read_steady_time()) * 1e-9; }

template <class Clock>
[[nodiscard]] TimePoint<Clock> now_on() noexcept {
  return {read_steady_time()};
}

}  // namespace forerun::net
