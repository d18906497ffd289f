// What can be bumped into: everything between two heights, seen from above as line segments in tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/world/band.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

class Outline {
 public:
  Outline(const World& world, const HeightBand& band);

  // Calls `visit(const Segment2&)` at least once for each segment that comes within `radius` of `center`.
  template <class Visit>
  void for_each_near(Vec2 center, double radius, Visit&& visit) const {
    const Cell low = clamped(center - Vec2{radius, radius}), high = clamped(center + Vec2{radius, radius});
    for (int y = low.y; y <= high.y; ++y) {
      for (int x = low.x; x <= high.x; ++x) {
        const std::size_t tile = tiles_.index({x, y});
        for (std::uint32_t i = first_[tile]; i < first_[tile + 1]; ++i) visit(segments_[i]);
      }
    }
  }

  // Distance from `center` to the nearest segment, infinity beyond `radius`.
  [[nodiscard]] double distance(Vec2 center, double radius) const noexcept;

 private:
  [[nodiscard]] Cell clamped(Vec2 p) const noexcept;

  GridFrame tiles_;
  std::vector<std::uint32_t> first_;  // of each tile, and one past the last
  std::vector<Segment2> segments_;    // by tile; a segment stands in every tile that it may touch
};

}  // namespace forerun::world
