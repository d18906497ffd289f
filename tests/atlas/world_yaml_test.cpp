#include "forerun/atlas/world_yaml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/world/ray_caster.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::atlas {
namespace {

const std::string kRoom = "rooms: [{from: [0, 0], to: [4, 3]}]\n";

world::World parse(const std::string& text) {
  const auto world = parse_world_yaml(text, "w.world.yaml");
  EXPECT_TRUE(world) << world.error().message;
  return world ? *world : world::World{};
}

std::string complaint(const std::string& text) {
  const auto world = parse_world_yaml(text, "w.world.yaml");
  return world ? "none" : world.error().message;
}

double look(const world::World& world, Vec3 from, Vec3 direction) {
  return world::cast_by_brute_force(world, {from, direction}).distance;
}

std::string material_seen(const world::World& world, Vec3 from, Vec3 direction) {
  const auto hit = world::cast_by_brute_force(world, {from, direction});
  return hit.found() ? world.materials[static_cast<std::size_t>(hit.material)].name : "nothing";
}

double floor_area(const world::World& world) {
  double area = 0;
  for (const world::Triangle& t : world.triangles) {
    if (world::is_floor(t)) area += length(cross(t.b - t.a, t.c - t.a)) / 2;
  }
  return area;
}

TEST(WorldYaml, ARoomHasFourWallsAndAFloor) {
  const world::World world = parse(kRoom);
  const Vec3 middle{2, 1.5, 1};
  // walls stand on the lines, half their thickness of 0.15 m on each side
  EXPECT_NEAR(look(world, middle, {1, 0, 0}), 2 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, middle, {-1, 0, 0}), 2 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, middle, {0, 1, 0}), 1.5 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, middle, {0, -1, 0}), 1.5 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, middle, {0, 0, -1}), 1, 1e-9);
  EXPECT_NEAR(floor_area(world), 12, 1e-9);
  // corners are closed outside too
  EXPECT_NEAR(look(world, {-1, -0.07, 1}, {1, 0, 0}), 1 - 0.075, 1e-9);
}

TEST(WorldYaml, SolidsFaceOutwards) {
  const world::World world = parse(
      "floors: [{from: [0, 0], to: [9, 9]}]\n"
      "boxes: [{at: [3, 3], size_m: [1, 2], heading_deg: 30, height_m: 0.8}]\n"
      "cylinders: [{at: [7, 7], radius_m: 0.5, base_m: 0.2}]");
  for (const world::Triangle& t : world.triangles) {
    if (world::is_floor(t)) continue;
    const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
    const Vec3 center = middle.x < 5 ? Vec3{3, 3, 0.3} : Vec3{7, 7, 0.7};
    EXPECT_GT(dot(cross(t.b - t.a, t.c - t.a), middle - center), 0);
  }
}

TEST(WorldYaml, WallsThatTwoRoomsShareAreBuiltOnce) {
  const world::World one =
      parse("rooms: [{from: [0, 0], to: [4, 3]}]\nwalls: [{points: [[4, 0], [8, 0], [8, 3], [4, 3]]}]");
  const world::World two = parse("rooms: [{from: [0, 0], to: [4, 3]}, {from: [4, 0], to: [8, 3]}]");
  const world::World overlapping = parse(
      "rooms: [{from: [0, 0], to: [4, 3]}, {from: [4, 0], to: [8, 3]}]\n"
      "walls: [{points: [[1, 0], [7, 0]]}, {points: [[4, 2], [4, 1]]}]");
  // the second room's floor is two triangles
  EXPECT_EQ(two.triangles.size(), one.triangles.size() + 2);
  EXPECT_EQ(overlapping.triangles.size(), two.triangles.size());
}

TEST(WorldYaml, TheFirstOfTwoWallsCounts) {
  const world::World world = parse(
      "floors: [{from: [-9, -9], to: [9, 9]}]\nwalls:\n  - {points: [[0, 0], [2, 0]], material: glass}\n"
      "  - {points: [[3, 0], [-1, 0]], material: wood, thickness_m: 0.3, height_m: 1}");
  EXPECT_EQ(material_seen(world, {1, -1, 0.5}, {0, 1, 0}), "glass");
  EXPECT_EQ(material_seen(world, {1, -1, 2}, {0, 1, 0}), "glass");
  EXPECT_EQ(material_seen(world, {2.5, -1, 0.5}, {0, 1, 0}), "wood");
  EXPECT_EQ(material_seen(world, {-0.5, -1, 0.5}, {0, 1, 0}), "wood");
  EXPECT_EQ(material_seen(world, {2.5, -1, 2}, {0, 1, 0}), "nothing");
}

