// Worlds in which doors no longer move.
#pragma once

#include <string>
#include <vector>

#include "forerun/world/world.hpp"

namespace forerun::world {

// Every door stands open: a planner counts on doors that open sooner or later.
[[nodiscard]] World with_doors_open(World world);

// The leaves of all doors, as they stand at the beginning, become part of the fixed world, which is cheaper to look at.
// Those named in `moving` stay doors.
[[nodiscard]] World with_doors_fixed(const World& world, const std::vector<std::string>& moving = {});

}  // namespace forerun::world
