#include "forerun/io/world_file.hpp"

#include "forerun/io/file.hpp"
#include "forerun/io/glb.hpp"
#include "forerun/io/ros_map.hpp"
#include "forerun/io/world_yaml.hpp"

namespace forerun::io {

Result<world::World> load_world(const std::string& path) {
  if (path.ends_with(".world.yaml")) {
    const Result<std::string> text = read_file(path, kLargestText);
    if (!text) return text.error();
    return parse_world_yaml(*text, path);
  }
  if (path.ends_with(".glb")) return load_glb(path);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return load_ros_map(path);
  return Error{path + " has an unknown ending, but must be a .world.yaml, a .yaml of a ROS map, or a .glb"};
}

}  // namespace forerun::io
