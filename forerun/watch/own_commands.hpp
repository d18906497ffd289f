// What is predicted is told of the commands that are given here, and of what became of them (BEY-10).
#pragma once

#include <cstdint>

#include "forerun/net/viewer.hpp"
#include "forerun/predict/live_robot.hpp"

namespace forerun::watch {

// Those after the first `told`; gives how many it knows now.
std::uint64_t tell_commands(net::Viewer& viewer, std::uint64_t told, predict::LiveRobot& live);

}  // namespace forerun::watch