TEST(WorldYaml, TheFirstOfTwoFloorsCounts) {
  const world::World world = parse(
      "floors:\n  - {from: [0, 0], to: [4, 4], material: wood}\n"
      "  - {from: [2, 2], to: [6, 6], material: carpet}\n"
      "  - {from: [1, 1], to: [3, 3], material: stone}");
  EXPECT_NEAR(floor_area(world), 16 + 12, 1e-9);
  EXPECT_EQ(material_seen(world, {3, 3, 1}, {0, 0, -1}), "wood");
  EXPECT_EQ(material_seen(world, {5, 5, 1}, {0, 0, -1}), "carpet");
}

TEST(WorldYaml, ADoorwayOpensTheWallUpToItsLintel) {
  const world::World world = parse(kRoom + "doorways: [{at: [1, 0], width_m: 1.0, height_m: 2.1}]");
  EXPECT_EQ(look(world, {1, 1, 1}, {0, -1, 0}), kInfinity);
  EXPECT_EQ(look(world, {0.51, 1, 1}, {0, -1, 0}), kInfinity);
  EXPECT_EQ(look(world, {1.49, 1, 2.09}, {0, -1, 0}), kInfinity);
  EXPECT_NEAR(look(world, {0.49, 1, 1}, {0, -1, 0}), 1 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, {1.51, 1, 1}, {0, -1, 0}), 1 - 0.075, 1e-9);
  EXPECT_NEAR(look(world, {1, 1, 2.2}, {0, -1, 0}), 1 - 0.075, 1e-9);
}

TEST(WorldYaml, AWindowHasASillAndAPane) {
  const world::World world = parse(kRoom + "windows: [{at: [2, 3], width_m: 1.2, sill_m: 0.9, height_m: 1.2}]");
  EXPECT_EQ(material_seen(world, {2, 1, 0.8}, {0, 1, 0}), "plaster");
  EXPECT_EQ(material_seen(world, {2, 1, 1.5}, {0, 1, 0}), "glass");
  EXPECT_EQ(material_seen(world, {2, 1, 2.2}, {0, 1, 0}), "plaster");
}

TEST(WorldYaml, AnOpenLeafLeavesTheWholeDoorway) {
  for (const char* hinge : {"east", "west"}) {
    for (const char* swings : {"north", "south"}) {
      const world::World world = parse(kRoom + "doorways: [{at: [2, 0], door: {name: d, hinge: " + hinge +
                                       ", swings: " + swings + ", opens_deg: 90}}]");
      ASSERT_EQ(world.doors.size(), 1u);
      const world::Door& door = world.doors[0];
      EXPECT_TRUE(door.open);
      const double side = std::string(hinge) == "east" ? 1 : -1, up = std::string(swings) == "north" ? 1 : -1;
      const Vec2 open = door.hinge + unit_vector(door.open_angle) * door.width;
      const Vec2 closed = door.hinge + unit_vector(door.closed_angle) * door.width;
      EXPECT_NEAR(door.hinge.x, 2 + side * (0.5 + door.thickness / 2), 1e-9);
      EXPECT_NEAR(open.x, door.hinge.x, 1e-9);
      EXPECT_NEAR(open.y, door.hinge.y + up * door.width, 1e-9);
      EXPECT_NEAR(closed.x, 2 - side * 0.5, 1e-9);
      EXPECT_GT(up * door.hinge.y, 0);
    }
  }
}

TEST(WorldYaml, ATableIsHollowAndAChairHasABack) {
  const world::World world = parse(
      "floors: [{from: [-5, -5], to: [5, 5]}]\ntables: [{at: [0, 0], size_m: [2, 1]}]\n"
      "chairs: [{at: [0, 3], heading_deg: 90}]");
  EXPECT_EQ(look(world, {-2, 0, 0.4}, {1, 0, 0}), kInfinity);
  EXPECT_NEAR(look(world, {-2, 0, 0.73}, {1, 0, 0}), 1, 1e-9);
  EXPECT_NEAR(look(world, {-2, 0.48, 0.4}, {1, 0, 0}), 1, 1e-9);
  EXPECT_EQ(look(world, {-2, 3, 0.7}, {1, 0, 0}), kInfinity);
  EXPECT_NEAR(look(world, {0, 2, 0.7}, {0, 1, 0}), 1 - 0.225, 1e-9);
}

