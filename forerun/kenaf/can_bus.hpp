// Frames on the robot's CAN bus (SocketCAN).
#pragma once

#include <string>

#include "forerun/kenaf/bus.hpp"

namespace forerun::kenaf {

// The name of an interface ("can0"), or "unix:PATH": a Unix datagram socket that carries the same `struct can_frame`,
// for tests and for machines without CAN.
[[nodiscard]] OpenedBus open_can_bus(const std::string& interface);

}  // namespace forerun::kenaf
