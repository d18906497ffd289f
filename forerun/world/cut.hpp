// A world cut by a horizontal plane.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// One straight piece of the cut. Looking from a to b, the surface's front is to the right.
struct CutSegment {
  Segment2 line;
  Vec3 normal;  // unit vector of the surface
  std::int32_t material = 0;
};

// Each triangle that reaches the height gives one piece, also where it only ends there with an edge. Triangles that
// lie in the plane give none.
[[nodiscard]] std::vector<CutSegment> cut(const World& world, double height);

// The same lines in fewer pieces: what continues or repeats another piece of the same surface is joined with it.
[[nodiscard]] std::vector<CutSegment> join(std::vector<CutSegment> pieces);

}  // namespace forerun::world
