// `forerun train` and `forerun evaluate`, run as a user would, on made-up drives and on recorded robots.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/expectations.hpp"
#include "tests/respond/simulated_robot.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kMethods{"hold", "velocity", "commands", "response", "linear", "network", "best"};

std::string to_csv(const respond::SimulatedDrive& drive) {
  std::string text = "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n";
  std::size_t next = 0;
  char line[160];
  for (const auto& [time, pose] : drive.seen) {
    robot::Twist command = drive.commands.front().command;
    for (next = 0; next < drive.commands.size() && drive.commands[next].time <= time; ++next) {
      command = drive.commands[next].command;
    }
    std::snprintf(line, sizeof line, "%.4f,%.6f,%.6f,%.6f,%.4f,%.4f\n", time, pose.x, pose.y, pose.theta, command.vx,
                  command.w);
    text += line;
  }
  return text;
}

class TrainCommand : public testing::Test {
 protected:
  void write(const std::string& file, const respond::DriveShape& shape) {
    folder_.write(file, to_csv(respond::simulate(shape)));
  }
  Outcome run(std::vector<std::string> arguments) {
    return run_forerun(std::move(arguments), {.folder = folder_.path()});
  }
  // What is wrong is one sentence and exit code 2.
  std::string complaint(std::vector<std::string> arguments) {
    const Outcome outcome = run(std::move(arguments));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  const respond::Response robot_{{0.15, 0.1, 0.95}, {0.15, 0.1, 0.95}, {0.1, 0.05, 1}};
  TempFolder folder_;
};

TEST_F(TrainCommand, LearnsAndIsJudgedOnAnotherDrive) {
  write("a.csv", {.response = robot_, .seconds = 90, .seed = 1});
  write("b.csv", {.response = robot_, .seconds = 60, .seed = 2});
  const Outcome trained =
      run({"train", "a.csv", "-o", "model.json", "--robot", "turtle", "--epochs", "8", "--json", "-"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto found =
      expect_json(trained.out, {"robot", "samples", "duration_s", "period_s", "frames", "forward", "turn"});
  const auto& forward = found["forward"];
  EXPECT_NEAR(forward["delay_s"].get<double>() + forward["lag_s"].get<double>(), 0.25, 0.03);
  const Outcome judged =
      run({"evaluate", "model.json", "b.csv", "--robot", "turtle", "--json", "-", "--html", "errors.html"});
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  const auto errors = expect_json(judged.out, {"horizons"});
  ASSERT_EQ(errors["horizons"].size(), 3U);
  for (const auto& one : errors["horizons"]) {
    for (const char* figure : {"position_rmse_m", "heading_rmse_rad", "p95"}) {
      std::vector<std::string> names;
      for (const auto& [name, value] : one[figure].items()) names.push_back(name);
      EXPECT_EQ(names, kMethods);
    }
    EXPECT_GT(one["n"].get<int>(), 500);
    for (const char* other : {"hold", "velocity", "commands"}) {
      EXPECT_LT(one["position_rmse_m"]["best"].get<double>(), one["position_rmse_m"][other].get<double>());
    }
  }
  EXPECT_NE(folder_.read("errors.html").find("Predicting away control latency"), std::string::npos);
}

TEST_F(TrainCommand, DoesNotTakeTheModelsDelayForTheDeadTime) {
  write("a.csv", {.response = robot_, .seconds = 40, .seed = 1});
  const Outcome trained = run({"train", "a.csv", "-o", "model.json", "--robot", "turtle", "--epochs", "2"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.out.find("of the response model, forward: delay "), std::string::npos) << trained.out;
  EXPECT_NE(trained.out.find("of the response model, turning: delay "), std::string::npos) << trained.out;
  EXPECT_NE(trained.out.find("what is dead time, `forerun latency` measures"), std::string::npos) << trained.out;
}

TEST_F(TrainCommand, BadInputIsOneSentence) {
  write("a.csv", {.response = robot_, .seconds = 40, .seed = 1});
  write("short.csv", {.response = robot_, .seconds = 5, .seed = 1});
  folder_.write("silent.csv", "t_s,x_m,y_m,theta_rad\n0,0,0,0\n1,0,0,0\n");
  EXPECT_EQ(complaint({"train", "short.csv", "-o", "m.json"}),
            "forerun: the recordings hold 4.9 s of driving, but at least 20 s are needed\n");
  EXPECT_EQ(
      complaint({"train", "silent.csv", "-o", "m.json"}),
      "forerun: silent.csv: there is no column w_cmd_radps, but a response needs t_s, x_m, y_m, theta_rad, v_cmd_mps "
      "(or vx_cmd_mps) and w_cmd_radps\n");
  EXPECT_EQ(complaint({"train", "a.csv", "-o", "m.json", "--horizons", "0.5,0.2"}),
            "forerun: --horizons must rise, from at least 0.01 to at most 5 s\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/m.json")) << "nothing is half-written";
  EXPECT_NE(complaint({"evaluate", "a.csv", "a.csv"}).find("a.csv is no learned model"), std::string::npos);
  ASSERT_EQ(run({"train", "a.csv", "-o", "m.json", "--robot", "turtle", "--epochs", "2"}).exit_code, 0);
  EXPECT_EQ(complaint({"evaluate", "m.json", "a.csv", "--robot", "rhino"}),
            "forerun: m.json: the model is for the robot \"turtle\", but not for \"rhino\" as it is described\n");
  EXPECT_EQ(complaint({"train", "a.csv", "-o", "a.csv"}).substr(0, 9), "forerun: ");
}

// Recorded robots, converted by tools/drive-log; not in the repository.
class RecordedResponses : public TrainCommand {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kData)) GTEST_SKIP() << "no recordings in " << kData;
  }
  void convert(const std::string& kind, const std::vector<std::string>& from, const std::string& to) {
    std::vector<std::string> command{test::source_path("tools/drive-log"), kind};
    for (const std::string& file : from) command.push_back(kData + file);
    command.insert(command.end(), {"-o", to});
    const Outcome outcome = run_process(command, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  void expect_best(const std::vector<std::string>& train, const std::vector<std::string>& test) {
    std::vector<std::string> arguments{"train", "-o", "model.json"};
    arguments.insert(arguments.end(), train.begin(), train.end());
    ASSERT_EQ(run(arguments).exit_code, 0);
    arguments = {"evaluate", "--json", "-", "model.json"};
    arguments.insert(arguments.end(), test.begin(), test.end());
    const Outcome outcome = run(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = expect_json(outcome.out, {"horizons"});
    for (const auto& one : report["horizons"]) {
      for (const char* figure : {"position_rmse_m", "heading_rmse_rad"}) {
        const auto& errors = one[figure];
        for (const std::string& other : kMethods) {
          if (other == "best") continue;
          EXPECT_LT(errors["best"], errors[other]) << one["horizon_s"] << figure << other;
        }
        if (one["horizon_s"] != 0.5) continue;
        EXPECT_LT(errors["best"].get<double>(), 0.85 * errors["commands"].get<double>());
      }
    }
  }

  const std::string kData = test::source_path("../shared/data/");
};

TEST_F(RecordedResponses, OursIsBestOnOtherRobotsOfMrclam) {
  for (const std::string n : {"1", "2", "3", "4", "5"}) {
    convert("mrclam",
            {"mrclam/dataset6/Robot" + n + "_Odometry.dat.gz", "mrclam/dataset6/Robot" + n + "_Groundtruth.dat.gz"},
            n + ".csv");
  }
  expect_best({"1.csv", "2.csv", "3.csv"}, {"4.csv", "5.csv"});
}

TEST_F(RecordedResponses, OursIsBestOnFreeDrivesOfOptiodom) {
  std::vector<std::string> train;
  for (const auto& [kind, id, n] :
       {std::tuple{"circular", "231220200121", 6}, std::tuple{"square", "231220200029", 6}}) {
    for (int i = 1; i <= n; ++i) {
      train.push_back(kind + std::to_string(i) + ".csv");
      convert("optiodom",
              {std::string("optiodom/diff/") + kind + "/" + id + "/" + id + "_run-0" + std::to_string(i) + ".csv.gz"},
              train.back());
    }
  }
  const std::string free = "optiodom/diff/free/030120210001/030120210001_run-0";
  convert("optiodom", {free + "1.csv.gz"}, "free1.csv");
  convert("optiodom", {free + "2.csv.gz"}, "free2.csv");
  expect_best(train, {"free1.csv", "free2.csv"});
}

}  // namespace
}  // namespace forerun::test
