// A terrain as bytes, after everything else of its world (docs/formats.md).
#pragma once

#include "forerun/base/field_bytes.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::world {

void write_terrain(const Terrain& terrain, FieldWriter& out);
// What is wrong is told to `in`.
[[nodiscard]] Terrain read_terrain(FieldReader& in);

}  // namespace forerun::world
