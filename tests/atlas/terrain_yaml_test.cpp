#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/atlas/world_yaml.hpp"
#include "forerun/io/image.hpp"
#include "forerun/world/ray_caster.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::atlas {
namespace {

const std::string kFloor = "floors: [{from: [0, 0], to: [10, 10]}]\n";

world::World read(const std::string& text) {
  auto world = parse_world_yaml(text, "t.world.yaml");
  EXPECT_TRUE(world) << world.error().message;
  return world ? *world : world::World{};
}

std::string complaint(const std::string& text, const std::string& file = "t.world.yaml") {
  const auto world = parse_world_yaml(text, file);
  EXPECT_FALSE(world);
  return world ? "" : world.error().message;
}

// The highest surface at a place, by the triangles.
double seen_height(const world::World& world, Vec2 place) {
  const world::Hit hit = world::RayCaster(world).cast({{place.x, place.y, 5}, {0, 0, -1}, 100});
  return 5 - hit.distance;
}

bool inside(const world::Block& block, Vec3 point) {
  const Rotation axes = rotation(block.attitude);
  const Vec3 d = point - block.center;
  const auto within = [&](Vec3 axis, double size) { return std::abs(dot(d, axis)) <= size / 2 + 1e-9; };
  return within(axes.x, block.size.x) && within(axes.y, block.size.y) && within(axes.z, block.size.z);
}

// Whether the terrain is solid just below the highest surface seen, and nothing just above it.
void expect_felt_as_seen(const world::World& world, Vec2 place) {
  const double height = seen_height(world, place);
  const auto solid = [&](double z) {
    return std::any_of(world.terrain.blocks.begin(), world.terrain.blocks.end(), [&](const world::Block& b) {
      return inside(b, {place.x, place.y, z});
    });
  };
  EXPECT_TRUE(solid(height - 0.004)) << place.x << ", " << place.y << " at " << height;
  EXPECT_FALSE(solid(height + 0.004)) << place.x << ", " << place.y << " at " << height;
}

TEST(TerrainYaml, AWorldWithoutRoughPartsIsLevel) {
  EXPECT_FALSE(read(kFloor + "boxes: [{at: [1, 1], size_m: [1, 1]}]\n").terrain.is_rough());
}

TEST(TerrainYaml, WhatIsSeenIsFelt) {
  const world::World world =
      read(kFloor +
           "trenches: [{from: [8, 1], to: [8.4, 9], depth_m: 0.6}]\n"
           "blocks: [{at: [2, 2], size_m: [1, 0.6], height_m: 0.1, base_m: 0.2, heading_deg: 30, pitch_deg: -10}]\n"
           "ramps: [{at: [5, 2], heading_deg: 90, length_m: 1.2, width_m: 1, height_m: 0.4}]\n"
           "stairs: [{at: [2, 5], steps: 4, rise_m: 0.15, run_m: 0.25, width_m: 1, landing_m: 0.5}]\n"
           "step_fields: [{at: [5, 7], pattern: hill, seed: 3}]\n"
           "boxes: [{at: [9, 9], size_m: [0.5, 0.5], height_m: 0.5}]\n");
  for (double x = 0.513; x < 10; x += 0.17) {
    for (double y = 0.517; y < 10; y += 0.19) expect_felt_as_seen(world, {x, y});
  }
  EXPECT_NEAR(seen_height(world, {8.2, 5}), -0.6, 1e-6);
  EXPECT_NEAR(seen_height(world, {2.6, 5}), 0.45, 1e-6);   // third step
  EXPECT_NEAR(seen_height(world, {3.3, 5}), 0.6, 1e-6);    // landing
  EXPECT_NEAR(seen_height(world, {5, 2.6}), 0.2, 1e-6);    // half-way up the ramp
  EXPECT_NEAR(seen_height(world, {5, 3.19}), 0.4, 0.005);  // at its top
}

TEST(TerrainYaml, StepFieldsFollowTheirSeed) {
  const auto field = [](const std::string& seed) {
    return read(kFloor + "step_fields: [{at: [5, 5], pattern: diagonal, seed: " + seed + "}]\n").triangles;
  };
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const world::Triangle& s, const world::Triangle& t) { return s.a == t.a && s.c == t.c; });
  };
  EXPECT_TRUE(same(field("4"), field("4")));
  EXPECT_FALSE(same(field("4"), field("5")));
}

