// Learns from experience by what factor a guessed error must be widened so that it holds 95 times out of 100.
#pragma once

#include <array>

namespace forerun::clocks {

class CoverageFactor {
 public:
  CoverageFactor() noexcept;

  // An error was `ratio` times as large as guessed, and that for some seconds.
  void add(double ratio, double seconds) noexcept;

  [[nodiscard]] double factor() const noexcept { return factor_; }

 private:
  static constexpr int kBins = 36;

  std::array<float, kBins> seconds_{};  // how long the ratio lay below each of a geometric row of edges
  double factor_;
};

}  // namespace forerun::clocks
