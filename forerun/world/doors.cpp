#include "forerun/world/doors.hpp"

#include <algorithm>

#include "forerun/world/mover.hpp"

namespace forerun::world {

World with_doors_open(World world) {
  for (Door& door : world.doors) door.open = true;
  return world;
}

World with_doors_fixed(const World& world, const std::vector<std::string>& moving) {
  World fixed = world;
  fixed.doors.clear();
  for (const Door& door : world.doors) {
    if (std::find(moving.begin(), moving.end(), door.name) != moving.end()) {
      fixed.doors.push_back(door);
    } else {
      append_triangles(make_leaf(door, door.open ? 1 : 0), fixed.triangles);
    }
  }
  return fixed;
}

}  // namespace forerun::world
