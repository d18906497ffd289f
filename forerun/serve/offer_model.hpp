// What a served robot offers to viewers, so that they can run its replica.
#pragma once

#include <cstdint>

#include "forerun/net/robot_server.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::serve {

// World and robot as an object each, and the list that names both; gives its number, which reports name. A robot that
// was recalibrated is offered again: viewers then fetch what is different.
std::uint64_t offer_model(net::RobotServer& server, const world::World& world, const robot::Description& robot);

}  // namespace forerun::serve
