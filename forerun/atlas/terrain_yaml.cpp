#include "forerun/atlas/terrain_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "forerun/atlas/terrain_parts.hpp"
#include "forerun/io/image.hpp"
#include "forerun/io/text.hpp"

namespace forerun::atlas {
namespace {

using io::YamlMap;

constexpr Field kPlace{-2000, 2000, "place [m]"};
constexpr Field kHeading{-360, 360, "heading [degrees]"};
constexpr Field kTilt{-89, 89, "tilt [degrees]"};
constexpr Field kLength{0.01, 100, "length [m]"};
constexpr Field kWidth{0.01, 100, "width [m]"};
constexpr Field kHeight{0.005, 20, "height [m]"};
constexpr Field kDepth{0.01, 5, "depth [m]"};
constexpr double kGround = 0.5;  // the floor is at least so thick [m]

constexpr double radians(double degrees) { return degrees * kPi / 180; }

// Where it is and which way it leads.
Pose2 read_place(YamlMap& yaml) {
  Vec2 at;
  double heading_deg = 0;
  yaml.require("at");
  yaml.read("at", at, kPlace);
  yaml.read("heading_deg", heading_deg, kHeading);
  return {at.x, at.y, radians(heading_deg)};
}

double read_radians(YamlMap& yaml, const char* key) {
  double degrees = 0;
  yaml.read(key, degrees, kTilt);
  return radians(degrees);
}

// Brightness as heights. Pictures have their first row at the top, where y is largest.
world::HeightMap make_height_map(const io::Image& image, Vec2 corner, double cell, double low, double high) {
  world::HeightMap map{corner, cell, image.width, image.height, {}};
  for (int row = 0; row < map.rows; ++row) {
    for (int column = 0; column < map.columns; ++column) {
      const auto i = static_cast<std::size_t>(map.rows - 1 - row) * static_cast<std::size_t>(map.columns) +
                     static_cast<std::size_t>(column);
      map.heights.push_back(static_cast<float>(low + (high - low) * static_cast<double>(image.brightness[i])));
    }
  }
  return map;
}

}  // namespace

TerrainReader::TerrainReader(world::World& world, Surface surface, const std::string& file)
    : world_(world), surface_(std::move(surface)), folder_(std::filesystem::path(file).parent_path().string()) {}

std::vector<Rectangle> TerrainReader::read_cuts(YamlMap& yaml) {
  yaml.each("trenches", [&](YamlMap& item) { read_trench(item); });
  yaml.each("height_maps", [&](YamlMap& item) { read_height_map(item); });
  return cuts_;
}

void TerrainReader::read_solids(YamlMap& yaml) {
  yaml.each("blocks", [&](YamlMap& item) { read_block(item); });
  yaml.each("ramps", [&](YamlMap& item) { read_ramp(item); });
  yaml.each("stairs", [&](YamlMap& item) { read_stairs(item); });
  yaml.each("step_fields", [&](YamlMap& item) { read_step_field(item); });
}

void TerrainReader::read_trench(YamlMap& yaml) {
  Vec2 from, to{1, 1};
  Trench trench;
  yaml.require("from");
  yaml.require("to");
  yaml.read("from", from, kPlace);
  yaml.read("to", to, kPlace);
  yaml.read("depth_m", trench.depth, kDepth);
  trench.material = surface_(yaml, "material", "stone");
  trench.rectangle = {{std::min(from.x, to.x), std::min(from.y, to.y)},
                      {std::max(from.x, to.x), std::max(from.y, to.y)}};
  const Vec2 size = trench.rectangle.high - trench.rectangle.low;
  if (!(size.x > 0.01 && size.y > 0.01)) yaml.fail("to", "is the same as from in x or in y, but both must differ");
  if (yaml.failed()) return;
  add_trench(world_, trench);
  cuts_.push_back(trench.rectangle);
  deepest_ = std::max(deepest_, trench.depth);
  rough_ = true;
}

void TerrainReader::read_height_map(YamlMap& yaml) {
  std::string image;
  Vec2 at;
  double cell = 0.05, low = 0, high = 0.5;
  for (const char* key : {"image", "at"}) yaml.require(key);
  yaml.read("image", image);
  yaml.read("at", at, kPlace);
  yaml.read("cell_m", cell, Field{0.01, 10, "between two points [m]"});
  yaml.read("low_m", low, Field{-5, 20, "height of black [m]"});
  yaml.read("high_m", high, Field{-5, 20, "height of white [m]"});
  if (low == high) yaml.fail("high_m", "is the same as low_m, but must differ: black and white are two heights");
  const std::int32_t material = surface_(yaml, "material", "stone");
  if (yaml.failed() || image.empty()) return;
  const auto picture = io::load_image((std::filesystem::path(folder_) / image).string());
  if (!picture) {
    yaml.fail("image", "is no picture of heights: " + picture.error().message);
  } else if (std::min(picture->width, picture->height) < 2 ||
             std::max(picture->width, picture->height) > world::kMostHeights) {
    yaml.fail("image", "has " + std::to_string(picture->width) + " × " + std::to_string(picture->height) +
                           " points, but must have 2 to " + std::to_string(world::kMostHeights) + " along each side");
  } else if (std::count(picture->visible.begin(), picture->visible.end(), 0) > 0) {
    yaml.fail("image", "has holes, but every point must have a height: transparent points have none");
  } else if (world_.terrain.height_maps.size() >= world::kMostHeightMaps) {
    yaml.fail("", "is one map of heights too many: a world may have " + std::to_string(world::kMostHeightMaps));
  }
  if (yaml.failed()) return;
  const world::HeightMap map = make_height_map(*picture, at, cell, low, high);
  add_height_map(world_, map, material);
  cuts_.push_back({at, at + Vec2{(map.columns - 1) * cell, (map.rows - 1) * cell}});
  rough_ = true;
}

void TerrainReader::read_block(YamlMap& yaml) {
  const Pose2 place = read_place(yaml);
  Vec2 size{1, 1};
  double height = 0.1, base = 0;
  yaml.require("size_m");
  yaml.read("size_m", size, kLength);
  yaml.read("height_m", height, kHeight);
  yaml.read("base_m", base, Field{-5, 20, "its underside above the floor [m]"});
  const double roll = read_radians(yaml, "roll_deg"), pitch = read_radians(yaml, "pitch_deg");
  const std::int32_t material = surface_(yaml, "material", "wood");
  if (yaml.failed()) return;
  add_block(world_, {{place.x, place.y, base + height / 2}, {size.x, size.y, height}, {roll, pitch, place.theta}},
            material);
  rough_ = true;
}

void TerrainReader::read_ramp(YamlMap& yaml) {
  Ramp ramp{.foot = read_place(yaml)};
  yaml.read("length_m", ramp.length, kLength);
  yaml.read("width_m", ramp.width, kWidth);
  yaml.read("height_m", ramp.height, kHeight);
  ramp.material = surface_(yaml, "material", "wood");
  if (yaml.failed()) return;
  add_ramp(world_, ramp);
  rough_ = true;
}

void TerrainReader::read_stairs(YamlMap& yaml) {
  Stairs stairs{.foot = read_place(yaml)};
  yaml.read("steps", stairs.steps, Field{1, 100, "steps"});
  yaml.read("rise_m", stairs.rise, Field{0.01, 1, "height of a step [m]"});
  yaml.read("run_m", stairs.run, Field{0.05, 2, "depth of a step [m]"});
  yaml.read("width_m", stairs.width, kWidth);
  yaml.read("landing_m", stairs.landing, Field{0, 100, "how far the top goes on [m]"});
  stairs.material = surface_(yaml, "material", "stone");
  if (yaml.failed()) return;
  add_stairs(world_, stairs);
  rough_ = true;
}

void TerrainReader::read_step_field(YamlMap& yaml) {
  StepField field{.middle = read_place(yaml)};
  int pattern = 0;
  yaml.read("columns", field.columns, Field{1, 60, "posts along its heading"});
  yaml.read("rows", field.rows, Field{1, 60, "posts across"});
  yaml.read("cell_m", field.cell, Field{0.02, 2, "side of a post [m]"});
  yaml.read("rise_m", field.rise, Field{0.01, 1, "heights are multiples of this [m]"});
  yaml.read("levels", field.levels, Field{0, 20, "of the pattern"});
  yaml.read_choice("pattern", pattern, {"flat", "hill", "diagonal"});
  yaml.read("seed", field.seed, Field{0, 1e15, "of the heights"});
  field.pattern = static_cast<StepPattern>(pattern);
  field.material = surface_(yaml, "material", "wood");
  if (yaml.failed()) return;
  add_step_field(world_, field);
  rough_ = true;
}

void TerrainReader::finish(YamlMap& yaml, const std::vector<Rectangle>& floor) {
  if (!rough_) {
    world_.terrain = {};
    return;
  }
  const double thick = std::max(kGround, deepest_);
  for (const Rectangle& part : floor) {
    const Vec2 size = part.high - part.low, middle = part.low + size * 0.5;
    world_.terrain.blocks.push_back({{middle.x, middle.y, -thick / 2}, {size.x, size.y, thick}, {}});
  }
  if (world_.terrain.blocks.size() > world::kMostBlocks) {
    yaml.fail("", "makes a terrain of " + std::to_string(world_.terrain.blocks.size()) + " blocks, but may have " +
                      std::to_string(world::kMostBlocks));
  }
}

}  // namespace forerun::atlas
