// The triangles of a world as few bytes: a corner or a coordinate that has stood before is named by how long ago that
// was. The layout is described in docs/formats.md.
#pragma once

#include <vector>

#include "forerun/base/field_bytes.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

inline constexpr Field kPlace{-1e6, 1e6, ""};  // maps may lie 100 km from the origin, and are large themselves [m]

void write_triangles(const std::vector<Triangle>& triangles, FieldWriter& out);

// What is wrong is told to `in`. Whether it is written in the one way of `write_triangles` is for the caller to find
// out, by writing it again.
[[nodiscard]] std::vector<Triangle> read_triangles(FieldReader& in, std::size_t n_materials);

}  // namespace forerun::world
