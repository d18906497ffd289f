#include <gtest/gtest.h>

#include <limits>

#include "forerun/world/world_bytes.hpp"

namespace forerun::world {
namespace {

World rough_world() {
  World world;
  world.name = "rough";
  world.materials.push_back({});
  world.triangles.push_back({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, 0});
  world.terrain.blocks.push_back({{1, 2, 0.1}, {0.5, 0.4, 0.2}, {0.1, -0.2, 3}});
  world.terrain.height_maps.push_back({{-1, -2}, 0.25, 3, 2, {0, 0.5f, 1, -0.25f, 0, 0.125f}});
  return world;
}

TEST(TerrainBytes, ReadBackWhatWasWritten) {
  const World before = rough_world();
  const auto bytes = to_bytes(before);
  const auto after = world_from_bytes(bytes);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(to_bytes(*after), bytes);
  ASSERT_EQ(after->terrain.blocks.size(), 1u);
  EXPECT_EQ(after->terrain.blocks[0].center, before.terrain.blocks[0].center);
  EXPECT_EQ(after->terrain.blocks[0].attitude, before.terrain.blocks[0].attitude);
  EXPECT_EQ(after->terrain.height_maps.at(0).heights, before.terrain.height_maps[0].heights);
}

TEST(TerrainBytes, ALevelWorldHasNone) {
  World level = rough_world();
  level.terrain = {};
  EXPECT_LT(to_bytes(level).size(), to_bytes(rough_world()).size());
  EXPECT_FALSE(world_from_bytes(to_bytes(level))->terrain.is_rough());
}

TEST(TerrainBytes, EveryCutIsRefused) {
  const auto bytes = to_bytes(rough_world());
  World level = rough_world();
  level.terrain = {};
  const std::size_t level_size = to_bytes(level).size();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const auto cut = world_from_bytes({bytes.data(), n});
    EXPECT_EQ(cut.ok(), n == level_size) << n;
  }
}

TEST(TerrainBytes, HeightsThatAreNoneAreRefused) {
  for (const float height : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 21.f}) {
    World world = rough_world();
    world.terrain.height_maps[0].heights[3] = height;
    const auto read = world_from_bytes(to_bytes(world));
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("height"), std::string::npos) << read.error().message;
  }
}

}  // namespace
}  // namespace forerun::world
