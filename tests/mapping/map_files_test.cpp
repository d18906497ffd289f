// Maps are read back by our own readers as they were.
#include "forerun/mapping/map_files.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/world_file.hpp"
#include "forerun/base/random.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::mapping {
namespace {

using atlas::MapCell;

Grid<MapCell> random_cells(int width, int height) {
  Random random(1, 0);
  Grid<MapCell> cells({width, height, 0.05, {-1.25, 2.5}});
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<MapCell>(random.below(3));
  return cells;
}

TEST(MapFiles, RosMapComesBack) {
  const Grid<MapCell> cells = random_cells(13, 7);
  const auto map = atlas::parse_ros_map(write_ros_map(cells, "m.pgm"), "m.yaml");
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->image, "m.pgm");
  EXPECT_EQ(map->resolution, 0.05);
  EXPECT_EQ(map->origin, (Pose2{-1.25, 2.5, 0}));
  const auto image = io::parse_image(write_pgm(cells), "m.pgm");
  ASSERT_TRUE(image) << image.error().message;
  const Grid<MapCell> again = atlas::classify(*map, *image);
  ASSERT_EQ(again.size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(again[i], cells[i]) << i;
}

TEST(MapFiles, RectanglesCoverWhatIsWantedOnce) {
  Random random(2, 0);
  Grid<std::uint8_t> wanted({20, 15, 0.5, {1, 1}});
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = random.below(4) > 0;
  Grid<int> covered(wanted.frame());
  for (const Box2& box : cover(wanted)) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      covered[i] += box.contains(wanted.frame().center(wanted.frame().cell_at(i)));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(covered[i], wanted[i]) << i;
}

TEST(MapFiles, WorldLoadsHoweverRaggedItsFloorIs) {
  const test::TempFolder folder;
  const auto world = atlas::load_world(folder.write("m.world.yaml", write_world(random_cells(200, 150), "ragged")));
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->name, "ragged");
}

}  // namespace
}  // namespace forerun::mapping
