// How well a point fits the surfaces of a reference, looked up in a grid, at several resolutions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/grid.hpp"
#include "forerun/mapping/surface.hpp"

namespace forerun::mapping {

class LikelihoodGrid {
 public:
  static constexpr int kLevels = 6;
  static constexpr double kCell = 0.05;  // [m]

  // Points further than `reach` from the origin are left out [m].
  LikelihoodGrid(std::span<const SurfacePoint> points, double reach);

  [[nodiscard]] const GridFrame& frame() const { return frame_; }
  // 255 on a surface, 0 away from all. At a level above 0 the largest value of the square of 2^level cells whose low
  // corner is `cell`: what a point can have wherever in that square it comes to lie.
  [[nodiscard]] std::uint8_t value(Cell cell, int level) const {
    return frame_.contains(cell) ? levels_[static_cast<std::size_t>(level)][frame_.index(cell)] : std::uint8_t{0};
  }

 private:
  void stamp(Cell middle);
  void gather(int level);

  GridFrame frame_;
  std::array<std::vector<std::uint8_t>, kLevels> levels_;
};

}  // namespace forerun::mapping
