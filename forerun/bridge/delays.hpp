// How long things took, counted in classes of ten microseconds: as many as there may be, in memory that does not grow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace forerun::bridge {

class Delays {
 public:
  static constexpr double kClassesPerMs = 100;

  void add(double ms) noexcept {
    const double at = std::clamp(ms * kClassesPerMs, 0.0, static_cast<double>(counts_.size() - 1));
    ++counts_[static_cast<std::size_t>(at)];
    ++n_;
  }
  void add(const Delays& others) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += others.counts_[i];
    n_ += others.n_;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return n_; }

  // This share took no longer [ms]; 0 where there is none. What took longer than 100 ms counts as that.
  [[nodiscard]] double quantile(double share) const noexcept {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      below += counts_[i];
      if (below > 0 && static_cast<double>(below) >= share * static_cast<double>(n_)) {
        return static_cast<double>(i + 1) / kClassesPerMs;
      }
    }
    return 0;
  }

 private:
  std::array<std::uint64_t, 10'000> counts_{};
  std::uint64_t n_ = 0;
};

}  // namespace forerun::bridge
