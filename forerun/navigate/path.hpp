// From a value function to a path: the way that is cheapest, cell by cell (PSS-5).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

enum class PathStatus {
  ok,
  unreachable,  // no way from there to the goal
  truncated,    // the path is longer than the room for it; what is there is its beginning
};

struct PathResult {
  PathStatus status = PathStatus::unreachable;
  std::size_t size = 0;  // cells written
  double length = 0;     // of what was written [m]
};

// The direction of steepest descent; kDirections at the goal and where there is no way. Of several cheapest steps the
// one that goes on in `heading` is taken, so that paths have few bends.
[[nodiscard]] unsigned steepest_direction(const ValueFunction& values, const PlanningGrid& grid, Cell cell,
                                          unsigned heading = kDirections) noexcept;

// Writes the cells from `start` to the goal, both included. Allocates nothing.
[[nodiscard]] PathResult descend(const ValueFunction& values, const PlanningGrid& grid, Cell start,
                                 std::span<Cell> path) noexcept;

// The cell whose centre is nearest to the point among those with a way to the goal. Looks past walls.
[[nodiscard]] std::optional<Cell> nearest_reachable(const ValueFunction& values, Vec2 point,
                                                    double max_distance) noexcept;

// Where the way from a point begins: in its own cell when that is free, else, for a robot that stands too near to an
// obstacle, in the nearest cell with a way to the goal. Nothing where there is no way.
[[nodiscard]] std::optional<Cell> find_start(const ValueFunction& values, const PlanningGrid& grid, Vec2 point,
                                             double max_distance) noexcept;

// The centres of all cells on the way from a point to the goal; empty where there is none. Allocates, for pictures and
// preparations; a control system takes `descend` or `target_points`.
[[nodiscard]] std::vector<Vec2> path_from(const ValueFunction& values, const PlanningGrid& grid, Vec2 from);

// Sum of the distances between the points [m].
[[nodiscard]] double path_length(std::span<const Vec2> points) noexcept;

}  // namespace forerun::navigate
