// Parts of a rough terrain: each becomes triangles, which are seen, and blocks or heights, which are felt.
#pragma once

#include <cstdint>

#include "forerun/atlas/solids.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

void add_block(world::World& world, const world::Block& block, std::int32_t material);

// A hole in the floor with upright walls; what lies around it is laid without it.
struct Trench {
  Rectangle rectangle;
  double depth = 0.5;  // [m]
  std::int32_t material = 0;
};
void add_trench(world::World& world, const Trench& trench);

// From the middle of its foot upwards, along its heading. Solid, with an upright back.
struct Ramp {
  Pose2 foot;
  double length = 1;    // in the plan view [m]
  double width = 1;     // [m]
  double height = 0.3;  // [m]
  std::int32_t material = 0;
};
void add_ramp(world::World& world, const Ramp& ramp);

struct Stairs {
  Pose2 foot;
  int steps = 5;
  double rise = 0.15;  // of a step [m]
  double run = 0.3;    // of a step [m]
  double width = 1;    // [m]
  double landing = 0;  // how far the top goes on behind the last step [m]
  std::int32_t material = 0;
};
void add_stairs(world::World& world, const Stairs& stairs);

// Square posts of random heights, as in the arenas where rescue robots are tested.
enum class StepPattern : std::uint8_t { flat, hill, diagonal };
struct StepField {
  Pose2 middle;
  int columns = 10;    // posts along the heading
  int rows = 10;       // posts across
  double cell = 0.1;   // side of a post [m]
  double rise = 0.05;  // heights are multiples of this [m]
  int levels = 4;      // of the pattern, and one or none more by chance
  StepPattern pattern = StepPattern::flat;
  std::uint64_t seed = 1;
  std::int32_t material = 0;
};
void add_step_field(world::World& world, const StepField& field);

void add_height_map(world::World& world, const world::HeightMap& map, std::int32_t material);

}  // namespace forerun::atlas
