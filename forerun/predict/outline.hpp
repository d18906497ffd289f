// A region as closed lines, to be drawn.
#pragma once

#include <cstddef>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/predict/region.hpp"

namespace forerun::predict {

struct Outline {
  static constexpr std::size_t kMostPoints = 56;
  static constexpr std::size_t kMostRings = 6;

  FixedVector<Vec2, kMostPoints> points;
  FixedVector<std::size_t, kMostRings> ends;  // of each ring: one after its last point, which is joined to its first
};

// Round everything within `margin` of the region: the place of a robot's middle, and its radius, say where its body may
// be. Rings round what is within run counterclockwise, those round holes the other way; very small ones may be missing.
// Allocates nothing.
[[nodiscard]] Outline outline_of(const Region& region, double margin) noexcept;

}  // namespace forerun::predict
