// `forerun mission`, run as a user would.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

constexpr const char* kHall = "rooms:\n  - {from: [0, 0], to: [8, 5]}\nwalls:\n  - {points: [[4, 0], [4, 2.5]]}\n";

class MissionCommand : public testing::Test {
 protected:
  MissionCommand() { folder_.write("hall.world.yaml", kHall); }

  Outcome mission(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "mission");
    return run_forerun(std::move(arguments), {.folder = folder_.path()});
  }
  Outcome record() {
    return mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1,0", "--to", "6.5,1,3",
                    "--to", "1.5,4", "-o", "tried.csv"});
  }
  Outcome trim(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"trim",    "tried.csv", "--world", "hall.world.yaml",
                                       "--robot", "turtle",    "-o",      "rounds.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mission(std::move(arguments));
  }
  Outcome check(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"check", "rounds.json", "--world", "hall.world.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mission(std::move(arguments));
  }

  TempFolder folder_;
};

TEST_F(MissionCommand, RecordsTrimsSignsAndChecks) {
  const Outcome recorded = record();
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  const Outcome keys = run_forerun({"keys", "new", "--keys", "keys"}, {.folder = folder_.path()});
  ASSERT_EQ(keys.exit_code, 0) << keys.err;
  const std::string key = keys.out.substr(0, keys.out.find('\n'));

  const Outcome trimmed = trim({"--sign", "--keys", "keys", "--svg", "rounds.svg", "--json", "-"});
  ASSERT_EQ(trimmed.exit_code, 0) << trimmed.err;
  const auto figures = expect_json(trimmed.out, {"cuts", "uncut", "pinch_points", "length_before_m", "length_after_m",
                                                 "duration_before_s", "duration_after_s", "min_clearance_m"});
  EXPECT_GT(figures["length_after_m"], 10);
  EXPECT_NE(folder_.read("rounds.svg").find("<svg"), std::string::npos);

  const Outcome checked = check({"--signed-by", key, "--json", "-"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  const auto result = expect_json(checked.out, {"name", "robot", "world", "points", "length_m", "duration_s", "actions",
                                                "signed_by", "min_clearance_m", "cross_track_max_m", "driven_s"});
  EXPECT_EQ(result["name"], "rounds");
  EXPECT_EQ(result["signed_by"], key);
  expect_bad_input(check({"--signed-by", "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk="}),
                   {"rounds.json is signed by", key});
}

TEST_F(MissionCommand, ActionsGoFromTheTryOutIntoTheMission) {
  const auto record_to = [&](const std::string& to) {
    return mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1,0", "--to", to, "--to",
                    "6.5,1,0,look-round", "-o", "tried.csv"});
  };
  const Outcome recorded = record_to("2.5,1,2,photo");
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  const Outcome trimmed = trim();
  ASSERT_EQ(trimmed.exit_code, 0) << trimmed.err;
  EXPECT_NE(trimmed.out.find(" s  photo\n"), std::string::npos) << trimmed.out;
  const auto result = nlohmann::json::parse(check({"--json", "-"}).out);
  ASSERT_EQ(result["actions"].size(), 2u);
  EXPECT_EQ(result["actions"][0]["name"], "photo");
  EXPECT_EQ(result["actions"][1]["name"], "look-round");
  EXPECT_EQ(nlohmann::json::parse(folder_.read("rounds.json"))["forerun_mission"], 2);
  expect_bad_input(record_to("2.5,1,2,a b"),
                   {"--to is \"2.5,1,2,a b\", but an action must have 1 to 32 letters, digits, _ and -"});
  expect_bad_input(record_to("2.5,1,2,"), {"but an action must have"});
}

TEST_F(MissionCommand, SaysWhenAWallHasAppearedSince) {
  ASSERT_EQ(record().exit_code, 0);
  ASSERT_EQ(trim().exit_code, 0);
  EXPECT_EQ(check().exit_code, 0);
  folder_.write("hall.world.yaml", std::string(kHall) + "  - {points: [[4, 2.5], [4, 5]]}\n");
  expect_bad_input(check(), {"rounds.json: in hall the path leads through something at (", "s after its beginning"});
}

