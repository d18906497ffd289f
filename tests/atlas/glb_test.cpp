#include "forerun/atlas/glb.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "forerun/atlas/floor_finder.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/base/random.hpp"
#include "forerun/io/file.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::atlas {
namespace {

void append_word(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
}

std::string make_glb(std::string json, std::string binary) {
  while (json.size() % 4 != 0) json += ' ';
  while (binary.size() % 4 != 0) binary += '\0';
  std::string bytes = "glTF";
  append_word(bytes, 2);
  append_word(bytes, static_cast<std::uint32_t>(28 + json.size() + binary.size()));
  append_word(bytes, static_cast<std::uint32_t>(json.size()));
  append_word(bytes, 0x4e4f534a);
  bytes += json;
  append_word(bytes, static_cast<std::uint32_t>(binary.size()));
  append_word(bytes, 0x004e4942);
  return bytes + binary;
}

std::string floats(const std::vector<float>& values) {
  std::string bytes;
  for (const float value : values) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, 4);
    append_word(bytes, word);
  }
  return bytes;
}

// A square of 2 m on glTF's floor (y up), four corners, drawn by two triangles that face up.
const std::vector<float> kSquare{0, 0, 0, 2, 0, 0, 2, 0, -2, 0, 0, -2};

struct Parts {
  std::string node = R"("mesh": 0)";
  std::string primitive = R"("attributes": {"POSITION": 0}, "indices": 1)";
  std::string positions = R"("bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3")";
  std::string indices = R"("bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR")";
  std::string views = R"({"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 6})";
  std::string more;
};

std::string foreign(const Parts& parts) {
  return make_glb(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{)" + parts.node +
                      R"(}], "meshes": [{"primitives": [{)" + parts.primitive + R"(}]}], "accessors": [{)" +
                      parts.positions + "}, {" + parts.indices + R"(}], "bufferViews": [)" + parts.views +
                      R"(], "buffers": [{"byteLength": 56}])" + parts.more + "}",
                  floats(kSquare) + std::string("\0\1\2\0\2\3", 6));
}

std::string complaint(const std::string& bytes) {
  const auto world = parse_glb(bytes, "w.glb");
  return world ? "none" : world.error().message;
}

using Corners = std::tuple<int, double, double, double, double, double, double, double, double, double>;

std::vector<Corners> sorted_triangles(const world::World& world) {
  std::vector<Corners> all;
  const auto f = [](double x) { return static_cast<double>(static_cast<float>(x)) + 0.0; };
  for (const world::Triangle& t : world.triangles) {
    all.emplace_back(t.material, f(t.a.x), f(t.a.y), f(t.a.z), f(t.b.x), f(t.b.y), f(t.b.z), f(t.c.x), f(t.c.y),
                     f(t.c.z));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Glb, AWorldReadsBackTheSame) {
  for (const char* name : {"bonn-office", "museum"}) {
    const auto world = load_world(*io::find_file(io::FileKind::world, name));
    ASSERT_TRUE(world);
    const auto back = parse_glb(encode_glb(*world), "w.glb");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->name, world->name);
    EXPECT_TRUE(sorted_triangles(*back) == sorted_triangles(*world));
    ASSERT_EQ(back->materials.size(), world->materials.size());
    for (std::size_t i = 0; i < world->materials.size(); ++i) {
      const world::Material &a = world->materials[i], &b = back->materials[i];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(std::tie(a.red, a.green, a.blue, a.reflection_angle, a.reflection_angle_slope, a.reflection_range),
                std::tie(b.red, b.green, b.blue, b.reflection_angle, b.reflection_angle_slope, b.reflection_range));
    }
    ASSERT_EQ(back->doors.size(), world->doors.size());
    for (std::size_t i = 0; i < world->doors.size(); ++i) {
      const world::Door &a = world->doors[i], &b = back->doors[i];
      EXPECT_EQ(a.hinge, b.hinge);
      EXPECT_EQ(std::tie(a.name, a.width, a.height, a.thickness, a.closed_angle, a.open_angle, a.material, a.open),
                std::tie(b.name, b.width, b.height, b.thickness, b.closed_angle, b.open_angle, b.material, b.open));
    }
    // a second trip changes no bit
    EXPECT_TRUE(encode_glb(*back) == encode_glb(*world));
  }
}

