#include "forerun/atlas/ros_map.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "forerun/atlas/world_file.hpp"
#include "forerun/base/random.hpp"
#include "forerun/world/ray_caster.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::atlas {
namespace {

const std::string kHead = "image: m.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n";

std::string complaint(const std::string& text) {
  const auto map = parse_ros_map(text, "m.yaml");
  return map ? "none" : map.error().message;
}

// '#' occupied, '.' free, '?' unknown; the first row is the top one.
Grid<MapCell> draw(const std::vector<std::string>& rows) {
  const int width = static_cast<int>(rows[0].size()), height = static_cast<int>(rows.size());
  Grid<MapCell> cells({width, height, 0.5, {}}, MapCell::unknown);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const char c = rows[static_cast<std::size_t>(height - 1 - y)][static_cast<std::size_t>(x)];
      cells[Cell{x, y}] = c == '#' ? MapCell::occupied : (c == '.' ? MapCell::free : MapCell::unknown);
    }
  }
  return cells;
}

MapCell classify_one(const RosMap& map, float brightness, std::uint8_t visible = 1) {
  return classify(map, io::Image{1, 1, {brightness}, {visible}})[0];
}

TEST(RosMap, ReadsTheKeysOfRos) {
  const auto map = parse_ros_map(
      "image: m.png\nmode: scale\nresolution: 0.05\norigin: [-25, -6.19, 0.5]\nnegate: 1\noccupied_thresh: 0.7\n"
      "free_thresh: 0.2\n",
      "m.yaml");
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->image, "m.png");
  EXPECT_EQ(map->mode, MapMode::scale);
  EXPECT_EQ(map->origin, (Pose2{-25, -6.19, 0.5}));
  EXPECT_TRUE(map->negate);
  EXPECT_EQ(map->occupied_thresh, 0.7);
}

TEST(RosMap, BadInputIsNamed) {
  EXPECT_EQ(complaint("resolution: 1\norigin: [0, 0, 0]"), "m.yaml:1: image is missing");
  EXPECT_EQ(complaint(kHead + "resolutin: 1"),
            "m.yaml:4: the file has the unknown key \"resolutin\"; the nearest known one is \"resolution\"");
  EXPECT_EQ(complaint("image: m.pgm\nresolution: 0\norigin: [0, 0, 0]"),
            "m.yaml:2: resolution is 0, but must lie between 0.001 and 10");
  EXPECT_EQ(complaint("image: m.pgm\nresolution: .inf\norigin: [0, 0, 0]"),
            "m.yaml:2: resolution is .inf, but must be a finite number");
  EXPECT_EQ(complaint(kHead + "mode: binary"), "m.yaml:4: mode is \"binary\", but must be trinary, scale or raw");
  EXPECT_EQ(complaint(kHead + "free_thresh: 0.9"),
            "m.yaml:4: free_thresh is 0.9, but must not exceed occupied_thresh, which is 0.65");
}

TEST(RosMap, ThresholdsDecide) {
  RosMap map;
  EXPECT_EQ(classify_one(map, 0.0f), MapCell::occupied);
  EXPECT_EQ(classify_one(map, 254.0f / 255), MapCell::free);
  EXPECT_EQ(classify_one(map, 0.5f), MapCell::unknown);
  map.negate = true;
  EXPECT_EQ(classify_one(map, 0.0f), MapCell::free);
  EXPECT_EQ(classify_one(map, 1.0f), MapCell::occupied);
}

TEST(RosMap, TheGreyOfUnknownStaysUnknownWhateverTheThresholdSays) {
  RosMap map;
  map.free_thresh = 0.25;  // 205 would be free by this
  EXPECT_EQ(classify_one(map, 205.0f / 255), MapCell::unknown);
  EXPECT_EQ(classify_one(map, 206.0f / 255), MapCell::free);
}

TEST(RosMap, RawIsAPercentage) {
  RosMap map;
  map.mode = MapMode::raw;
  EXPECT_EQ(classify_one(map, 0), MapCell::free);
  EXPECT_EQ(classify_one(map, 100.0f / 255), MapCell::occupied);
  EXPECT_EQ(classify_one(map, 50.0f / 255), MapCell::unknown);
  EXPECT_EQ(classify_one(map, 1), MapCell::unknown);
}

TEST(RosMap, TransparentIsUnknownInScaleMode) {
  RosMap map;
  EXPECT_EQ(classify_one(map, 1, 0), MapCell::free);
  map.mode = MapMode::scale;
  EXPECT_EQ(classify_one(map, 1, 0), MapCell::unknown);
}

TEST(RosMap, RunsOfCellsBecomeOneFace) {
  const auto world = extrude({.resolution = 0.5}, draw({"####", "#..#", "#..#", "####"}), "m.yaml");
  ASSERT_TRUE(world);
  // 4 outer and 4 inner faces, 4 rectangles of tops (bottom row, two sides, top row), one floor
  EXPECT_EQ(world->triangles.size(), 2u * (4 + 4 + 4 + 1));
}

