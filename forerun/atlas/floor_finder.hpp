// Which level of a foreign model is its floor.
#pragma once

#include "forerun/world/world.hpp"

namespace forerun::atlas {

// The height of the lowest level surface of notable size that faces up; 0 when there is none.
[[nodiscard]] double find_floor_height(const world::World& world);

}  // namespace forerun::atlas
