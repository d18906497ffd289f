// `forerun plan`, run as a user would.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kPlanKeys = {"reachable",          "path_length_m", "cost",         "expanded_cells",
                                            "value_iteration_ms", "path",          "target_points"};
const std::vector<std::string> kGridKeys = {"scenarios", "solved", "matched", "worst_relative_error",
                                            "value_iteration_ms"};

// Two rooms with a door between them, and a third room without one; coordinates on both sides of zero.
constexpr const char* kRooms =
    "name: rooms\n"
    "rooms:\n"
    "  - {from: [-6, -3], to: [0, 3]}\n"
    "  - {from: [0, -3], to: [6, 3]}\n"
    "  - {from: [6, -3], to: [10, 3]}\n"
    "doorways:\n"
    "  - {at: [0, 0], width_m: 1.2}\n";

TEST(PlanCommand, PlansThroughAReadyWorld) {
  const TempFolder folder;
  const Outcome outcome = run_forerun({"plan", "--world", "bonn-office", "--from", "11.3,5.0", "--to", "12.0,-2.8",
                                       "--json", "-", "--svg", folder.file("plan.svg")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto plan = expect_json(outcome.out, kPlanKeys);
  EXPECT_EQ(plan["reachable"], true);
  EXPECT_GT(plan["path_length_m"], 7.8);
  EXPECT_LT(plan["path_length_m"], 15);
  EXPECT_GE(plan["cost"], plan["path_length_m"].get<double>() - 0.2);
  EXPECT_EQ(plan["path"].front(), (nlohmann::ordered_json{11.3, 5.0}));
  EXPECT_EQ(plan["path"].back(), (nlohmann::ordered_json{12.0, -2.8}));
  EXPECT_GE(plan["target_points"].size(), 2u);
  EXPECT_NE(folder.read("plan.svg").find("<svg"), std::string::npos);
}

TEST(PlanCommand, SaysInWordsWhatItFound) {
  const TempFolder folder;
  const std::string world = folder.write("rooms.world.yaml", kRooms);
  const Outcome outcome = run_forerun({"plan", "--world", world, "--from", "-3,1", "--to", "-1,-.5"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" m through "), std::string::npos) << outcome.out;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"rooms.world.yaml"}));
}

TEST(PlanCommand, TakesNegativeCoordinatesHoweverTheyAreWritten) {
  const TempFolder folder;
  const std::string world = folder.write("rooms.world.yaml", kRooms);
  for (const std::vector<std::string>& points :
       {std::vector<std::string>{"--from", "-1,2", "--to", "-.9,-2"}, {"--from=-1,2", "--to=-1,-2e0"}}) {
    std::vector<std::string> arguments{"plan", "--world", world, "--json", "-"};
    arguments.insert(arguments.end(), points.begin(), points.end());
    const Outcome outcome = run_forerun(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NEAR(expect_json(outcome.out, kPlanKeys)["path_length_m"].get<double>(), 4.0, 0.6);
  }
}

TEST(PlanCommand, ComplainsAboutPlacesWhereNoRobotCanStand) {
  const TempFolder folder;
  const std::string world = folder.write("rooms.world.yaml", kRooms);
  const auto plan = [&](const std::string& from, const std::string& to) {
    return run_forerun({"plan", "--world", world, "--from", from, "--to", to, "--json", folder.file("plan.json")});
  };
  expect_bad_input(plan("-3,0", "0,2"), {"--to (0, 2)", "wall"});
  expect_bad_input(plan("0,2", "-3,0"), {"--from (0, 2)", "wall"});
  expect_bad_input(plan("-3,0", "-3,2.8"), {"--to (-3, 2.8)", "too near"});
  expect_bad_input(plan("-3,0", "50,0"), {"--to (50, 0)", "outside"});
  expect_bad_input(plan("-3,0", "1e200,0"), {"--to", "outside"});
  expect_bad_input(plan("-3,0", "3"), {"--to", "3"});
  expect_bad_input(plan("-3,nan", "3,0"), {"--from", "-3,nan"});
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"rooms.world.yaml"}));
}

TEST(PlanCommand, OutOfReachIsNotBadInput) {
  const TempFolder folder;
  const std::string world = folder.write("rooms.world.yaml", kRooms);
  const Outcome outcome =
      run_forerun({"plan", "--world", world, "--from", "-3,0", "--to", "8,0", "--svg", folder.file("plan.svg")});
  expect_complaint(outcome, 1, {"(8.00, 0.00)", "cannot be reached", "(-3.00, 0.00)"});
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"rooms.world.yaml"}));
}

TEST(PlanCommand, ComplainsAboutOptionsThatDoNotFit) {
  expect_bad_input(run_forerun({"plan"}), {"--world", "--grid"});
  expect_bad_input(run_forerun({"plan", "--world", "bonn-office", "--from", "1,1"}), {"--to"});
  expect_bad_input(run_forerun({"plan", "--grid", "a.map"}), {"--scenarios"});
  expect_bad_input(run_forerun({"plan", "--grid", "a.map", "--scenarios", "a.scen", "--world", "museum"}), {"--grid"});
  expect_bad_input(run_forerun({"plan", "--wolrd", "museum"}), {"--wolrd", "--world"});
  expect_bad_input(run_forerun({"plan", "--world", "museum", "--robot", "rhion", "--from", "1,1", "--to", "2,2"}),
                   {"rhion"});
}

constexpr const char* kMap = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";

TEST(PlanCommand, SolvesTheProblemsOfAGridMap) {
  const TempFolder folder;
  const std::string map = folder.write("a.map", kMap);
  // the last but one is wrong by a tenth
  const std::string problems = folder.write("a.scen",
                                            "version 1\n"
                                            "0\ta.map\t4\t3\t0\t0\t3\t0\t3\n"
                                            "0\ta.map\t4\t3\t0\t0\t3\t2\t5\n"
                                            "0\ta.map\t4\t3\t0\t1\t3\t1\t5.5\n"
                                            "0\ta.map\t4\t3\t2\t2\t2\t2\t0\n");
  const Outcome outcome = run_forerun({"plan", "--grid", map, "--scenarios", problems, "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, kGridKeys);
  EXPECT_EQ(result["scenarios"], 4);
  EXPECT_EQ(result["solved"], 4);
  EXPECT_EQ(result["matched"], 3);
  EXPECT_NEAR(result["worst_relative_error"].get<double>(), 0.5 / 5.5, 1e-9);
  EXPECT_GE(result["value_iteration_ms"], 0);
}

TEST(PlanCommand, BadGridFilesAreOneSentence) {
  const TempFolder folder;
  const std::string map = folder.write("a.map", kMap);
  const std::string problems = folder.write("a.scen", "version 1\n0\ta.map\t4\t3\t0\t0\t9\t0\t3\n");
  expect_bad_input(run_forerun({"plan", "--grid", folder.file("none.map"), "--scenarios", problems}), {"none.map"});
  expect_bad_input(run_forerun({"plan", "--grid", problems, "--scenarios", problems}), {"a.scen"});
  expect_bad_input(run_forerun({"plan", "--grid", map, "--scenarios", folder.file("none.scen")}), {"none.scen"});
  expect_bad_input(run_forerun({"plan", "--grid", map, "--scenarios", problems}), {"a.scen:2"});
}

}  // namespace
}  // namespace forerun::test
