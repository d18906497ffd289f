// Maps of ROS: a YAML file beside a picture. What is occupied becomes walls, what is free becomes floor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/io/image.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

enum class MapMode { trinary, scale, raw };

struct RosMap {
  std::string image{};            // file name, relative to the YAML file
  double resolution = 0.05;       // edge of a pixel [m]
  Pose2 origin{};                 // world_from_map: the low corner of the bottom left pixel
  bool negate = false;            // white is occupied
  double occupied_thresh = 0.65;  // more than this is occupied
  double free_thresh = 0.196;     // less than this is free
  MapMode mode = MapMode::trinary;
};

enum class MapCell : std::uint8_t { unknown, free, occupied };

// `file` is the name used in messages.
[[nodiscard]] Result<RosMap> parse_ros_map(std::string_view text, const std::string& file);
// Row 0 of the grid is the bottom row of the picture.
[[nodiscard]] Grid<MapCell> classify(const RosMap& map, const io::Image& image);
// Walls around occupied cells, with their tops; floor on free cells only.
[[nodiscard]] Result<world::World> extrude(const RosMap& map, const Grid<MapCell>& cells, const std::string& file);

[[nodiscard]] Result<world::World> load_ros_map(const std::string& path);

}  // namespace forerun::atlas
