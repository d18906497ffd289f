// A map as files: for ROS and everybody who reads its maps, and as a world made of boxes.
#pragma once

#include <string>
#include <vector>

#include "forerun/atlas/ros_map.hpp"
#include "forerun/geom/box.hpp"

namespace forerun::mapping {

// What stands in the YAML beside the picture.
[[nodiscard]] std::string write_ros_map(const Grid<atlas::MapCell>& cells, const std::string& image);
// The picture: floor is white, walls are black, the rest is the grey 205 (PGM, binary).
[[nodiscard]] std::string write_pgm(const Grid<atlas::MapCell>& cells);
// Rectangles of floor, and boxes as high as walls (docs/formats.md).
[[nodiscard]] std::string write_world(const Grid<atlas::MapCell>& cells, const std::string& name);

// Rectangles that together cover the cells for which `wanted` holds, and no other ones; the first are not the largest,
// but none could be larger.
[[nodiscard]] std::vector<Box2> cover(const Grid<std::uint8_t>& wanted);

}  // namespace forerun::mapping