std::string picture(std::uint8_t opacity) {
  std::vector<std::uint8_t> rgba;
  for (const int grey : {0, 51, 102, 153, 204, 255}) {
    const auto value = static_cast<std::uint8_t>(grey);
    rgba.insert(rgba.end(), {value, value, value, grey == 204 ? opacity : std::uint8_t{255}});
  }
  return *io::encode_png(3, 2, rgba);
}

TEST(TerrainYaml, HeightsComeFromAPicture) {
  const test::TempFolder folder;
  folder.write("hill.png", picture(255));
  const std::string text = kFloor + "height_maps: [{image: hill.png, at: [2, 3], cell_m: 0.5, high_m: 1}]\n";
  const auto world = parse_world_yaml(text, folder.file("t.world.yaml"));
  ASSERT_TRUE(world) << world.error().message;
  const world::HeightMap& map = world->terrain.height_maps.at(0);
  EXPECT_EQ(map.columns, 3);
  // the picture's last row has the smallest y
  EXPECT_NEAR(map.height(0, 0), 0.6, 1e-6);
  EXPECT_NEAR(map.height(2, 1), 0.4, 1e-6);
  EXPECT_NEAR(seen_height(*world, {2.001, 3.001}), 0.6, 0.01);
  EXPECT_NEAR(seen_height(*world, {1.9, 3.2}), 0, 1e-6);
}

TEST(TerrainYaml, BlackMayBeHigh) {
  const test::TempFolder folder;
  folder.write("hill.png", picture(255));
  const std::string map = "height_maps: [{image: hill.png, at: [2, 3], cell_m: 0.5, low_m: 1, high_m: ";
  const auto world = parse_world_yaml(kFloor + map + "0}]\n", folder.file("t.world.yaml"));
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_NEAR(world->terrain.height_maps.at(0).height(0, 0), 0.4, 1e-6);
  EXPECT_NEAR(world->terrain.height_maps.at(0).height(0, 1), 1, 1e-6);
  const std::string flat = complaint(kFloor + map + "1}]\n", folder.file("t.world.yaml"));
  EXPECT_NE(flat.find("high_m"), std::string::npos) << flat;
  EXPECT_NE(flat.find("is the same as low_m, but must differ"), std::string::npos) << flat;
}

TEST(TerrainYaml, BadTerrainsAreNamed) {
  const test::TempFolder folder;
  folder.write("hole.png", picture(0));
  const std::string hole = kFloor + "height_maps: [{image: hole.png, at: [2, 3]}]\n";
  EXPECT_NE(complaint(hole, folder.file("t.world.yaml")).find("has holes"), std::string::npos);
  EXPECT_NE(complaint(kFloor + "height_maps: [{image: none.png, at: [2, 3]}]\n").find("none.png"), std::string::npos);
  EXPECT_NE(complaint(kFloor + "trenches: [{from: [1, 1], to: [1, 2]}]\n").find("differ"), std::string::npos);
  EXPECT_NE(complaint(kFloor + "stairs: [{at: [1, 1], steps: 0}]\n").find("steps"), std::string::npos);
  EXPECT_NE(complaint(kFloor + "step_fields: [{at: [1, 1], pattern: hil}]\n").find("hill"), std::string::npos);
  EXPECT_NE(complaint(kFloor + "ramps: [{at: [1, 1], hight_m: 1}]\n").find("height_m"), std::string::npos);
}

}  // namespace
}  // namespace forerun::atlas
