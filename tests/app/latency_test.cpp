// `forerun latency`, run as a user would, on drives of the simulated robot and on recorded ones.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/app/expectations.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {
    "delay_v_s",    "delay_w_s",    "lag_v_s",   "lag_w_s",   "delay_v_ci95_s", "delay_w_ci95_s", "enough_excitation",
    "lag_v_ci95_s", "lag_w_ci95_s", "shift_v_s", "shift_w_s", "gain_v",         "gain_w",         "n_poses_v",
    "n_poses_w",    "why_not_v",    "why_not_w"};

class LatencyCommand : public testing::Test {
 protected:
  Outcome latency(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "latency");
    return run_forerun(std::move(arguments), {.folder = folder_.path()});
  }

  nlohmann::ordered_json measure(const std::string& log) {
    const Outcome outcome = latency({log, "--json", "-"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return expect_json(outcome.out, kKeys);
  }

  // A log of these rows, one in each twentieth of a second.
  template <class Row>
  void write(const std::string& file, int n, Row row) {
    std::string text = "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n";
    for (int i = 0; i < n; ++i) text += std::to_string(i * 0.05) + "," + row(i) + "\n";
    folder_.write(file, text);
  }

  TempFolder folder_;
};

TEST_F(LatencyCommand, DrivesAndMeasuresAndTheLogSaysTheSame) {
  const Outcome driven = latency({"--drive", "--delay-ms", "180", "--lag-ms", "100", "--seed", "4", "--log",
                                  "drive.csv", "-o", "nav2.yaml", "--report", "page.html", "--json", "-"});
  ASSERT_EQ(driven.exit_code, 0) << driven.err;
  std::vector<std::string> keys = kKeys;
  keys.insert(keys.end(), {"true_delay_s", "true_lag_s"});
  const auto result = expect_json(driven.out, keys);
  EXPECT_TRUE(result["enough_excitation"].get<bool>());
  for (const std::string axis : {"v", "w"}) {
    EXPECT_NEAR(result["delay_" + axis + "_s"].get<double>(), 0.18, 0.005);
    EXPECT_NEAR(result["lag_" + axis + "_s"].get<double>(), 0.1, 0.01);
    EXPECT_LT(result["delay_" + axis + "_ci95_s"][0], result["delay_" + axis + "_s"]);
    EXPECT_GT(result["delay_" + axis + "_ci95_s"][1], result["delay_" + axis + "_s"]);
  }
  const auto again = measure("drive.csv");
  EXPECT_NEAR(again["delay_v_s"].get<double>(), result["delay_v_s"].get<double>(), 1e-4);
  EXPECT_NEAR(again["delay_w_s"].get<double>(), result["delay_w_s"].get<double>(), 1e-4);
  EXPECT_NE(folder_.read("nav2.yaml").find("\nmodel_delay_vx: 0.1"), std::string::npos);
  EXPECT_NE(folder_.read("nav2.yaml").find("\nmodel_delay_wz: 0.1"), std::string::npos);
  const std::string page = folder_.read("page.html");
  EXPECT_NE(page.find(" ms later"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  const Outcome words = latency({"drive.csv"});
  EXPECT_EQ(words.exit_code, 0);
  EXPECT_NE(words.out.find("translation: delay 1"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("model_delay_vx: 0.1"), std::string::npos) << words.out;
}

TEST_F(LatencyCommand, WhatTheDriveDoesNotShowIsNullAndSaid) {
  const auto stands = [](int i) { return "1,2,3," + std::string(i % 20 < 10 ? "0.3" : "0") + ",0"; };
  write("stands.csv", 800, stands);
  const Outcome outcome = latency({"stands.csv", "--json", "-", "--report", "page.html"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_FALSE(result["enough_excitation"].get<bool>());
  for (const char* name : {"delay_v_s", "lag_v_s", "delay_v_ci95_s", "delay_w_s", "lag_w_s", "delay_w_ci95_s"}) {
    EXPECT_TRUE(result[name].is_null()) << name;
  }
  EXPECT_NE(outcome.err.find("translation is not known: what was seen does not follow"), std::string::npos);
  EXPECT_NE(outcome.err.find("rotation is not known: no motion was commanded"), std::string::npos);
  EXPECT_NE(folder_.read("page.html").find("Not known"), std::string::npos);

  const Outcome words = latency({"stands.csv"});
  EXPECT_EQ(words.exit_code, 0);
  EXPECT_NE(words.out.find("rotation: not known: no motion was commanded"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("# model_delay_wz is not known"), std::string::npos) << words.out;

  write("short.csv", 60, stands);
  EXPECT_EQ(latency({"short.csv"}).exit_code, 0);
  EXPECT_FALSE(measure("short.csv")["enough_excitation"].get<bool>());
}

TEST_F(LatencyCommand, BadInputIsOneSentence) {
  folder_.write("empty.csv", "");
  folder_.write("poses.csv", "t_s,x_m,y_m,theta_rad\n0,0,0,0\n0.1,0,0,0\n");
  folder_.write("silent.csv", "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n0,0,0,0,,\n0.1,0,0,0,,\n");
  folder_.write("nan.csv", "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n0,0,0,0,0,0\n0.1,nan,0,0,0,0\n");
  folder_.write("back.csv", "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n1,0,0,0,0,0\n0.5,0,0,0,0,0\n");
  write("good.csv", 20, [](int) { return "0,0,0,0,0"; });
  expect_bad_input(latency({}), {"logs", "--drive"});
  expect_bad_input(latency({"nowhere.csv"}), {"nowhere.csv"});
  expect_bad_input(latency({"empty.csv"}), {"empty.csv", "empty"});
  expect_bad_input(latency({"poses.csv"}), {"poses.csv", "w_cmd_radps"});
  expect_bad_input(latency({"silent.csv"}), {"silent.csv", "no command"});
  expect_bad_input(latency({"nan.csv"}), {"nan.csv", "nan"});
  expect_bad_input(latency({"back.csv"}), {"back.csv", "rise"});
  expect_bad_input(latency({"good.csv", "--drive"}), {"--drive"});
  expect_bad_input(latency({"good.csv", "--delay-ms", "100"}), {"--drive"});
  expect_bad_input(latency({"good.csv", "-o", "good.csv"}), {"good.csv"});
  expect_bad_input(latency({"--drive", "--delay-ms", "-5"}), {"--delay-ms"});
  expect_bad_input(latency({"--drive", "--robot", "nobody"}), {"nobody"});
}

TEST_F(LatencyCommand, ARobotThatCannotTurnOnTheSpotIsRefused) {
  folder_.write(
      "car.yaml",
      "name: car\nheight_m: 0.3\nfootprint: {radius_m: 0.3}\ndrive: {type: car, wheel_diameter_m: 0.1, base_m: 0.3, "
      "wheelbase_m: 0.4, steering_limit_rad: 0.5}\n");
  expect_bad_input(latency({"--drive", "--robot", "car.yaml"}), {"car.yaml", "turns on the spot"});
}

// Recorded robots, converted by tools/drive-log; not in the repository.
TEST_F(LatencyCommand, FiveRobotsOfOneKindAgree) {
  const std::string data = test::source_path("../shared/data/mrclam/dataset6/");
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no recordings in " << data;
  for (int i = 1; i <= 5; ++i) {
    const std::string robot = data + "Robot" + std::to_string(i), log = std::to_string(i) + ".csv";
    const Outcome converted = run_process({test::source_path("tools/drive-log"), "mrclam", robot + "_Odometry.dat.gz",
                                           robot + "_Groundtruth.dat.gz", "-o", log},
                                          {.folder = folder_.path()});
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    const auto found = measure(log);
    EXPECT_TRUE(found["enough_excitation"].get<bool>()) << log;
    // a delay that all of them have lies in each interval
    EXPECT_LT(found["delay_v_ci95_s"][0], 0.13) << log;
    EXPECT_GT(found["delay_v_ci95_s"][1], 0.13) << log;
    EXPECT_NEAR(found["delay_w_s"].get<double>(), 0.115, 0.025) << log;
    EXPECT_NEAR(found["shift_v_s"].get<double>(), 0.23, 0.03) << log;
  }
}

}  // namespace
}  // namespace forerun::test
