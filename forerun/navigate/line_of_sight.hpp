// Straight lines across a grid.
#pragma once

#include <cmath>
#include <cstdlib>

#include "forerun/geom/grid.hpp"
#include "forerun/navigate/planning_grid.hpp"

namespace forerun::navigate {

// A point in units of cells, counted from the low corner of cell (0, 0).
[[nodiscard]] inline Vec2 in_cells(const GridFrame& frame, Vec2 point) noexcept {
  return {(point.x - frame.origin.x) / frame.cell_size, (point.y - frame.origin.y) / frame.cell_size};
}

// False for points outside, and for those that are not numbers.
[[nodiscard]] inline bool covers(const GridFrame& frame, Vec2 point) noexcept {
  const Vec2 p = in_cells(frame, point);
  return p.x >= 0 && p.x < frame.width && p.y >= 0 && p.y < frame.height;
}

// Calls visit(cell) for every cell that the line from a to b goes through, in order, while it returns true. Where the
// line meets a corner of four cells, both cells beside it are visited too: nothing slips through between two cells that
// touch at a corner. True when all were visited. Both points must be covered by the frame.
template <class Visit>
bool visit_line(const GridFrame& frame, Vec2 a, Vec2 b, Visit&& visit) noexcept {
  constexpr double kCorner = 1e-9;  // passing a corner nearer than this meets it [cells]
  const Vec2 from = in_cells(frame, a), to = in_cells(frame, b);
  const Cell end = frame.cell_of(b);
  const double run = std::fabs(to.x - from.x), rise = std::fabs(to.y - from.y);
  const double tolerance = kCorner * length(to - from);
  const int right = to.x < from.x ? -1 : 1, up = to.y < from.y ? -1 : 1;

  Cell cell = frame.cell_of(a);
  if (!visit(cell)) return false;
  while (cell.x != end.x && cell.y != end.y) {
    // which border comes first: the areas tell without a division
    const double to_side = std::fabs(cell.x + (right > 0 ? 1 : 0) - from.x) * rise;
    const double to_top = std::fabs(cell.y + (up > 0 ? 1 : 0) - from.y) * run;
    if (std::fabs(to_side - to_top) <= tolerance) {
      if (!visit(Cell{cell.x + right, cell.y}) || !visit(Cell{cell.x, cell.y + up})) return false;
      cell = {cell.x + right, cell.y + up};
    } else if (to_side < to_top) {
      cell.x += right;
    } else {
      cell.y += up;
    }
    if (!visit(cell)) return false;
  }
  // the rest is straight
  while (cell.x != end.x) {
    cell.x += right;
    if (!visit(cell)) return false;
  }
  while (cell.y != end.y) {
    cell.y += up;
    if (!visit(cell)) return false;
  }
  return true;
}

// Whether all cells along the line are free. The same both ways; false where an end lies outside.
[[nodiscard]] bool line_is_free(const PlanningGrid& grid, Vec2 a, Vec2 b) noexcept;

// The least clearance along the line [m]; −1 where it is not free.
[[nodiscard]] double line_clearance(const PlanningGrid& grid, const Grid<float>& clearance, Vec2 a, Vec2 b) noexcept;

}  // namespace forerun::navigate
