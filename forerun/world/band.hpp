// What lies between two heights: the part of a triangle that a robot can bump into.
#pragma once

#include "forerun/base/fixed_vector.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// Heights above the floor [m].
struct HeightBand {
  double low = 0.02;
  double high = 1.2;

  [[nodiscard]] bool meets(double bottom, double top) const noexcept { return top > low && bottom < high; }
};

// A triangle within a band has at most five corners.
using BandPart = FixedVector<Vec3, 8>;

// The corners of the triangle's part within the band; none where it lies outside.
[[nodiscard]] BandPart part_within(const HeightBand& band, const Triangle& triangle) noexcept;

}  // namespace forerun::world
