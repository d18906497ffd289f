#include "forerun/navigate/path.hpp"

#include <algorithm>
#include <bit>

#include "forerun/navigate/line_of_sight.hpp"

namespace forerun::navigate {
namespace {

constexpr double kStartReach = 0.5;  // a path may begin this far from a point that is too near to an obstacle [m]

// The columns or rows that lie within `reach` of `at`, cut off at the grid's edges.
struct Range {
  int first = 0;
  int last = -1;
};
Range cells_within(double at, double reach, int n_cells) noexcept {
  const double limit = n_cells - 1;
  return {static_cast<int>(clamp(std::floor(at - reach), 0.0, limit)),
          static_cast<int>(clamp(std::floor(at + reach), 0.0, limit))};
}

}  // namespace

unsigned steepest_direction(const ValueFunction& values, const PlanningGrid& grid, Cell cell,
                            unsigned heading) noexcept {
  constexpr double kTie = 1e-9;  // costs that differ less than this are the same way in another order [cells]
  unsigned best = kDirections;
  if (!values.is_reachable(cell) || cell == values.goal()) return best;
  double least = kInfinity;
  const Node node = grid.node(cell);
  for (unsigned moves = grid.moves(node); moves != 0; moves &= moves - 1) {
    const auto d = static_cast<unsigned>(std::countr_zero(moves));
    const Node next = node + grid.offsets()[d];
    const double cost = values.value(next) + step_length(d) * grid.factor(next);
    if (cost < least - kTie || (d == heading && cost <= least + kTie)) {
      least = cost;
      best = d;
    }
  }
  return best;
}

PathResult descend(const ValueFunction& values, const PlanningGrid& grid, Cell start, std::span<Cell> path) noexcept {
  PathResult result;
  if (!values.is_reachable(start)) return result;
  unsigned heading = kDirections;
  Cell cell = start;
  while (result.size < path.size()) {
    if (result.size > 0) result.length += step_length(heading) * grid.frame().cell_size;
    path[result.size++] = cell;
    heading = steepest_direction(values, grid, cell, heading);
    if (heading == kDirections) {
      result.status = PathStatus::ok;
      return result;
    }
    cell = neighbour(cell, heading);
  }
  result.status = PathStatus::truncated;
  return result;
}

std::optional<Cell> nearest_reachable(const ValueFunction& values, Vec2 point, double max_distance) noexcept {
  const GridFrame& frame = values.frame();
  if (covers(frame, point) && values.is_reachable(frame.cell_of(point))) return frame.cell_of(point);
  const Vec2 at = in_cells(frame, point);
  if (frame.size() == 0 || !(max_distance >= 0) || !(length(at) < kInfinity)) return std::nullopt;
  const double reach = max_distance / frame.cell_size;
  const Range columns = cells_within(at.x, reach, frame.width), rows = cells_within(at.y, reach, frame.height);
  std::optional<Cell> best;
  double least = max_distance;
  for (int y = rows.first; y <= rows.last; ++y) {
    for (int x = columns.first; x <= columns.last; ++x) {
      const double d = distance(frame.center({x, y}), point);
      if (!values.is_reachable({x, y}) || !(d < least || (d == least && !best))) continue;
      best = Cell{x, y};
      least = d;
    }
  }
  return best;
}

std::optional<Cell> find_start(const ValueFunction& values, const PlanningGrid& grid, Vec2 point,
                               double max_distance) noexcept {
  if (covers(grid.frame(), point)) {
    const Cell own = grid.frame().cell_of(point);
    if (values.is_reachable(own)) return own;
    if (grid.is_free(own)) return std::nullopt;
  }
  return nearest_reachable(values, point, max_distance);
}

std::vector<Vec2> path_from(const ValueFunction& values, const PlanningGrid& grid, Vec2 from) {
  std::vector<Vec2> points;
  const auto start = find_start(values, grid, from, kStartReach);
  if (!start) return points;
  unsigned heading = kDirections;
  Cell cell = *start;
  while (true) {
    points.push_back(grid.frame().center(cell));
    heading = steepest_direction(values, grid, cell, heading);
    if (heading == kDirections) return points;
    cell = neighbour(cell, heading);
  }
}

double path_length(std::span<const Vec2> points) noexcept {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += distance(points[i - 1], points[i]);
  return length;
}

}  // namespace forerun::navigate
