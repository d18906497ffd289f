#include "forerun/navigate/line_of_sight.hpp"

#include <algorithm>
#include <utility>

namespace forerun::navigate {
namespace {

// Rounding may let a line take the one or the other side of a corner: always walked the same way, it takes one.
void put_in_order(Vec2& a, Vec2& b) noexcept {
  if (b.x < a.x || (b.x == a.x && b.y < a.y)) std::swap(a, b);
}

}  // namespace

bool line_is_free(const PlanningGrid& grid, Vec2 a, Vec2 b) noexcept {
  if (!covers(grid.frame(), a) || !covers(grid.frame(), b)) return false;
  put_in_order(a, b);
  return visit_line(grid.frame(), a, b, [&](Cell cell) { return grid.is_free(grid.node(cell)); });
}

double line_clearance(const PlanningGrid& grid, const Grid<float>& clearance, Vec2 a, Vec2 b) noexcept {
  if (!covers(grid.frame(), a) || !covers(grid.frame(), b)) return -1;
  put_in_order(a, b);
  float least = clearance[grid.frame().cell_of(a)];
  // all cells of a line between points inside are inside
  const float* const clearances = clearance.data();
  const std::ptrdiff_t width = grid.frame().width;
  const bool free = visit_line(grid.frame(), a, b, [&](Cell cell) {
    if (!grid.is_free(grid.node(cell))) return false;
    least = std::min(least, clearances[cell.y * width + cell.x]);
    return true;
  });
  return free ? static_cast<double>(least) : -1;
}

}  // namespace forerun::navigate
