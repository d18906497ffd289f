// A world as a laser at one height sees it from above.
#pragma once

#include "forerun/localize/likelihood_field.hpp"
#include "forerun/world/world.hpp"

namespace forerun::localize {

// Occupied where a surface stands at this height [m], free where there is floor and nothing stands, unknown elsewhere
// (inside walls, outside). Doors are left out: they stand as they like.
[[nodiscard]] OccupancyMap map_of_world(const world::World& world, double height, double cell_size);

}  // namespace forerun::localize
