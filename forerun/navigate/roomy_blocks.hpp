// How much room there is at most in each block of the map. What a scan shows where there is little room is a wall or
// the like: four beams at a time are left out by that, and an exact look at the map decides about the others.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/geom/grid.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::navigate {

class RoomyBlocks {
 public:
  RoomyBlocks() = default;
  // `clearance` of each cell [m].
  explicit RoomyBlocks(const Grid<float>& clearance);

  // A laser that stands somewhere, ready to be asked about its beams.
  struct Look {
    float x = 0, y = 0;      // the laser [blocks]
    float cos = 0, sin = 0;  // its heading, times blocks a metre
  };
  [[nodiscard]] Look look_from(const Transform2& world_from_laser) const noexcept;

  // Up to which distance from things on the map a beam's end may still be one of them: so much and the share of its
  // range. Longer beams than `farthest` do not count.
  struct Doubt {
    float least = 0;
    float share = 0;
    float farthest = 0;
  };
  // Of four beams, with their directions in the frame of the laser and their ranges: bit i is set where beam i may end
  // where there is more room than that.
  [[nodiscard]] std::uint32_t roomy(const Look& look, const float* directions_x, const float* directions_y,
                                    const float* ranges, const Doubt& doubt) const noexcept;

 private:
  GridFrame frame_;              // of the map
  std::int32_t width_ = 0;       // blocks
  std::int32_t height_ = 0;      // blocks
  std::vector<float> roomiest_;  // the greatest clearance in a block and in all cells beside it [m]
};

}  // namespace forerun::navigate
