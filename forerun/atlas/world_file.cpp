#include "forerun/atlas/world_file.hpp"

#include "forerun/atlas/glb.hpp"
#include "forerun/atlas/ros_map.hpp"
#include "forerun/atlas/world_yaml.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"

namespace forerun::atlas {

namespace {

// 500 m × 500 m: with cells of 5 cm the plan view has a hundred million of them.
constexpr double kLargestArea = 250000;  // [m²]

Result<world::World> load_any(const std::string& path) {
  if (path.ends_with(".world.yaml")) {
    const Result<std::string> text = io::read_file(path, io::kLargestText);
    if (!text) return text.error();
    return parse_world_yaml(*text, path);
  }
  if (path.ends_with(".glb")) return load_glb(path);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return load_ros_map(path);
  return Error{path + " has an unknown ending, but must be a .world.yaml, a .yaml of a ROS map, or a .glb"};
}

}  // namespace

Result<world::World> load_world(const std::string& path) {
  Result<world::World> world = load_any(path);
  if (!world) return world;
  const Vec2 size = world::bounds(*world).size();
  if (size.x * size.y > kLargestArea) {
    return Error{path + " spans " + io::show(size.x) + " × " + io::show(size.y) + " m, but must cover at most " +
                 io::show(kLargestArea) + " m²"};
  }
  return world;
}

}  // namespace forerun::atlas
