// A picture of a map: floor, walls, where the robot drove, and which places it recognised.
#pragma once

#include <string>

#include "forerun/atlas/ros_map.hpp"
#include "forerun/mapping/mapper.hpp"

namespace forerun::mapping {

// As SVG. `turn` is that of the floor plan.
[[nodiscard]] Result<std::string> draw_map(const Mapper& mapper, const Grid<atlas::MapCell>& cells, double turn,
                                           const std::string& title, const std::string& subtitle);

}  // namespace forerun::mapping
