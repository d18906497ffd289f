// Which share of the datagrams sent to us did not come, over the last minute.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "forerun/base/time.hpp"

namespace forerun::clocks {

class LossMeter {
 public:
  // `n_sent` more were sent since the call before, and this one of them came.
  void add(OperatorTime now, std::uint64_t n_sent) noexcept {
    Bucket& bucket = bucket_at(now);
    bucket.sent += n_sent;
    bucket.received += 1;
  }
  // 0 … 1; zero while nothing is known.
  [[nodiscard]] double lost_fraction(OperatorTime now) const noexcept {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    for (const Bucket& bucket : buckets_) {
      if (bucket.second + kSeconds <= second_of(now)) continue;
      sent += bucket.sent;
      received += bucket.received;
    }
    // late ones of the minute before may make it look better than perfect
    return sent == 0 ? 0 : std::max(0.0, 1 - static_cast<double>(received) / static_cast<double>(sent));
  }

 private:
  static constexpr std::int64_t kSeconds = 60;
  struct Bucket {
    std::int64_t second = -kSeconds;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };
  [[nodiscard]] static std::int64_t second_of(OperatorTime t) noexcept { return t.ns / 1'000'000'000; }
  [[nodiscard]] Bucket& bucket_at(OperatorTime now) noexcept {
    const std::int64_t second = second_of(now);
    Bucket& bucket = buckets_[static_cast<std::size_t>(second % kSeconds)];
    if (bucket.second != second) bucket = {second, 0, 0};
    return bucket;
  }

  std::array<Bucket, kSeconds> buckets_{};
};

}  // namespace forerun::clocks
