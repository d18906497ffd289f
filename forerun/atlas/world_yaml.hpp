// Worlds made by hand: rooms, walls, doors and furniture. The keys are described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// `file` is the name used in messages.
[[nodiscard]] Result<world::World> parse_world_yaml(std::string_view text, const std::string& file);

}  // namespace forerun::atlas
