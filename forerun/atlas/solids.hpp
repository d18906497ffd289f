// Solids and floors, for worlds that are described by their parts: as triangles, and boxes and cylinders also as blocks
// of a terrain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// The vertical extent and the surface of a solid.
struct Extent {
  double low = 0;   // [m] above the floor
  double high = 1;  // [m] above the floor
  std::int32_t material = 0;
};

// An upright solid over a convex outline, counter-clockwise, closed on all sides.
// The underside of what stands on the floor is drawn a little way up inside, so that the plan view sees all of the
// solid as taken and none of it as floor.
void add_prism(world::World& world, std::span<const Vec2> outline, const Extent& extent);
// `center` is the middle in the plan view; `size` is along and across its heading.
void add_box(world::World& world, const Pose2& center, Vec2 size, const Extent& extent);
// A regular prism with `n_sides`.
void add_cylinder(world::World& world, Vec2 center, double radius, int n_sides, const Extent& extent);
// Two triangles, seen from the side where a, b, c, d go counter-clockwise.
void add_quad(world::World& world, Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::int32_t material);

struct Rectangle {
  Vec2 low;
  Vec2 high;
};

// What is left of `rectangle` where none of the `others` lies.
[[nodiscard]] std::vector<Rectangle> subtract(const Rectangle& rectangle, std::span<const Rectangle> others);

void add_floor(world::World& world, const Rectangle& rectangle, std::int32_t material);

}  // namespace forerun::atlas
