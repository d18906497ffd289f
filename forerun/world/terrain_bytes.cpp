#include "forerun/world/terrain_bytes.hpp"

#include <bit>
#include <string>

namespace forerun::world {
namespace {

constexpr std::size_t kBlockSize = 9 * 8;                // in bytes
constexpr std::size_t kMapSize = 3 * 8 + 2 * 4 + 4 * 4;  // at least

constexpr Field kPlaceOfMap{-1e6, 1e6, "corner of the map [m]"};
constexpr Field kCell{1e-3, 100, "between two points [m]"};
constexpr Field kPoints{2, kMostHeights, "points along a side"};

constexpr Field kPlaceOfBlock{-1e6, 1e6, "middle of the block [m]"};
constexpr Field kHeightOfBlock{-1e4, 1e4, "middle of the block [m]"};
constexpr Field kSizeOfBlock{1e-4, 1e4, "edge of the block [m]"};
constexpr Field kTurn{-7, 7, "attitude of the block [rad]"};

template <class Visit>
void visit_block(Block& b, Visit&& visit) {
  visit("x_m", b.center.x, kPlaceOfBlock);
  visit("y_m", b.center.y, kPlaceOfBlock);
  visit("z_m", b.center.z, kHeightOfBlock);
  visit("length_m", b.size.x, kSizeOfBlock);
  visit("width_m", b.size.y, kSizeOfBlock);
  visit("height_m", b.size.z, kSizeOfBlock);
  visit("roll_rad", b.attitude.roll, kTurn);
  visit("pitch_rad", b.attitude.pitch, kTurn);
  visit("yaw_rad", b.attitude.yaw, kTurn);
}

template <class Visit>
void visit_frame(HeightMap& map, Visit&& visit) {
  visit("x_m", map.corner.x, kPlaceOfMap);
  visit("y_m", map.corner.y, kPlaceOfMap);
  visit("cell_m", map.cell, kCell);
  visit("columns", map.columns, kPoints);
  visit("rows", map.rows, kPoints);
}

void read_map(FieldReader& in, HeightMap& map) {
  visit_frame(map, in);
  if (in.failed()) return;
  const std::size_t n = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
  const Bytes bytes = in.bytes(4 * n);
  if (in.failed()) return;
  ByteReader heights(bytes);
  map.heights.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float height = std::bit_cast<float>(heights.u32());
    if (!(height >= -kDeepest && height <= kDeepest)) {
      in.fail("height", "is not a number within 20 m of the floor");
      return;
    }
    map.heights.push_back(height);
  }
}

}  // namespace

void write_terrain(const Terrain& terrain, FieldWriter& out) {
  out.u32(static_cast<std::uint32_t>(terrain.blocks.size()));
  for (Block block : terrain.blocks) visit_block(block, out);
  out.u32(static_cast<std::uint32_t>(terrain.height_maps.size()));
  for (HeightMap map : terrain.height_maps) {
    visit_frame(map, out);
    for (const float height : map.heights) out.u32(std::bit_cast<std::uint32_t>(height));
  }
}

Terrain read_terrain(FieldReader& in) {
  Terrain terrain;
  const std::size_t n_blocks = in.count("block", kMostBlocks, kBlockSize);
  for (std::size_t i = 0; i < n_blocks && !in.failed(); ++i) {
    in.enter("block " + std::to_string(i));
    visit_block(terrain.blocks.emplace_back(), in);
  }
  in.enter("");
  const std::size_t n_maps = in.count("height map", kMostHeightMaps, kMapSize);
  for (std::size_t i = 0; i < n_maps && !in.failed(); ++i) {
    in.enter("height map " + std::to_string(i));
    read_map(in, terrain.height_maps.emplace_back());
  }
  in.enter("");
  if (!in.failed() && !terrain.is_rough()) in.fail("terrain", "must not be empty where it is there");
  return terrain;
}

}  // namespace forerun::world
