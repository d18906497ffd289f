// `forerun fit`, run as a user would.
#include <gtest/gtest.h>

#include <filesystem>

#include "forerun/io/robot_file.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {"drives", "test_drives", "error_6s_before_m", "error_6s_after_m", "parameters"};
const std::vector<std::string> kParameters = {
    "max_speed_mps",   "max_turn_rate_radps",      "acceleration_mps2",        "deceleration_mps2",
    "motor_lag_s",     "turn_acceleration_radps2", "turn_deceleration_radps2", "heading_weight",
    "distance_weight", "velocity_weight"};

// A small hall with a few errands, and a drive through it by a robot that is slower than described.
class FitCommand : public testing::Test {
 protected:
  FitCommand() {
    folder_.write("hall.world.yaml",
                  "rooms:\n  - {from: [0, 0], to: [8, 5]}\nwalls:\n  - {points: [[4, 0], [4, 2.5]]}\n");
    folder_.write("errands.yaml",
                  "world: hall.world.yaml\nrobot: turtle\nstart: [1, 1, 0]\ngoals:\n  - {at: [7, 1]}\n"
                  "  - {at: [1, 4]}\n  - {at: [7, 4]}\ntime_limit_s: 200\n");
    drive(1, "seen.csv");
  }

  void drive(int seed, const std::string& log) {
    const Outcome outcome = run_forerun(
        {"sim", "--scenario", "errands.yaml", "--reality", "mismatched", "--seed", std::to_string(seed), "--log", log},
        {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  Outcome fit(std::vector<std::string> arguments, double interrupt_after_s = 0) {
    arguments.insert(arguments.begin(), "fit");
    return run_forerun(std::move(arguments), {.folder = folder_.path(), .interrupt_after_s = interrupt_after_s});
  }

  TempFolder folder_;
};

TEST_F(FitCommand, PredictsAnotherDriveBetterAndWritesACompleteRobot) {
  drive(2, "unseen.csv");
  const Outcome outcome = fit({"seen.csv", "--robot", "turtle", "--world", "hall.world.yaml", "-o", "fitted.yaml",
                               "--test", "unseen.csv", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_EQ(result["drives"], 1);
  EXPECT_EQ(result["test_drives"], 1);
  EXPECT_LT(result["error_6s_after_m"], 0.8 * result["error_6s_before_m"].get<double>());
  EXPECT_EQ(result["parameters"].size(), kParameters.size());
  for (const std::string& name : kParameters) EXPECT_GT(result["parameters"][name], 0) << name;
  EXPECT_NEAR(result["parameters"]["max_speed_mps"].get<double>(), 0.45, 0.02);

  const std::string robot = folder_.read("fitted.yaml");
  for (const char* kept : {"name: turtle", "ticks_per_turn: 2048", "4.71238898038469", "low_m: 0.03"}) {
    EXPECT_NE(robot.find(kept), std::string::npos) << kept << " in: " << robot;
  }
  const auto fitted = io::load_robot(folder_.file("fitted.yaml"));
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->limits.max_speed, result["parameters"]["max_speed_mps"]);
  EXPECT_EQ(fitted->limits.turn_acceleration, result["parameters"]["turn_acceleration_radps2"]);
  EXPECT_EQ(fitted->control.motor_lag, result["parameters"]["motor_lag_s"]);
}

TEST_F(FitCommand, KeepsTheEndOfEachDriveForTestingWhereThereIsNoOther) {
  const Outcome outcome = fit({"seen.csv", "--robot", "turtle", "--world", "hall.world.yaml", "-o", "fitted.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("last third"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("fitted.yaml"), std::string::npos) << outcome.out;
}

TEST_F(FitCommand, AsksForTheWorldWhereTheDriveLiesInAnother) {
  expect_bad_input(fit({"seen.csv", "--robot", "turtle", "-o", "fitted.yaml"}), {"seen.csv", "bonn-office", "--world"});
  EXPECT_FALSE(std::filesystem::exists(folder_.file("fitted.yaml")));
}

TEST_F(FitCommand, BadInput) {
  const std::vector<std::string> names = folder_.names();
  expect_bad_input(fit({"--robot", "turtle", "-o", "fitted.yaml"}), {"logs"});
  expect_bad_input(fit({"seen.csv", "--robot", "turtle"}), {"--output"});
  expect_bad_input(fit({"seen.csv", "-o", "fitted.yaml"}), {"--robot"});
  expect_bad_input(fit({"none.csv", "--robot", "turtle", "-o", "fitted.yaml"}), {"none.csv"});
  expect_bad_input(fit({"seen.csv", "--robot", "turtel", "-o", "fitted.yaml"}), {"turtel", "turtle"});
  expect_bad_input(fit({"seen.csv", "--robot", "turtle", "-o", "no/such/folder/fitted.yaml"}), {"no/such/folder"});
  expect_bad_input(fit({"seen.csv", "--robot", "turtle", "-o", "fitted.yaml", "--test", "none.csv"}), {"none.csv"});
  EXPECT_EQ(folder_.names(), names);
}

TEST_F(FitCommand, DrivesThatTellNothingAreRefused) {
  folder_.write("short.csv", "t_s,x_m,y_m,theta_rad,goal_x_m,goal_y_m\n0,1,1,0,7,1\n1,1.2,1,0,7,1\n");
  expect_bad_input(fit({"short.csv", "--robot", "turtle", "--world", "hall.world.yaml", "-o", "fitted.yaml"}),
                   {"short.csv", "reports"});
  folder_.write("aimless.csv", "t_s,x_m,y_m,theta_rad\n0,1,1,0\n1,1.2,1,0\n");
  expect_bad_input(fit({"aimless.csv", "--robot", "turtle", "--world", "hall.world.yaml", "-o", "fitted.yaml"}),
                   {"aimless.csv", "goal"});
}

TEST_F(FitCommand, CtrlCLeavesNothingHalfWritten) {
  const std::vector<std::string> names = folder_.names();
  std::vector<std::string> arguments(60, "seen.csv");  // so many that it takes more than ten seconds
  for (const char* word :
       {"--robot", "turtle", "--world", "hall.world.yaml", "-o", "fitted.yaml", "--json", "fit.json"}) {
    arguments.emplace_back(word);
  }
  const Outcome outcome = fit(std::move(arguments), 0.6);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(folder_.names(), names);
}

}  // namespace
}  // namespace forerun::test
