// `forerun world`: what is in a world file, and the same world as glTF.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/atlas/glb.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/file.hpp"

namespace forerun::app {
namespace {

struct Options {
  std::string world;
  std::string output;
  std::string json;
};

// The file named, or the one that a bare name stands for.
Result<world::World> find_and_load(const std::string& name) {
  const Result<std::string> path = io::find_file(io::FileKind::world, name);
  if (!path) return path.error();
  return atlas::load_world(*path);
}

std::size_t count_floor(const world::World& world) {
  const auto n = std::count_if(world.triangles.begin(), world.triangles.end(), world::is_floor);
  return static_cast<std::size_t>(n);
}

nlohmann::ordered_json describe(const world::World& world) {
  const Box2 box = world::bounds(world);
  nlohmann::ordered_json materials = nlohmann::ordered_json::array();
  for (const auto& material : world.materials) materials.push_back(material.name);
  nlohmann::ordered_json doors = nlohmann::ordered_json::array();
  for (const auto& door : world.doors) doors.push_back(door.name);
  return {{"name", world.name},
          {"triangles", world.triangles.size()},
          {"floor_triangles", count_floor(world)},
          {"low_m", {box.low.x, box.low.y}},
          {"high_m", {box.high.x, box.high.y}},
          {"materials", materials},
          {"doors", doors}};
}

void print_info(const world::World& world) {
  const Box2 box = world::bounds(world);
  std::printf("%s\n", world.name.c_str());
  std::printf("  size       %.2f m x %.2f m, from (%.2f, %.2f) to (%.2f, %.2f)\n", box.size().x, box.size().y,
              box.low.x, box.low.y, box.high.x, box.high.y);
  std::printf("  triangles  %zu, of which floor %zu\n", world.triangles.size(), count_floor(world));
  std::printf("  doors      %zu\n", world.doors.size());
  std::printf("  materials ");
  for (const auto& material : world.materials) std::printf(" %s", material.name.c_str());
  std::printf("\n");
}

int show_info(const Options& options) {
  const auto world = find_and_load(options.world);
  if (!world) return cli::complain(world.error());
  if (options.json != "-") print_info(*world);
  if (options.json.empty()) return cli::kDone;
  const auto written = cli::write_json(options.json, describe(*world));
  return written ? cli::kDone : cli::complain(written.error());
}

int convert(const Options& options) {
  if (!options.output.ends_with(".glb")) return cli::complain(Error{options.output + " must end in .glb"});
  const auto world = find_and_load(options.world);
  if (!world) return cli::complain(world.error());
  const auto written = atlas::write_glb(*world, options.output);
  if (!written) return cli::complain(written.error());
  std::printf("%s: %zu triangles, %zu materials\n", options.output.c_str(), world->triangles.size(),
              world->materials.size());
  return cli::kDone;
}

}  // namespace

int run_world(cli::Arguments arguments) {
  Options options;
  CLI::App app("Looks into a world and converts it.", "world");
  app.footer("Example:\n  forerun world info bonn-office\n  forerun world convert bonn-office office.glb");
  app.require_subcommand(1);

  CLI::App* info = app.add_subcommand("info", "What is in a world: size, triangles, doors, materials.");
  info->add_option("WORLD", options.world, "file (.world.yaml, .yaml of a ROS map, .glb) or bare name")->required();
  info->add_option("--json", options.json, "also write the result as JSON to this file; - for standard output");
  info->footer("Example:\n  forerun world info museum --json -");

  CLI::App* conversion = app.add_subcommand("convert", "Writes a world as glTF 2.0.");
  conversion->add_option("WORLD", options.world, "file or bare name")->required();
  conversion->add_option("OUTPUT", options.output, "file to write, ending in .glb")->required();
  conversion->footer("Example:\n  forerun world convert bonn-office office.glb");

  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return info->parsed() ? show_info(options) : convert(options);
}

}  // namespace forerun::app