TEST(WorldYaml, NothingOfASolidCountsAsFloor) {
  const world::World world = parse("floors: [{from: [0, 0], to: [1, 1]}]\nboxes: [{at: [5, 5], size_m: [2, 2]}]");
  EXPECT_NEAR(floor_area(world), 1, 1e-9);
  // and the plan view finds something low inside it, though its top may be above the robot
  const bool low_face = std::any_of(world.triangles.begin(), world.triangles.end(), [](const world::Triangle& t) {
    return t.a.z == t.b.z && t.b.z == t.c.z && t.a.z > 0.02 && t.a.z < 0.1;
  });
  EXPECT_TRUE(low_face);
}

TEST(WorldYaml, SlantedCornersAreClosed) {
  const world::World world = parse(
      "floors: [{from: [-9, -9], to: [9, 9]}]\n"
      "walls: [{points: [[-3, 0], [0, 0], [2, 2], [2, 5]], thickness_m: 0.3}]");
  // rays from below meet a wall at once all around the corner
  for (double x = -2.5; x < 1.5; x += 0.01) EXPECT_LT(look(world, {x, -2, 1}, {0, 1, 0}), 2 + std::max(0.0, x)) << x;
}

TEST(WorldYaml, OwnMaterialsAreKept) {
  const world::World world = parse(
      "floor_material: moss\nmaterials: [{name: moss, colour: [0.1, 0.5, 0.2], sonar: "
      "{reflection_angle_deg: 90, slope_deg_per_m: 1, range_deg: 10}}]\n" +
      kRoom);
  const auto moss = std::find_if(world.materials.begin(), world.materials.end(),
                                 [](const world::Material& m) { return m.name == "moss"; });
  ASSERT_NE(moss, world.materials.end());
  EXPECT_EQ(moss->green, 0.5);
  EXPECT_NEAR(moss->reflection_angle, kPi / 2, 1e-12);
  EXPECT_NEAR(moss->reflection_range, kPi / 18, 1e-12);
}

TEST(WorldYaml, BadInputIsNamed) {
  EXPECT_EQ(complaint("name: nothing"), "w.world.yaml describes a world without floor, but needs floors or rooms");
  EXPECT_EQ(complaint(kRoom + "boxs: []"),
            "w.world.yaml:2: the file has the unknown key \"boxs\"; the nearest known one is \"boxes\"");
  EXPECT_EQ(complaint(kRoom + "boxes: [{at: [1, 1], size_m: [0, 1]}]"),
            "w.world.yaml:2: boxes[0].size_m is 0, but must lie between 0.005 and 4000");
  EXPECT_EQ(complaint(kRoom + "boxes: [{at: [1, .nan], size_m: [1, 1]}]"),
            "w.world.yaml:2: boxes[0].at is .nan, but must be a finite number");
  EXPECT_EQ(complaint(kRoom + "boxes: [{at: [1, 1]}]"), "w.world.yaml:2: boxes[0].size_m is missing");
  EXPECT_EQ(complaint(kRoom + "boxes: [{at: [1, 1], size_m: [1, 1], material: wod}]"),
            "w.world.yaml:2: boxes[0].material is \"wod\", which is not a known material; the nearest known one is "
            "\"wood\"");
  EXPECT_EQ(complaint(kRoom + "doorways: [{at: [2, 1.5]}]"),
            "w.world.yaml:2: doorways[0].at is [2, 1.5]: the opening lies on no wall, but must lie on the centre line "
            "of one");
  EXPECT_EQ(complaint(kRoom + "doorways: [{at: [0.2, 0]}]"),
            "w.world.yaml:2: doorways[0].at is [0.2, 0]: the opening reaches beyond the end of its wall, but must fit "
            "into it");
  EXPECT_EQ(complaint(kRoom + "doorways: [{at: [2, 0], height_m: 3}]"),
            "w.world.yaml:2: doorways[0].at is [2, 0]: the opening reaches up to 3 m, but its wall is only 2.8 m high");
  EXPECT_EQ(complaint(kRoom + "doorways: [{at: [2, 0]}, {at: [2.5, 0]}]"),
            "w.world.yaml:2: doorways[1].at is [2.5, 0]: the opening overlaps another opening of the same wall");
  EXPECT_EQ(complaint(kRoom + "doorways: [{at: [2, 0], door: {name: d, hinge: north, swings: north}}]"),
            "w.world.yaml:2: doorways[0].door.hinge is north and swings north, but must name a side of the doorway and "
            "a side of the wall");
  EXPECT_EQ(complaint(kRoom + "doors: [{name: d, hinge: [1, 1]}, {name: d, hinge: [2, 2]}]"),
            "w.world.yaml:2: doors[1].name is \"d\", but another door has this name already");
  EXPECT_EQ(complaint("rooms: [{from: [0, 0], to: [4, 0]}]"),
            "w.world.yaml:1: rooms[0].to is the same as from in x or in y, but both must differ");
  EXPECT_EQ(complaint("rooms: [{from: [0, 0], to: [4, 1], sides: [up]}]"),
            "w.world.yaml:1: rooms[0].sides has \"up\", but must be a list of east, north, west or south");
  EXPECT_EQ(complaint(kRoom + "walls: [{points: [[0, 0]]}]"),
            "w.world.yaml:2: walls[0].points must have at least two points");
  EXPECT_EQ(complaint("materials: [{name: m, colour: [1, 2, 0]}]"),
            "w.world.yaml:1: materials[0].colour is 2, but must lie between 0 and 1");
}

