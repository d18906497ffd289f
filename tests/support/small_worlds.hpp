// Little worlds for tests.
#pragma once

#include "forerun/world/mover.hpp"
#include "forerun/world/world.hpp"

namespace forerun {

// A rectangular floor from `low` to `high` with walls of this height around it, all of material 0.
inline world::World make_room(Vec2 low, Vec2 high, double wall_height = 2.5) {
  world::World room{.name = "room", .materials = {world::Material{}}, .triangles = {}, .doors = {}};
  const auto quad = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    room.triangles.push_back({a, b, c, 0});
    room.triangles.push_back({a, c, d, 0});
  };
  quad({low.x, low.y, 0}, {high.x, low.y, 0}, {high.x, high.y, 0}, {low.x, high.y, 0});
  const Vec2 corners[5] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
  for (int i = 0; i < 4; ++i) {
    const Vec2 p = corners[i], q = corners[i + 1];
    quad({p.x, p.y, 0}, {q.x, q.y, 0}, {q.x, q.y, wall_height}, {p.x, p.y, wall_height});
  }
  return room;
}

// Puts an upright box on the floor of a fixed world.
inline void add_box(world::World& world, const Pose2& pose, Vec2 size, double height) {
  world::append_triangles(world::make_box(pose, size, height, 0), world.triangles);
}

}  // namespace forerun