TEST(RosMap, UnknownIsNoFloorAndNoWall) {
  const auto world = extrude({.resolution = 0.5}, draw({"..?", "#.?"}), "m.yaml");
  ASSERT_TRUE(world);
  double floor = 0;
  for (const world::Triangle& t : world->triangles) {
    if (world::is_floor(t)) floor += length(cross(t.b - t.a, t.c - t.a)) / 2;
  }
  EXPECT_NEAR(floor, 3 * 0.25, 1e-12);
  EXPECT_EQ(world::cast_by_brute_force(*world, {{0.75, 0.25, 1}, {1, 0, 0}}).distance, kInfinity);
  EXPECT_NEAR(world::cast_by_brute_force(*world, {{0.75, 0.25, 1}, {-1, 0, 0}}).distance, 0.25, 1e-12);
}

TEST(RosMap, FacesLookOutOfTheWall) {
  const auto world = extrude({.resolution = 0.5}, draw({"...", ".#.", "..."}), "m.yaml");
  ASSERT_TRUE(world);
  for (const world::Triangle& t : world->triangles) {
    if (world::is_floor(t)) continue;
    const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
    EXPECT_GT(dot(cross(t.b - t.a, t.c - t.a), middle - Vec3{0.75, 0.75, 1}), 0);
  }
}

TEST(RosMap, RaysStopWhereTheCellsSay) {
  // random cells: along every row, the first face is where the first occupied cell begins
  Random random(7);
  std::vector<std::string> rows(12, std::string(20, '.'));
  for (auto& row : rows) {
    for (std::size_t x = 1; x < row.size(); ++x) row[x] = random.uniform() < 0.2 ? '#' : '.';
  }
  const Grid<MapCell> cells = draw(rows);
  const auto world = extrude({.resolution = 0.5}, cells, "m.yaml");
  ASSERT_TRUE(world);
  for (int y = 0; y < 12; ++y) {
    int x = 0;
    while (x < 20 && cells[Cell{x, y}] != MapCell::occupied) ++x;
    const double expected = x == 20 ? kInfinity : 0.5 * x - 0.25;
    const auto hit = world::cast_by_brute_force(*world, {{0.25, 0.5 * y + 0.25, 1}, {1, 0, 0}});
    if (x == 20) {
      EXPECT_EQ(hit.distance, expected);
    } else {
      EXPECT_NEAR(hit.distance, expected, 1e-9);
    }
  }
}

TEST(RosMap, TheOriginTurnsTheMap) {
  const RosMap map{.resolution = 0.5, .origin = {10, 20, kPi / 2}};
  const auto world = extrude(map, draw({".#"}), "m.yaml");
  ASSERT_TRUE(world);
  const Box2 box = world::bounds(*world);
  EXPECT_NEAR(box.low.x, 9.5, 1e-9);
  EXPECT_NEAR(box.high.x, 10, 1e-9);
  EXPECT_NEAR(box.low.y, 20, 1e-9);
  EXPECT_NEAR(box.high.y, 21, 1e-9);
}

TEST(RosMap, WithoutAFreePixelThereIsNoFloor) {
  EXPECT_EQ(extrude({.image = "m.pgm"}, draw({"##"}), "m.yaml").error().message,
            "m.yaml describes a world without floor: no pixel of \"m.pgm\" is free");
}

TEST(RosMap, LoadsFromAFolder) {
  const test::TempFolder folder;
  const std::string path = folder.write("m.yaml", kHead);
  EXPECT_EQ(load_world(path).error().message, path + ": image " + folder.file("m.pgm") + " does not exist");
  ASSERT_NE(folder.write("m.pgm", "hello"), "");
  EXPECT_EQ(load_world(path).error().message,
            path + ": image " + folder.file("m.pgm") +
                " is not an image: it begins with \"hello\", but must be a PGM (P2 or P5) or a PNG");
  ASSERT_NE(folder.write("m.pgm", "P2 2 1 255  0 255"), "");
  const auto world = load_world(path);
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->name, "m");
}

TEST(RosMap, TheRealCorridorLoads) {
  const std::filesystem::path path =
      std::filesystem::path(test::source_path()) / "../shared/data/maps/levine_slam.yaml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  const auto world = load_world(path.string());
  ASSERT_TRUE(world) << world.error().message;
  double floor = 0;
  for (const world::Triangle& t : world->triangles) {
    if (world::is_floor(t)) floor += length(cross(t.b - t.a, t.c - t.a)) / 2;
  }
  // 52494 free pixels of 5 cm
  EXPECT_NEAR(floor, 52494 * 0.0025, 1e-6);
  EXPECT_LT(world->triangles.size(), 20000u);
}

}  // namespace
}  // namespace forerun::atlas
