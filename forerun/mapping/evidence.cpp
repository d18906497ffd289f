#include "forerun/mapping/evidence.hpp"

#include <cstdlib>

namespace forerun::mapping {
namespace {

constexpr std::uint16_t kMost = 60000;

void count(std::uint16_t& counter) { counter = counter < kMost ? static_cast<std::uint16_t>(counter + 1) : kMost; }

// The cells from `at` to `end`, without `end` itself (Amanatides and Woo 1987).
void add_beam(Grid<Evidence>& grid, Vec2 from, Vec2 to) {
  const GridFrame& frame = grid.frame();
  Cell at = frame.cell_of(from);
  const Cell end = frame.cell_of(to);
  const Vec2 d = to - from;
  const int step_x = d.x > 0 ? 1 : -1, step_y = d.y > 0 ? 1 : -1;
  const auto first = [&](double x, double low, int cell, double along) {
    const double edge = low + (cell + (along > 0 ? 1 : 0)) * frame.cell_size;
    return along == 0 ? kInfinity : (edge - x) / along;
  };
  double next_x = first(from.x, frame.origin.x, at.x, d.x), next_y = first(from.y, frame.origin.y, at.y, d.y);
  const double each_x = d.x == 0 ? kInfinity : frame.cell_size / std::fabs(d.x);
  const double each_y = d.y == 0 ? kInfinity : frame.cell_size / std::fabs(d.y);
  for (int left = std::abs(end.x - at.x) + std::abs(end.y - at.y); left > 0; --left) {
    if (frame.contains(at)) count(grid[at].passed);
    if (next_x < next_y) {
      at.x += step_x;
      next_x += each_x;
    } else {
      at.y += step_y;
      next_y += each_y;
    }
  }
  if (frame.contains(end)) count(grid[end].ended);
}

}  // namespace

void add_scan(Grid<Evidence>& grid, Vec2 origin, std::span<const SurfacePoint> points) {
  for (const SurfacePoint& point : points) add_beam(grid, origin, point.at);
}

GridFrame frame_around(const Box2& area, double cell_size, double margin) {
  GridFrame frame;
  frame.cell_size = cell_size;
  frame.origin = area.low - Vec2{margin, margin};
  frame.width = static_cast<int>(std::ceil((area.size().x + 2 * margin) / cell_size));
  frame.height = static_cast<int>(std::ceil((area.size().y + 2 * margin) / cell_size));
  return frame;
}

}  // namespace forerun::mapping
