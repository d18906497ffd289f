// The map itself: what is floor, what is wall, and what nobody saw.
#pragma once

#include "forerun/atlas/ros_map.hpp"
#include "forerun/base/fields.hpp"
#include "forerun/mapping/patch.hpp"

namespace forerun::mapping {

struct FloorPlanParams {
  double resolution_m = 0.05;  // edge of a cell [m]
  double farthest_m = 15;      // beams longer than this are left out [m]
  double occupied = 0.3;       // of the beams that met a cell: the least share that ended in it, for a wall
};

template <class Visit>
void visit_fields(FloorPlanParams& p, Visit&& visit) {
  visit("resolution_m", p.resolution_m, Field{0.01, 1, "edge of a cell of the map [m]"});
  visit("farthest_m", p.farthest_m, Field{0.5, 200, "beams longer than this do not count in the map [m]"});
  visit("occupied", p.occupied,
        Field{0.01, 1, "of the beams that met a cell: the least share that ended in it, for a wall"});
}

// By how much the world has to be turned for most walls to run along its axes [rad], in [−π/4, π/4].
[[nodiscard]] double find_wall_turn(const PlacedSweeps& placed);

// Cells around all that was seen, with the poses turned by `turn` about the world's origin. An error where they are too
// many.
[[nodiscard]] Result<Grid<atlas::MapCell>> draw_floor_plan(const PlacedSweeps& placed, double turn,
                                                           const FloorPlanParams& params);

}  // namespace forerun::mapping
