// Frames in datagrams to and from `forerun kenaf bridge`.
#pragma once

#include <string>

#include "forerun/kenaf/bus.hpp"

namespace forerun::kenaf {

// "host:port" or "[v6]:port".
[[nodiscard]] OpenedBus open_udp_bus(const std::string& address);

}  // namespace forerun::kenaf
