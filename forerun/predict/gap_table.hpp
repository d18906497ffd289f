// What is learned for each gap since a report: at a few gaps, and straight between them.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/base/math.hpp"

namespace forerun::predict {

inline constexpr std::array<double, 10> kLearnedGaps{0.25, 0.5, 1, 1.5, 2.5, 4, 6, 9, 12.5, 18};  // [s]

// Where a gap lies among them: `share` of the way from one to the next.
struct GapPlace {
  std::size_t before = 0, next = 0;
  double share = 1;
};
[[nodiscard]] inline GapPlace place_of(double gap) noexcept {
  std::size_t next = 0;
  while (next + 1 < kLearnedGaps.size() && kLearnedGaps[next] < gap) ++next;
  if (next == 0) return {};
  const double low = kLearnedGaps[next - 1];
  return {next - 1, next, clamp((gap - low) / (kLearnedGaps[next] - low), 0.0, 1.0)};
}

// How much a lesson at one gap counts at another one; `reach`: how far it does, in powers of e. 0: not worth the work.
[[nodiscard]] inline double lesson_strength(double gap, std::size_t at, double reach) noexcept {
  constexpr double kLeast = 0.02;
  const double strength = exp(-0.5 * square(log(gap / kLearnedGaps[at]) / reach));
  return strength < kLeast ? 0 : strength;
}

}  // namespace forerun::predict
