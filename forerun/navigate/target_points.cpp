#include "forerun/navigate/target_points.hpp"

#include <algorithm>
#include <bit>

#include "forerun/navigate/path.hpp"

namespace forerun::navigate {
namespace {

// Finds one target after the other.
class TargetFinder {
 public:
  TargetFinder(const ValueFunction& values, const PlanningGrid& grid, const Grid<float>& clearance,
               const TargetParams& params) noexcept
      : values_(values), grid_(grid), clearance_(clearance), params_(params) {}

  // The target for a robot at `from` whose path leads through `cell`; moves `cell` along the path to the target.
  Vec2 next(Vec2 from, Cell& cell) const noexcept {
    cell = choose(from, cell);
    return cell == values_.goal() ? center(cell) : center(shift_aside(from, cell));
  }

 private:
  struct PathCell {
    Cell cell;
    double distance = 0;  // from where it is seen [m]
  };

  [[nodiscard]] Vec2 center(Cell cell) const noexcept { return grid_.frame().center(cell); }
  [[nodiscard]] bool is_roomy(Cell cell) const noexcept {
    return clearance_[cell] >= params_.side_clearance || cell == values_.goal();
  }

  // Follows the path while it is in sight. Looks at every few cells only, which is near enough.
  [[nodiscard]] Cell choose(Vec2 from, Cell start) const noexcept {
    constexpr int kStride = 3;
    PathCell near{start}, clear{start}, roomy{start};
    double least_on_path = clearance_[start];
    unsigned heading = kDirections;
    Cell cell = start;
    for (int i = 0; (heading = steepest_direction(values_, grid_, cell, heading)) != kDirections; ++i) {
      cell = neighbour(cell, heading);
      least_on_path = std::min<double>(least_on_path, clearance_[cell]);
      if (i % kStride != 0 && !(cell == values_.goal())) continue;

      const PathCell here{cell, distance(from, center(cell))};
      const double least_on_line = line_clearance(grid_, clearance_, from, center(cell));
      const bool first = i == 0;
      if (!first && (least_on_line < 0 || here.distance > params_.max_distance)) break;
      if (first || here.distance <= params_.min_distance) near = here;
      // a line may come half a cell nearer to obstacles than the path: that is how finely both are known
      if (least_on_line < std::min(params_.side_clearance, least_on_path - 0.5 * grid_.frame().cell_size)) continue;
      clear = here;
      if (is_roomy(cell)) roomy = here;
    }
    if (roomy.distance >= params_.min_distance) return roomy.cell;
    return clear.distance > near.distance ? clear.cell : near.cell;
  }

  // A cell with more room, no farther from the goal, and in sight of both its predecessor and the path beyond.
  [[nodiscard]] Cell shift_aside(Vec2 from, Cell cell) const noexcept {
    const Vec2 beyond = center(neighbour(cell, steepest_direction(values_, grid_, cell)));
    Cell shifted = cell;
    while (!is_roomy(shifted)) {
      const Cell next = roomiest_neighbour(shifted, values_.value(cell));
      const bool in_sight = line_is_free(grid_, from, center(next)) && line_is_free(grid_, center(next), beyond);
      if (next == shifted || !in_sight || distance(center(cell), center(next)) > params_.side_clearance) break;
      shifted = next;
    }
    return shifted;
  }

  // The cell itself where no neighbour has more room.
  [[nodiscard]] Cell roomiest_neighbour(Cell cell, double max_value) const noexcept {
    Cell best = cell;
    for (unsigned moves = grid_.moves(grid_.node(cell)); moves != 0; moves &= moves - 1) {
      const Cell next = neighbour(cell, static_cast<unsigned>(std::countr_zero(moves)));
      if (values_.value(next) <= max_value && clearance_[next] > clearance_[best]) best = next;
    }
    return best;
  }

  const ValueFunction& values_;
  const PlanningGrid& grid_;
  const Grid<float>& clearance_;
  const TargetParams& params_;
};

}  // namespace

TargetPoints target_points(const ValueFunction& values, const PlanningGrid& grid, const Grid<float>& clearance,
                           Vec2 position, const TargetParams& params) noexcept {
  FORERUN_CHECK(clearance.frame() == grid.frame() && values.frame() == grid.frame());
  TargetPoints targets;
  const auto start = find_start(values, grid, position, params.start_reach);
  if (!start) return targets;

  // a robot that stands too near to an obstacle sees what can be seen from the free cell beside it
  Vec2 from = grid.is_free(grid.frame().cell_of(position)) ? position : grid.frame().center(*start);
  Cell cell = *start;
  const TargetFinder finder(values, grid, clearance, params);
  do {
    from = finder.next(from, cell);
  } while (targets.push_back(from) && targets.size() < params.max_points && !(cell == values.goal()));
  return targets;
}

}  // namespace forerun::navigate
