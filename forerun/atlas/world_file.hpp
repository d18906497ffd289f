// Worlds from files: made by hand (.world.yaml), maps of ROS (.yaml with an image), glTF 2.0 (.glb).
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// The ending of the name decides. A world without floor is an error.
[[nodiscard]] Result<world::World> load_world(const std::string& path);

}  // namespace forerun::atlas
