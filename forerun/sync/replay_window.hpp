// Which of the newest counters of a session were seen: a datagram that comes twice is used once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "forerun/base/check.hpp"

namespace forerun::sync {

class ReplayWindow {
 public:
  static constexpr std::uint64_t kSize = 1024;  // counters remembered; late datagrams beyond are refused

  // Never seen, and not too old to know.
  [[nodiscard]] bool fresh(std::uint64_t counter) const noexcept {
    if (counter >= next_) return counter != UINT64_MAX;  // the last one would leave no next
    return next_ - counter <= kSize && (word(counter) & bit(counter)) == 0;
  }

  // Call it only when the datagram has proved genuine, or a forger could shut out everything that follows.
  void mark(std::uint64_t counter) noexcept {
    FORERUN_CHECK(fresh(counter));
    if (counter >= next_) {
      forget_until(counter);
      next_ = counter + 1;
    }
    word(counter) |= bit(counter);
  }

 private:
  static constexpr std::uint64_t kWordBits = 64;

  // counters share their place in the ring with the one kSize before
  [[nodiscard]] std::uint64_t& word(std::uint64_t counter) noexcept { return seen_[counter % kSize / kWordBits]; }
  [[nodiscard]] std::uint64_t word(std::uint64_t counter) const noexcept { return seen_[counter % kSize / kWordBits]; }
  [[nodiscard]] static std::uint64_t bit(std::uint64_t counter) noexcept {
    return std::uint64_t{1} << (counter % kWordBits);
  }

  // The places from next_ up to `counter` become those of newer counters.
  void forget_until(std::uint64_t counter) noexcept {
    if (counter - next_ >= kSize) {
      seen_.fill(0);
      return;
    }
    for (std::uint64_t at = next_; at <= counter;) {
      const bool whole = at % kWordBits == 0 && counter - at >= kWordBits - 1;
      if (whole) {
        word(at) = 0;
      } else {
        word(at) &= ~bit(at);
      }
      at += whole ? kWordBits : 1;
    }
  }

  std::array<std::uint64_t, kSize / kWordBits> seen_{};
  std::uint64_t next_ = 0;  // one above the highest counter seen
};

}  // namespace forerun::sync
