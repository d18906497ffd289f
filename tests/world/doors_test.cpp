#include "forerun/world/doors.hpp"

#include <gtest/gtest.h>

#include "forerun/world/mover.hpp"

namespace forerun::world {
namespace {

World two_doors() {
  World world;
  world.materials.emplace_back();
  world.triangles.push_back({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0});
  world.doors.push_back({.name = "left", .hinge = {1, 1}, .open = false});
  world.doors.push_back({.name = "right", .hinge = {2, 1}});
  return world;
}

TEST(Doors, OpenDoorsAllStandOpen) {
  const World open = with_doors_open(two_doors());
  ASSERT_EQ(open.doors.size(), 2u);
  for (const Door& door : open.doors) EXPECT_TRUE(door.open) << door.name;
  EXPECT_EQ(open.triangles.size(), 1u);
}

TEST(Doors, FixedDoorsStandAsTheyDidAtTheBeginning) {
  const World world = two_doors();
  const World fixed = with_doors_fixed(world);
  EXPECT_TRUE(fixed.doors.empty());
  std::vector<Triangle> leaf;
  append_triangles(make_leaf(world.doors[0], 0), leaf);  // the left one is closed
  ASSERT_EQ(fixed.triangles.size(), 1 + 2 * leaf.size());
  for (std::size_t i = 0; i < leaf.size(); ++i) EXPECT_EQ(fixed.triangles[1 + i].a.x, leaf[i].a.x);
}

TEST(Doors, DoorsThatMoveStayDoors) {
  const World fixed = with_doors_fixed(two_doors(), {"right", "nowhere"});
  ASSERT_EQ(fixed.doors.size(), 1u);
  EXPECT_EQ(fixed.doors[0].name, "right");
}

}  // namespace
}  // namespace forerun::world
