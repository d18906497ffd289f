// The rough parts of a world described by its parts: trenches, blocks, ramps, stairs, step fields, maps of heights.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "forerun/atlas/solids.hpp"
#include "forerun/io/yaml_reader.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

class TerrainReader {
 public:
  // Reads the material under a key, or the usual one.
  using Surface = std::function<std::int32_t(io::YamlMap& yaml, const char* key, const std::string& usual)>;

  // Pictures of heights are looked for beside `file`.
  TerrainReader(world::World& world, Surface surface, const std::string& file);

  // What takes the floor's place: no floor is laid there.
  [[nodiscard]] std::vector<Rectangle> read_cuts(io::YamlMap& yaml);
  // What stands on the floor.
  void read_solids(io::YamlMap& yaml);
  // The floor becomes solid where anything rough was read; else nothing of the world is terrain.
  void finish(io::YamlMap& yaml, const std::vector<Rectangle>& floor);

 private:
  void read_trench(io::YamlMap& yaml);
  void read_height_map(io::YamlMap& yaml);
  void read_block(io::YamlMap& yaml);
  void read_ramp(io::YamlMap& yaml);
  void read_stairs(io::YamlMap& yaml);
  void read_step_field(io::YamlMap& yaml);

  world::World& world_;
  Surface surface_;
  std::string folder_;
  std::vector<Rectangle> cuts_;
  double deepest_ = 0;  // trench [m]
  bool rough_ = false;
};

}  // namespace forerun::atlas
