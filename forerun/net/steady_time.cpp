#include "forerun/net/steady_time.hpp"

#include <ctime>

namespace forerun::net {
namespace {

std::int64_t read(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t read_steady_time() noexcept {
  static const std::int64_t day_from_steady = read(CLOCK_REALTIME) - read(CLOCK_MONOTONIC);
  return read(CLOCK_MONOTONIC) + day_from_steady;
}

}  // namespace forerun::net
