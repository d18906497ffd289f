#include "forerun/clocks/coverage_factor.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::clocks {

namespace {

constexpr double kFirstEdge = 0.05;
constexpr double kEdgeGrowth = 1.15;
// A little above 95 %: what errors are measured against is itself not without error.
constexpr double kCovered = 0.957;
constexpr double kForgetting = 0.005;  // [1/s]: links change within minutes
// Before there is experience: as if ratios had been spread evenly up to this, for some seconds.
constexpr double kUsualRatio = 1.5;
constexpr double kUsualSeconds = 10;

}  // namespace

CoverageFactor::CoverageFactor() noexcept : factor_(kUsualRatio) {
  double edge = kFirstEdge;
  double below = 0;
  for (float& seconds : seconds_) {
    const double share = std::min(edge, kUsualRatio) / kUsualRatio;
    seconds = static_cast<float>(kUsualSeconds * (share - below));
    below = share;
    edge *= kEdgeGrowth;
  }
}

void CoverageFactor::add(double ratio, double seconds) noexcept {
  const auto kept = static_cast<float>(clamp(1 - kForgetting * seconds, 0.0, 1.0));
  double edge = kFirstEdge;
  double total = 0;
  bool placed = false;
  for (int i = 0; i < kBins; ++i, edge *= kEdgeGrowth) {
    seconds_[i] *= kept;
    if (!placed && (ratio <= edge || i + 1 == kBins)) {
      seconds_[i] += static_cast<float>(seconds);
      placed = true;
    }
    total += static_cast<double>(seconds_[i]);
  }

  // the edge, between two of the row, that covers enough
  double missing = kCovered * total;
  edge = kFirstEdge;
  for (int i = 0; i < kBins; ++i, edge *= kEdgeGrowth) {
    const double here = static_cast<double>(seconds_[i]);
    if (here >= missing && here > 0) {
      factor_ = edge * (1 - (1 - 1 / kEdgeGrowth) * (1 - missing / here));
      return;
    }
    missing -= here;
  }
}

}  // namespace forerun::clocks
