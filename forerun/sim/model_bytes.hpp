// A world and a robot in one piece: all that a viewer needs to run its replica. The layout is described in
// docs/formats.md.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sim {

struct ModelBundle {
  world::World world;
  robot::Description robot;
};

[[nodiscard]] std::vector<std::uint8_t> pack_model(const world::World& world, const robot::Description& robot);

// Takes only what `pack_model` gives: packing it again gives the same bytes.
[[nodiscard]] Result<ModelBundle> unpack_model(Bytes bytes);

}  // namespace forerun::sim