TEST(Glb, IsWrittenAndLoadedByItsEnding) {
  const test::TempFolder folder;
  const auto world = parse_glb(foreign({}), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_TRUE(write_glb(*world, folder.file("w.glb")));
  const auto back = load_world(folder.file("w.glb"));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->triangles.size(), 2u);
}

TEST(Glb, TheUpAxisIsConverted) {
  const auto world = parse_glb(foreign({}), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  const Box2 box = world::bounds(*world);
  EXPECT_EQ(box.low, (Vec2{0, 0}));
  EXPECT_EQ(box.high, (Vec2{2, 2}));
  for (const world::Triangle& t : world->triangles) EXPECT_GT(cross(t.b - t.a, t.c - t.a).z, 0);
}

TEST(Glb, NodesMoveTurnScaleAndNest) {
  // a quarter turn about glTF's y axis is a quarter turn to the left here
  Parts parts;
  parts.node =
      R"("children": [1], "translation": [10, 3, 0]}, {"mesh": 0, "rotation": [0, 0.70710678118, 0, 0.70710678118], "scale": [2, 1, 1])";
  const auto world = parse_glb(foreign(parts), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  const Box2 box = world::bounds(*world);
  EXPECT_NEAR(box.low.x, 8, 1e-6);
  EXPECT_NEAR(box.high.x, 10, 1e-6);
  EXPECT_NEAR(box.low.y, 0, 1e-6);
  EXPECT_NEAR(box.high.y, 4, 1e-6);
  // the floor, 3 m up in the file, is at 0 here
  EXPECT_TRUE(world::has_floor(*world));
}

TEST(Glb, AMirroredNodeStillFacesUp) {
  Parts parts;
  parts.node = R"("mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])";
  const auto world = parse_glb(foreign(parts), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  for (const world::Triangle& t : world->triangles) EXPECT_GT(cross(t.b - t.a, t.c - t.a).z, 0);
}

TEST(Glb, TrianglesMayComeWithoutIndices) {
  Parts parts;
  parts.primitive = R"("attributes": {"POSITION": 0})";
  const auto world = parse_glb(foreign(parts), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->triangles.size(), 1u);
}

TEST(Glb, MaterialsAreReadAndKnownNamesBringAcoustics) {
  Parts parts;
  parts.primitive += R"(, "material": 0)";
  parts.more =
      R"(, "materials": [{"name": "wooden floor", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 1]}}, {"name": "office glass"}])";
  const auto world = parse_glb(foreign(parts), "w.glb");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_EQ(world->materials.size(), 2u);
  EXPECT_EQ(world->materials[0].green, 0.2);
  EXPECT_LT(world->materials[1].reflection_angle, world->materials[0].reflection_angle);
}

TEST(Glb, HostileNumbersAreRefused) {
  const std::string beyond = "w.glb is not a usable glTF file: accessors[0] reaches beyond the data in the file";
  const auto with_positions = [](const std::string& positions) {
    Parts parts;
    parts.positions = positions;
    return complaint(foreign(parts));
  };
  const auto with_views = [](const std::string& views) {
    Parts parts;
    parts.views = views;
    return complaint(foreign(parts));
  };
  const std::string common = R"("bufferView": 0, "componentType": 5126, "type": "VEC3", )";
  EXPECT_EQ(with_positions(common + R"("count": 5)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": 4, "byteOffset": 4)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": 1, "byteOffset": 1000)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": 0, "byteOffset": 49)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": 18446744073709551615)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": 1537228672809129302)"), beyond);
  EXPECT_EQ(with_positions(common + R"("count": -1)"),
            "w.glb is not a usable glTF file: count is \"-1\", but must be a whole number from 0 on");
  EXPECT_EQ(with_positions(common + R"("count": 1e3)").substr(0, 41), "w.glb is not a usable glTF file: count is");
  EXPECT_EQ(with_positions(R"("bufferView": 9, "componentType": 5126, "type": "VEC3", "count": 1)"),
            "w.glb is not a usable glTF file: bufferViews[9] is used, but does not exist");
  EXPECT_EQ(with_positions(R"("bufferView": 0, "componentType": 5123, "type": "VEC3", "count": 1)"),
            "w.glb is not a usable glTF file: POSITION must hold 32-bit floats");
  EXPECT_EQ(with_views(R"({"buffer": 0, "byteLength": 4800}, {"buffer": 0, "byteLength": 6})"), beyond);
  EXPECT_EQ(with_views(R"({"buffer": 0, "byteOffset": 18446744073709551615, "byteLength": 48}, {})"), beyond);
  EXPECT_EQ(with_views(R"({"buffer": 0, "byteLength": 48, "byteStride": 4}, {})"), beyond);
  EXPECT_EQ(with_views(R"({"buffer": 1, "byteLength": 48}, {})"),
            "w.glb is not a usable glTF file: its data must lie in the first buffer, inside the file");
}

