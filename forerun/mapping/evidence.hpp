// A grid of what scans say of each cell: how many beams went through it, and how many ended in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/mapping/surface.hpp"

namespace forerun::mapping {

struct Evidence {
  std::uint16_t passed = 0;
  std::uint16_t ended = 0;
};

// Adds a scan: `origin` is where its laser was, `points` are where its beams ended, both in the grid's frame. What lies
// outside the grid is left out.
void add_scan(Grid<Evidence>& grid, Vec2 origin, std::span<const SurfacePoint> points);

// Room for all that is in the box, with a margin.
[[nodiscard]] GridFrame frame_around(const Box2& area, double cell_size, double margin);

}  // namespace forerun::mapping
