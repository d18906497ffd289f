// The cells of a grid that a straight line passes.
#pragma once

#include <cmath>
#include <cstdlib>

#include "forerun/base/math.hpp"
#include "forerun/geom/grid.hpp"

namespace forerun::localize {

// Calls `visit(cell)` for every cell from `from` on, but not that of `to`, until it says false.
template <class Visit>
void walk(const GridFrame& frame, Vec2 from, Vec2 to, Visit&& visit) {
  const Cell end = frame.cell_of(to);
  Cell cell = frame.cell_of(from);
  const Vec2 way = to - from;
  const int step_x = way.x < 0 ? -1 : 1, step_y = way.y < 0 ? -1 : 1;
  const double per_x = way.x == 0 ? kInfinity : frame.cell_size / std::fabs(way.x);
  const double per_y = way.y == 0 ? kInfinity : frame.cell_size / std::fabs(way.y);
  const auto to_border = [&](double at, double origin, int index, double along) {
    const double border = origin + (along < 0 ? index : index + 1) * frame.cell_size;
    return along == 0 ? kInfinity : (border - at) / along;
  };
  double next_x = to_border(from.x, frame.origin.x, cell.x, way.x);
  double next_y = to_border(from.y, frame.origin.y, cell.y, way.y);
  // rounding may step past the end's cell: never more steps than there are cells between
  const int n = std::abs(end.x - cell.x) + std::abs(end.y - cell.y);
  for (int i = 0; i < n; ++i) {
    if (cell == end) return;
    if (frame.contains(cell) && !visit(cell)) return;
    const bool along_x = next_x < next_y;
    if (along_x) {
      cell.x += step_x;
      next_x += per_x;
    } else {
      cell.y += step_y;
      next_y += per_y;
    }
  }
}

}  // namespace forerun::localize
