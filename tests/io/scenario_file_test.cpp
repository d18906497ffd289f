#include "forerun/io/scenario_file.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

const std::string kHead = "world: w\nrobot: r\nstart: [1, 2, 0.5]\n";

std::string complaint(const std::string& text) {
  const auto scenario = parse_scenario(text, "s.yaml");
  return scenario ? "none" : scenario.error().message;
}

TEST(ScenarioFile, ReadsEverything) {
  const auto s = parse_scenario(kHead + R"(
name: a day
goals:
  - {name: first, at: [3, 4], wait_s: 17}
  - {at: [5, 6]}
doors:
  - {door: d, close_at_s: 10, open_at_s: 20}
time_limit_s: 100
)",
                                "s.yaml");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->name, "a day");
  EXPECT_EQ(s->world, "w");
  EXPECT_EQ(s->start, (Pose2{1, 2, 0.5}));
  ASSERT_EQ(s->goals.size(), 2u);
  EXPECT_EQ(s->goals[0].name, "first");
  EXPECT_EQ(s->goals[0].wait, 17);
  EXPECT_EQ(s->goals[1].name, "goal 2");
  EXPECT_EQ(s->goals[1].position, (Vec2{5, 6}));
  ASSERT_EQ(s->doors.size(), 1u);
  EXPECT_EQ(s->doors[0].open_at, 20);
  EXPECT_EQ(s->time_limit, 100);
}

TEST(ScenarioFile, BadInputIsNamed) {
  EXPECT_EQ(complaint(kHead), "s.yaml:1: goals is missing");
  EXPECT_EQ(complaint(kHead + "goals: []"), "s.yaml:4: goals is empty, but must have at least one goal");
  EXPECT_EQ(complaint(kHead + "gaols: []"),
            "s.yaml:4: the file has the unknown key \"gaols\"; the nearest known one is \"goals\"");
  EXPECT_EQ(complaint(kHead + "goals: [{at: [1, nan]}]"), "s.yaml:4: goals[0].at is nan, but must be a finite number");
  EXPECT_EQ(complaint(kHead + "goals: [{at: [1, 2], wait_s: -1}]"),
            "s.yaml:4: goals[0].wait_s is -1, but must lie between 0 and 86400");
  EXPECT_EQ(complaint(kHead + "goals: [{at: [1, 2]}]\ndoors: [{door: d, close_at_s: 5, open_at_s: 5}]"),
            "s.yaml:5: doors[0].open_at_s is 5, but must differ from close_at_s");
}

TEST(ScenarioFile, NamesAreReplacedByFiles) {
  const test::TempFolder folder;
  const std::string world = folder.write("worlds/w.world.yaml", "");
  const std::string robot = folder.write("robots/r.yaml", "");
  const std::string path = folder.write("scenarios/s.yaml", kHead + "goals: [{at: [0, 0]}]");
  const auto s = load_scenario(path);
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->world, world);
  EXPECT_EQ(s->robot, robot);
}

TEST(ScenarioFile, AnUnknownWorldIsNamed) {
  const test::TempFolder folder;
  const std::string path =
      folder.write("s.yaml", "world: bonn-ofice\nrobot: rhino\nstart: [0, 0, 0]\ngoals: [{at: [0, 0]}]");
  EXPECT_EQ(load_scenario(path).error().message,
            path +
                ": world \"bonn-ofice\" is neither a file nor the name of a world; the nearest known name is "
                "\"bonn-office\"");
}

TEST(ScenarioFile, DoorsMustExist) {
  world::World world;
  world.doors.emplace_back();
  world.doors[0].name = "kitchen";
  sim::Scenario scenario;
  scenario.doors.push_back({"kitchen", 1, 2});
  EXPECT_TRUE(check_doors(scenario, world, "s.yaml"));
  scenario.doors.push_back({"kichen", 1, 2});
  EXPECT_EQ(check_doors(scenario, world, "s.yaml").error().message,
            "s.yaml: doors names \"kichen\", but the world has no such door; the nearest known one is \"kitchen\"");
}

TEST(ScenarioFile, TheReadyMadeOnesFitTheirWorlds) {
  for (const char* name : {"office-delivery", "museum-tour"}) {
    const auto path = find_file(FileKind::scenario, name);
    ASSERT_TRUE(path);
    const auto scenario = load_scenario(*path);
    ASSERT_TRUE(scenario) << scenario.error().message;
    const auto world = atlas::load_world(scenario->world);
    ASSERT_TRUE(world) << world.error().message;
    EXPECT_TRUE(check_doors(*scenario, *world, *path));
    const Box2 box = world::bounds(*world);
    EXPECT_TRUE(box.contains(scenario->start.position()));
    for (const sim::Goal& goal : scenario->goals) EXPECT_TRUE(box.contains(goal.position)) << goal.name;
  }
}

TEST(ScenarioFile, TheDeliveryVisitsFiveOffices) {
  const auto scenario = load_scenario(*find_file(FileKind::scenario, "office-delivery"));
  ASSERT_TRUE(scenario);
  ASSERT_EQ(scenario->goals.size(), 5u);
  for (const sim::Goal& goal : scenario->goals) EXPECT_EQ(goal.wait, 17);
}

}  // namespace
}  // namespace forerun::io
