// What a robot can drive over or fall into: solid blocks and fields of heights. The same surfaces stand among the
// world's triangles, for the picture and the sensors; this is what a body in a physics engine touches.
#pragma once

#include <vector>

#include "forerun/geom/rotation.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::world {

// A solid box, in any attitude.
struct Block {
  Vec3 center;
  Vec3 size;  // along its own axes [m]
  Attitude attitude;
};

// Heights above the floor on a grid of points; straight between them.
struct HeightMap {
  Vec2 corner;                 // of the smallest x and y [m]
  double cell = 1;             // between neighbouring points [m]
  int columns = 0;             // points along x
  int rows = 0;                // points along y
  std::vector<float> heights;  // [m]; row by row from the smallest y, each from the smallest x

  [[nodiscard]] float height(int column, int row) const noexcept {
    return heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(column)];
  }
};

struct Terrain {
  std::vector<Block> blocks;  // the ground is among them
  std::vector<HeightMap> height_maps;

  // Else the floor is level all over.
  [[nodiscard]] bool is_rough() const noexcept { return !blocks.empty() || !height_maps.empty(); }
};

inline constexpr double kDeepest = 20;             // below the floor, and as high above it [m]
inline constexpr std::size_t kMostBlocks = 5000;   // of a world
inline constexpr std::size_t kMostHeightMaps = 8;  // of a world
inline constexpr int kMostHeights = 512;           // along one side of a map

}  // namespace forerun::world
