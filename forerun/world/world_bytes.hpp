// A world as a flat sequence of bytes, to be sent to those who lack it. The layout is described in docs/formats.md.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// Every number keeps all its bits. Equal worlds give equal bytes.
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const World& world);

// Takes only what `to_bytes` gives: the world that is read gives the same bytes again. It has a floor.
[[nodiscard]] Result<World> world_from_bytes(Bytes bytes);

}  // namespace forerun::world
