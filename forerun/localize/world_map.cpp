#include "forerun/localize/world_map.hpp"

#include <algorithm>

#include "forerun/world/outline.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::localize {
namespace {

constexpr double kSlice = 0.01;  // half of the height that is looked at [m]

}  // namespace

OccupancyMap map_of_world(const world::World& world, double height, double cell_size) {
  const double low = std::max(height - kSlice, 0.0), high = height + kSlice;
  const world::FreeGrid free =
      world::project(world, {}, {.cell_size = cell_size, .robot_height = high, .step_height = low});
  const world::Outline outline(world, {low, high});
  OccupancyMap map(free.frame());
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (free[i]) {
      map[i] = Occupancy::free;
      continue;
    }
    // a surface on the border of two cells belongs to the one behind it, which is taken
    const Vec2 center = free.frame().center(free.frame().cell_at(i));
    const bool has_surface = outline.distance(center, 0.75 * cell_size) <= 0.51 * cell_size;
    map[i] = has_surface ? Occupancy::occupied : Occupancy::unknown;
  }
  return map;
}

}  // namespace forerun::localize