TEST_F(MissionCommand, RefusesAChangedMissionAndAnotherRobots) {
  ASSERT_EQ(record().exit_code, 0);
  ASSERT_EQ(trim().exit_code, 0);
  expect_bad_input(check({"--robot", "create"}),
                   {"rounds.json is a mission for the robot \"turtle\", not for \"create\""});
  std::string text = folder_.read("rounds.json");
  text.replace(text.find("\"name\":\"rounds\""), 15, "\"name\":\"ground\"");
  folder_.write("rounds.json", text);
  expect_bad_input(check(), {"rounds.json: the checksum is", "the mission has been changed or is damaged"});
  folder_.write("rounds.json", "{\"forerun_mission\":7}");
  expect_bad_input(check(), {"rounds.json: forerun_mission is \"7\", but this program reads versions 1 and 2"});
}

TEST_F(MissionCommand, AHandDrivenDetourIsCutAndCanBeTakenBack) {
  // forward, a loop to the left, and on
  folder_.write("hand.csv", "t_s,v_cmd_mps,w_cmd_radps\n0,0.3,0\n3,0.3,0.6\n13.47,0.3,0\n16,0,0\n");
  const Outcome recorded = mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "0.8,3.4,0",
                                    "--commands", "hand.csv", "-o", "tried.csv"});
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  const Outcome without = trim({"--loop-m", "5", "--json", "-"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  const auto cut = nlohmann::json::parse(without.out);
  ASSERT_EQ(cut["cuts"].size(), 1u) << without.out;
  EXPECT_EQ(cut["cuts"][0]["kind"], "loop");
  const auto whole = nlohmann::json::parse(trim({"--loop-m", "5", "--undo", "1", "--json", "-"}).out);
  EXPECT_NEAR(whole["length_after_m"].get<double>(),
              cut["length_after_m"].get<double>() + cut["cuts"][0]["length_m"].get<double>(), 0.2);
  const auto kept = nlohmann::json::parse(trim({"--loop-m", "5", "--keep", "1.7,4.3,0.5", "--json", "-"}).out);
  EXPECT_TRUE(kept["cuts"].empty());
  expect_bad_input(trim({"--loop-m", "5", "--undo", "2"}), {"--undo is 2, but must be the number of one of 1 cuts"});
}

TEST_F(MissionCommand, WrongUsageIsSaidInOneSentence) {
  expect_bad_input(mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "-o", "x.csv"}),
                   {"record needs one of --to, --commands and --program"});
  expect_bad_input(mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1", "--to", "a,b",
                            "-o", "x.csv"}),
                   {"--to is \"a,b\", but must be x, y"});
  for (const std::string wait : {"3600.1", "1e9", "-1"}) {
    expect_bad_input(mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1", "--to",
                              "2,1.25," + wait, "-o", "x.csv"}),
                     {"--to is \"2,1.25," + wait + "\", but a wait must be from 0 to 3600 s"});
  }
  expect_bad_input(mission({"record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1", "--program",
                            "wall-follower", "-o", "x.csv"}),
                   {"needs a robot with a side sensor and a bumper"});
  expect_bad_input(trim(), {"tried.csv"});
  folder_.write("tried.csv", "t_s,x_m\n");
  expect_bad_input(trim(), {"tried.csv:1: the column y_m is missing"});
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"hall.world.yaml", "tried.csv"}));
}

TEST_F(MissionCommand, AProgramCanDrive) {
  const Outcome outcome = mission({"record", "--world", "hall.world.yaml", "--robot", "create", "--from", "1,1,0",
                                   "--program", "wall-follower", "--duration-s", "20", "-o", "tried.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" m in 20.0 s"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace forerun::test
