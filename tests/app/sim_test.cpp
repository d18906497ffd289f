// `forerun sim`, run as a user would.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {"goals",      "goals_reached",          "collisions",       "path_length_m",
                                        "duration_s", "mean_driving_speed_mps", "real_time_factor", "state_hash"};

std::vector<std::string> delivery(const std::string& level, int seed) {
  return {"sim", "--scenario", "office-delivery", "--reality", level, "--seed", std::to_string(seed), "--json", "-"};
}

std::string hash_of(const Outcome& outcome) { return expect_json(outcome.out, kKeys)["state_hash"]; }

TEST(SimCommand, DeliversToAllFiveOfficesWithoutCollision) {
  const Outcome outcome = run_forerun(delivery("noisy", 1));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_EQ(result["goals"], 5);
  EXPECT_EQ(result["goals_reached"], 5);
  EXPECT_EQ(result["collisions"], 0);
  EXPECT_TRUE(result["collisions"].is_number_integer());
  EXPECT_GT(result["path_length_m"], 73);
  EXPECT_LT(result["path_length_m"], 89);
  EXPECT_GT(result["mean_driving_speed_mps"], 0.30);
  EXPECT_LT(result["mean_driving_speed_mps"], 0.40);
  EXPECT_EQ(result["state_hash"].get<std::string>().size(), 16u);
}

TEST(SimCommand, DrivesByItsOwnLocalization) {
  std::vector<std::string> arguments = delivery("noisy", 1);
  arguments.emplace_back("--localize");
  const Outcome outcome = run_forerun(arguments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> keys = kKeys;
  keys.insert(keys.end(), {"localization_rmse_m", "localization_max_m"});
  const auto result = expect_json(outcome.out, keys);
  EXPECT_EQ(result["goals_reached"], 5);
  EXPECT_EQ(result["collisions"], 0);
  EXPECT_GT(result["localization_rmse_m"].get<double>(), 0.005) << "it is not given the truth";
  EXPECT_LT(result["localization_rmse_m"].get<double>(), 0.1);
  EXPECT_LT(result["localization_max_m"].get<double>(), 0.3);
}

TEST(SimCommand, OnRoughGroundNobodyLocalizes) {
  expect_bad_input(run_forerun({"sim", "--scenario", "kenaf-course", "--localize"}), {"rough ground", "level floor"});
}

TEST(SimCommand, SameSeedSameHashAndAnotherSeedAnother) {
  const std::string first = hash_of(run_forerun(delivery("noisy", 3)));
  EXPECT_EQ(hash_of(run_forerun(delivery("noisy", 3))), first);
  EXPECT_NE(hash_of(run_forerun(delivery("noisy", 4))), first);
  EXPECT_NE(hash_of(run_forerun(delivery("exact", 3))), first);
}

TEST(SimCommand, WritesPictureLogAndResultOnlyWhereTold) {
  const TempFolder folder;
  const Outcome outcome =
      run_forerun({"sim", "--scenario", "office-delivery", "--svg", "a.svg", "--log", "a.csv", "--json", "a.json"},
                  {.folder = folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.csv", "a.json", "a.svg"}));
  EXPECT_NE(outcome.out.find("5 of 5 goals"), std::string::npos) << outcome.out;
  expect_json(folder.read("a.json"), kKeys);
  EXPECT_NE(folder.read("a.svg").find("<svg"), std::string::npos);
  EXPECT_NE(folder.read("a.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(folder.read("a.csv").rfind("t_s,", 0), 0u);
}

TEST(SimCommand, CtrlCEndsItWithNothingHalfWritten) {
  const TempFolder folder;
  const Outcome outcome =
      run_forerun({"sim", "--scenario", "office-delivery", "--pace", "1", "--svg", "a.svg", "--log", "a.csv"},
                  {.folder = folder.path(), .interrupt_after_s = 1.5});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

// A scenario in a room of 6 m × 4 m with a closed cell beside it, where one line can be changed.
class SimBadInput : public testing::Test {
 protected:
  Outcome run(const std::string& from, const std::string& to) {
    std::string text =
        "world: room.world.yaml\nrobot: turtle\nstart: [1, 2, 0]\ngoals:\n  - {at: [5, 2]}\ntime_limit_s: 60\n";
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    folder_.write("s.yaml", text);
    folder_.write("room.world.yaml", "rooms:\n  - {from: [0, 0], to: [6, 4]}\n  - {from: [6, 0], to: [9, 4]}\n");
    folder_.write("air.world.yaml", "walls:\n  - {points: [[0, 0], [6, 0]]}\n");
    const Outcome outcome =
        run_forerun({"sim", "--scenario", "s.yaml", "--json", "out.json", "--log", "out.csv", "--svg", "out.svg"},
                    {.folder = folder_.path()});
    if (outcome.exit_code != 0) {
      EXPECT_EQ(folder_.names(), (std::vector<std::string>{"air.world.yaml", "room.world.yaml", "s.yaml"}));
    }
    return outcome;
  }

  TempFolder folder_;
};

TEST_F(SimBadInput, TheUnchangedScenarioRuns) {
  const Outcome outcome = run("time_limit_s: 60", "time_limit_s: 60");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(SimBadInput, MissingFiles) {
  expect_bad_input(run_forerun({"sim", "--scenario", "no-such.yaml"}), {"no-such.yaml"});
  expect_bad_input(run("room.world.yaml", "none.world.yaml"), {"s.yaml", "none.world.yaml"});
  expect_bad_input(run("turtle", "turtel"), {"turtel", "turtle"});
}

TEST_F(SimBadInput, UnknownKeyNamesTheNearest) {
  expect_bad_input(run("time_limit_s", "time_limt_s"), {"s.yaml:6", "time_limt_s", "time_limit_s"});
}

TEST_F(SimBadInput, ValuesOutOfRange) {
  expect_bad_input(run("time_limit_s: 60", "time_limit_s: -1"), {"s.yaml:6", "time_limit_s", "-1"});
  expect_bad_input(run("[5, 2]}", "[5, 2], wait_s: -4}"), {"wait_s", "-4"});
  expect_bad_input(run("time_limit_s: 60", "time_limit_s: long"), {"time_limit_s", "long"});
}

TEST_F(SimBadInput, NotANumberAnywhere) {
  expect_bad_input(run("[1, 2, 0]", "[.nan, 2, 0]"), {"start"});
  expect_bad_input(run("[5, 2]", "[5, nan]"), {"at"});
  expect_bad_input(run("time_limit_s: 60", "time_limit_s: .inf"), {"time_limit_s"});
}

TEST_F(SimBadInput, GoalInsideAWallIsWrongAndOutOfReachIsImpossible) {
  expect_bad_input(run("[5, 2]", "[5.99, 2]"), {"goal"});
  expect_complaint(run("[5, 2]", "[7.5, 2]"), 1, {"goal"});
}

TEST_F(SimBadInput, StartInsideAWall) { expect_bad_input(run("[1, 2, 0]", "[0, 2, 0]"), {"start"}); }

TEST_F(SimBadInput, WorldWithoutFloor) { expect_bad_input(run("room.world.yaml", "air.world.yaml"), {"floor"}); }

TEST_F(SimBadInput, UnknownLevelNamesTheKnownOnes) {
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--reality", "calm"}),
                   {"calm", "exact", "crowded"});
}

}  // namespace
}  // namespace forerun::test