TEST(Glb, AnIndexBeyondTheCornersIsRefused) {
  std::string bytes = foreign({});
  bytes[bytes.size() - 3] = 77;
  EXPECT_EQ(complaint(bytes), "w.glb is not a usable glTF file: an index is 77, but there are only 4 corners");
}

TEST(Glb, CornersThatAreNotFiniteAreRefused) {
  std::string bytes = foreign({});
  const std::string nan = floats({std::nanf("")});
  bytes.replace(bytes.size() - 56, 4, nan);
  EXPECT_EQ(complaint(bytes), "w.glb is not a usable glTF file: a corner is not a finite point within 100000 m");
}

TEST(Glb, CirclesAndDepthAreRefused) {
  Parts parts;
  parts.node = R"("mesh": 0, "children": [0])";
  EXPECT_EQ(complaint(foreign(parts)), "w.glb is not a usable glTF file: its nodes are nested deeper than 64");
  parts.node = R"("mesh": 0, "extras": )" + std::string(100000, '[') + std::string(100000, ']');
  EXPECT_EQ(complaint(foreign(parts)), "w.glb is not a usable glTF file: its JSON is nested too deeply");
}

TEST(Glb, NeededExtensionsAreNamed) {
  Parts parts;
  parts.more = R"(, "extensionsRequired": ["KHR_draco_mesh_compression"])";
  EXPECT_EQ(complaint(foreign(parts)),
            "w.glb is not a usable glTF file: it needs the extension \"KHR_draco_mesh_compression\", which is not "
            "supported");
}

TEST(Glb, WhatIsNoGlbIsRefused) {
  EXPECT_EQ(complaint(""), "w.glb is not a usable glTF file: it does not begin with \"glTF\"");
  EXPECT_EQ(complaint("PK and so on and so on"), "w.glb is not a usable glTF file: it does not begin with \"glTF\"");
  EXPECT_EQ(complaint("glTF\2"), "w.glb is not a usable glTF file: it is cut short");
  EXPECT_EQ(complaint(foreign({}).substr(0, 100)), "w.glb is not a usable glTF file: it is cut short");
}

TEST(Glb, DamagedFilesNeverCrash) {
  const std::string good = foreign({});
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (std::uint64_t n = random.below(4); n < 5; ++n)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    complaint(bytes);
    complaint(good.substr(0, random.below(good.size())));
  }
}

TEST(Glb, AWallAloneHasNoFloor) {
  Parts parts;
  parts.node = R"("mesh": 0, "rotation": [0.70710678118, 0, 0, 0.70710678118])";
  EXPECT_EQ(complaint(foreign(parts)), "w.glb describes a world without floor: no large level surface faces up");
}

world::World levels(const std::vector<std::pair<double, double>>& height_and_area) {
  world::World world;
  for (const auto& [z, area] : height_and_area) {
    const double side = std::sqrt(2 * area);
    world.triangles.push_back({{0, 0, z}, {side, 0, z}, {0, side, z}, 0});
  }
  return world;
}

TEST(FloorFinder, TakesTheLowestLevelOfNotableSize) {
  EXPECT_NEAR(find_floor_height(levels({{3, 100}, {0.2, 90}, {0.75, 4}})), 0.2, 1e-12);
  // a pit of small area is no floor
  EXPECT_NEAR(find_floor_height(levels({{-2, 0.3}, {0.1, 50}})), 0.1, 1e-12);
  EXPECT_NEAR(find_floor_height(levels({{-2, 3}, {0.1, 50}})), 0.1, 1e-12);
  EXPECT_NEAR(find_floor_height(levels({{-2, 9}, {0.1, 50}})), -2, 1e-12);
  EXPECT_EQ(find_floor_height({}), 0);
}

}  // namespace
}  // namespace forerun::atlas
