// How much longer datagrams take at the moment than at best: what stands in a queue before them. Clocks need not agree,
// only run about as fast.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "forerun/base/time.hpp"

namespace forerun::sync {

class WaitMeter {
 public:
  // `transit`: from the sender's stamp to our clock, whatever that means between two clocks.
  void add(OperatorTime now, Duration transit) noexcept {
    const std::int64_t second = second_of(now);
    Bucket& bucket = buckets_[static_cast<std::size_t>(second % kSeconds)];
    if (bucket.second != second) bucket = {second, transit};
    bucket.least = std::min(bucket.least, transit);
  }
  // Of the quickest within the last second or two, against the quickest within half a minute.
  [[nodiscard]] Duration wait(OperatorTime now) const noexcept {
    const std::int64_t second = second_of(now);
    Duration best{INT64_MAX}, lately{INT64_MAX};
    for (const Bucket& bucket : buckets_) {
      if (bucket.second + kSeconds <= second) continue;
      best = std::min(best, bucket.least);
      if (bucket.second + 1 >= second) lately = std::min(lately, bucket.least);
    }
    return lately.ns == INT64_MAX ? Duration{} : lately - best;
  }

 private:
  static constexpr std::int64_t kSeconds = 30;
  struct Bucket {
    std::int64_t second = -kSeconds;
    Duration least;
  };
  [[nodiscard]] static std::int64_t second_of(OperatorTime t) noexcept { return t.ns / 1'000'000'000; }

  std::array<Bucket, kSeconds> buckets_{};
};

}  // namespace forerun::sync
