// `forerun world`, run as a user would.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kInfoKeys = {"name",      "triangles", "floor_triangles", "low_m", "high_m",
                                            "materials", "doors"};

TEST(WorldCommand, InfoKnowsTheReadyWorlds) {
  for (const char* name : {"bonn-office", "museum"}) {
    const Outcome outcome = run_forerun({"world", "info", name, "--json", "-"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto info = expect_json(outcome.out, kInfoKeys);
    EXPECT_GT(info["triangles"], 100);
    EXPECT_GT(info["floor_triangles"], 1);
    EXPECT_GT(info["materials"].size(), 3u);
  }
}

TEST(WorldCommand, InfoForPeople) {
  const Outcome outcome = run_forerun({"world", "info", "bonn-office"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("triangles"), std::string::npos);
}

TEST(WorldCommand, InfoOfAHandMadeRoom) {
  const TempFolder folder;
  const std::string path = folder.write("a.world.yaml", "name: a\nrooms:\n  - {from: [0, 0], to: [4, 3]}\n");
  const Outcome outcome = run_forerun({"world", "info", path, "--json", folder.file("info.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto info = expect_json(folder.read("info.json"), kInfoKeys);
  EXPECT_EQ(info["name"], "a");
  EXPECT_NEAR(info["high_m"][0].get<double>(), 4, 0.1);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.world.yaml", "info.json"}));
}

TEST(WorldCommand, BadWorldsAreOneSentence) {
  const TempFolder folder;
  const auto info = [&](const std::string& path) { return run_forerun({"world", "info", path}); };
  expect_bad_input(info("no-such-world"), {"no-such-world"});
  expect_bad_input(info(folder.file("missing.world.yaml")), {"missing.world.yaml"});
  expect_bad_input(info(folder.write("key.world.yaml", "rooms:\n  - {form: [0, 0], to: [4, 3]}\n")),
                   {"key.world.yaml:2", "form", "from"});
  expect_bad_input(info(folder.write("nan.world.yaml", "rooms:\n  - {from: [.nan, 0], to: [4, 3]}\n")),
                   {"nan.world.yaml:2", "from"});
  expect_bad_input(info(folder.write("range.world.yaml", "wall_height_m: -3\n")), {"wall_height_m", "-3"});
  expect_bad_input(info(folder.write("air.world.yaml", "walls:\n  - {points: [[0, 0], [1, 0]]}\n")), {"floor"});
  expect_bad_input(info(folder.write("broken.glb", "this is no glTF")), {"broken.glb"});
  folder.write("map.pgm", "not a picture");
  expect_bad_input(info(folder.write("map.yaml",
                                     "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"
                                     "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n")),
                   {"map.pgm"});
}

TEST(WorldCommand, ConvertedWorldIsTheSameWorld) {
  const TempFolder folder;
  const std::string glb = folder.file("office.glb");
  const Outcome converted = run_forerun({"world", "convert", "bonn-office", glb});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  auto before = expect_json(run_forerun({"world", "info", "bonn-office", "--json", "-"}).out, kInfoKeys);
  auto after = expect_json(run_forerun({"world", "info", glb, "--json", "-"}).out, kInfoKeys);
  EXPECT_EQ(before["triangles"], after["triangles"]);
  EXPECT_EQ(before["floor_triangles"], after["floor_triangles"]);
  EXPECT_EQ(before["doors"], after["doors"]);
  EXPECT_NEAR(before["high_m"][0].get<double>(), after["high_m"][0].get<double>(), 1e-4);
}

TEST(WorldCommand, ConvertWritesNothingWhenItFails) {
  const TempFolder folder;
  expect_bad_input(run_forerun({"world", "convert", "bonn-office", folder.file("office.obj")}), {"office.obj", ".glb"});
  expect_bad_input(run_forerun({"world", "convert", "no-such-world", folder.file("a.glb")}), {"no-such-world"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
  const Outcome outcome = run_forerun({"world", "convert", "bonn-office", folder.file("no/such/folder.glb")});
  EXPECT_NE(outcome.exit_code, 0);
}

// A program that was copied away from its data.
TEST(WorldCommand, WhereNoWorldIsKnownTheFoldersSearchedAreNamed) {
  const TempFolder folder;
  std::filesystem::copy_file(forerun_command({}).front(), folder.file("forerun"));
  const Outcome outcome = run_process(
      {"env", "XDG_DATA_DIRS=/nowhere", folder.file("forerun"), "world", "info", "museum"}, {.folder = folder.path()});
  expect_bad_input(outcome, {"\"museum\" is neither a file nor the name of a world; looked in worlds, ",
                             folder.file("share/forerun/worlds"), "/nowhere/forerun/worlds", "FORERUN_DATA"});
}

}  // namespace
}  // namespace forerun::test