TEST(WorldYaml, AMultiplyingFileIsStopped) {
  // a hundred references to a list of a thousand tables each would be cheap to write
  std::string text = kRoom + "tables:\n  - &t {at: [1, 1]}\n";
  for (int i = 0; i < 19990; ++i) text += "  - *t\n";
  EXPECT_NE(complaint(text).find("a world may have 1000000 triangles"), std::string::npos) << complaint(text);
}

TEST(WorldFile, TheEndingDecides) {
  const test::TempFolder folder;
  EXPECT_EQ(
      load_world(folder.write("a.txt", "")).error().message,
      folder.file("a.txt") + " has an unknown ending, but must be a .world.yaml, a .yaml of a ROS map, or a .glb");
  EXPECT_EQ(load_world(folder.file("no.world.yaml")).error().message, folder.file("no.world.yaml") + " does not exist");
  EXPECT_TRUE(load_world(folder.write("a.world.yaml", kRoom)));
}

TEST(WorldFile, AWorldTooLargeToPlanInIsRefused) {
  const test::TempFolder folder;
  const std::string path = folder.write("a.world.yaml", "floors: [{from: [0, 0], to: [1000, 500]}]");
  EXPECT_EQ(load_world(path).error().message, path + " spans 1000 × 500 m, but must cover at most 250000 m²");
}

TEST(WorldFile, AWorldWithoutANameIsCalledLikeItsFile) {
  const test::TempFolder folder;
  EXPECT_EQ(load_world(folder.write("two.world.yaml", kRoom))->name, "two");
}

TEST(WorldFile, TheOfficeHasRoomsDoorsAndSeveralMaterials) {
  const auto world = load_world(*io::find_file(io::FileKind::world, "bonn-office"));
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_GE(world->doors.size(), 10u);
  std::set<double> acoustics;
  for (const world::Material& m : world->materials) acoustics.insert(m.reflection_angle);
  EXPECT_GE(acoustics.size(), 6u);
  // the corridor is free at every height from end to end
  for (const double z : {0.1, 0.4, 0.73, 1.1}) EXPECT_GT(look(*world, {0.5, 1.25, z}, {1, 0, 0}), 26);
  // and at least 2.2 m wide
  EXPECT_GE(look(*world, {4.5, 1.25, 0.4}, {0, 1, 0}) + look(*world, {4.5, 1.25, 0.4}, {0, -1, 0}), 2.2);
}

TEST(WorldFile, TheMuseumIsALargeHall) {
  const auto world = load_world(*io::find_file(io::FileKind::world, "museum"));
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_GT(floor_area(*world), 1000);
}

}  // namespace
}  // namespace forerun::atlas
