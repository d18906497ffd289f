// Worlds as glTF 2.0 in one binary file (.glb): for the page, and from other programs.
// glTF's y axis points up: (x, y, z) here is (x, z, −y) there. What glTF does not know (acoustics, doors, the height of
// the floor) travels in `extras`, as docs/formats.md describes.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// Corners are stored as 32-bit floats; triangles are grouped by material.
[[nodiscard]] std::string encode_glb(const world::World& world);
[[nodiscard]] Result<void> write_glb(const world::World& world, const std::string& path);

// Reads our own files and those of other programs: node transforms, triangles with or without indices, base colours.
// Where the file does not say how high the floor is, it is the lowest level of notable size that faces up.
[[nodiscard]] Result<world::World> parse_glb(std::string_view bytes, const std::string& file);
[[nodiscard]] Result<world::World> load_glb(const std::string& path);

}  // namespace forerun::atlas
