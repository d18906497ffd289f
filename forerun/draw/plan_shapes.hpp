// What a world looks like in a plan drawn by an architect: floors, furniture from above, and what a horizontal cut
// goes through.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

// Flat faces of one material at one height.
struct PlanFace {
  double height = 0;  // [m]
  std::int32_t material = 0;
  std::vector<std::array<Vec2, 3>> triangles;  // counter-clockwise
  std::vector<Segment2> outline;               // edges that belong to one triangle only
};

struct PlanShapes {
  std::vector<PlanFace> floors;
  std::vector<PlanFace> furniture;  // tops below the cut, the lowest first
  std::vector<PlanFace> cut;        // solids that the cut goes through
};

// `cut_height` is above the floor [m].
[[nodiscard]] PlanShapes make_plan(const world::World& world, double cut_height);

}  // namespace forerun::draw
