// `forerun map`, run as a user would, on made-up drives and on recorded robots.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/expectations.hpp"
#include "tests/support/simulated_scans.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {"relations", "relation_error_m", "relation_error_rad", "wall_s",
                                        "loop_closures"};

class MapCommand : public testing::Test {
 protected:
  Outcome map(std::vector<std::string> arguments, double interrupt_after_s = 0) {
    arguments.insert(arguments.begin(), "map");
    return run_forerun(std::move(arguments), {.folder = folder_.path(), .interrupt_after_s = interrupt_after_s});
  }

  TempFolder folder_;
};

TEST_F(MapCommand, MakesAMapThatPlannerAndSimulatorUse) {
  const SimulatedDrive drive = drive_round(50, 1);
  folder_.write("drive.log", to_carmen(drive.log));
  std::string relations;
  for (std::size_t i = 0; i + 40 < drive.truth.size(); i += 5) {
    const Pose2 d = inverse(drive.truth[i]) * drive.truth[i + 40];
    char line[160];
    std::snprintf(line, sizeof line, "%.3f %.3f %.6f %.6f 0 0 0 %.6f\n", drive.log.scans[i].time,
                  drive.log.scans[i + 40].time, d.x, d.y, d.theta);
    relations += line;
  }
  folder_.write("truth.relations", relations);
  const Outcome made = map({"drive.log", "-o", "m.yaml", "--world", "m.world.yaml", "--svg", "m.svg", "--relations",
                            "truth.relations", "--json", "-"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto result = expect_json(made.out, kKeys);
  EXPECT_GT(result["relations"], 20);
  EXPECT_LT(result["relation_error_m"], 0.06);
  EXPECT_LT(result["relation_error_rad"], 0.01);
  EXPECT_GT(result["loop_closures"], 3);
  EXPECT_GT(result["wall_s"], 0);
  EXPECT_EQ(folder_.names(),
            (std::vector<std::string>{"drive.log", "m.pgm", "m.svg", "m.world.yaml", "m.yaml", "truth.relations"}));

  // from its start ahead through the ring, in both forms
  for (const std::string world : {"m.yaml", "m.world.yaml"}) {
    const Outcome plan = run_forerun({"plan", "--world", world, "--from", "0,0", "--to", "5,0", "--json", "-"},
                                     {.folder = folder_.path()});
    EXPECT_EQ(plan.exit_code, 0) << world << ": " << plan.err;
    folder_.write("s.yaml", "name: s\nworld: " + world +
                                "\nrobot: turtle\nstart: [0, 0, 0]\ngoals:\n  - {name: a, at: [5, 0]}\n");
    const Outcome sim = run_forerun({"sim", "--scenario", "s.yaml", "--json", "-"}, {.folder = folder_.path()});
    EXPECT_EQ(sim.exit_code, 0) << world << ": " << sim.err;
    EXPECT_NE(sim.out.find("\"goals_reached\": 1"), std::string::npos) << sim.out;
  }
}

TEST_F(MapCommand, WithoutRelationsTheirErrorsAreNull) {
  folder_.write("drive.log", to_carmen(drive_round(5, 1).log));
  const auto result = expect_json(map({"drive.log", "--json", "-"}).out, kKeys);
  EXPECT_EQ(result["relations"], 0);
  EXPECT_TRUE(result["relation_error_m"].is_null());
  EXPECT_TRUE(result["relation_error_rad"].is_null());
}

TEST_F(MapCommand, BadInputIsOneSentenceAndLeavesNothing) {
  folder_.write("drive.log", to_carmen(drive_round(5, 1).log));
  folder_.write("empty.log", "");
  folder_.write("other.log", "FLASER 3 1 1 1 0 0 0 0 0 0 1 h 1\nFLASER 2 1 1 0 0 0 0 0 0 2 h 2\n");
  folder_.write("back.log", "FLASER 2 1 1 0 0 0 0 0 0 9 h 9\nFLASER 2 1 1 0 0 0 0 0 0 2 h 2\n");
  folder_.write("blind.log", "FLASER 2 0 nan 0 0 0 0 0 0 1 h 1\nFLASER 2 inf -1 0 0 0 0 0 0 2 h 2\n");
  folder_.write("unknown.relations", "77 78 0 0 0 0 0 0\n");
  const auto before = folder_.names();
  const std::vector<std::string> out{"-o", "m.yaml", "--world", "m.world.yaml", "--svg", "m.svg"};
  const auto refuse = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), out.begin(), out.end());
    expect_bad_input(map(arguments), words);
    EXPECT_EQ(folder_.names(), before);
  };
  refuse({"nothing.log"}, {"nothing.log does not exist"});
  refuse({"empty.log"}, {"empty.log"});
  refuse({"other.log"}, {"other.log:2", "2 ranges"});
  refuse({"back.log"}, {"back.log:2"});
  refuse({"blind.log"}, {"blind.log: no beam"});
  refuse({"drive.log", "--relations", "unknown.relations"}, {"unknown.relations names the stamp 77"});
  refuse({"drive.log", "--mount", "sideways"}, {"sideways"});
  expect_bad_input(map({"drive.log", "-o", "m.png"}), {"must end in .yaml"});
  expect_bad_input(map({"drive.log", "--world", "w.yaml"}), {"must end in .world.yaml"});
  expect_bad_input(map({"drive.log", "--svg", "drive.log"}), {"would be overwritten"});
  expect_bad_input(map({"drive.log", "-o", "a.yaml", "--svg", "a.pgm"}), {"name the same file"});
  EXPECT_EQ(folder_.names(), before);
}

TEST_F(MapCommand, OdometryThatLeapsIsOneSentence) {
  SimulatedDrive drive = drive_round(6, 1);
  drive.log.scans.back().odometry.x += 900'000;
  folder_.write("leap.log", to_carmen(drive.log));
  expect_bad_input(map({"leap.log", "-o", "m.yaml"}), {"leap.log: the odometry leaps by", "at most 100 m"});
  // each step is short enough, but all of them together make a map of a square kilometre and more
  for (std::size_t i = 0; i < drive.log.scans.size(); ++i) {
    drive.log.scans[i].odometry = {69.0 * static_cast<double>(i), 69.0 * static_cast<double>(i), 0};
  }
  folder_.write("far.log", to_carmen(drive.log));
  expect_bad_input(map({"far.log", "-o", "m.yaml"}), {"far.log: the map would be", "million cells", "--resolution"});
}

TEST_F(MapCommand, ReadingsTooNearToBeAnythingAreOneSentence) {
  SimulatedDrive drive = drive_round(6, 1);
  for (io::LoggedScan& scan : drive.log.scans) std::fill(scan.ranges.begin(), scan.ranges.end(), 0.01f);
  folder_.write("near.log", to_carmen(drive.log));
  expect_bad_input(map({"near.log"}), {"near.log: no beam of any scan met anything between 0.05 and 30 m"});
}

TEST_F(MapCommand, CtrlCLeavesNothing) {
  folder_.write("drive.log", to_carmen(drive_round(400, 1).log));
  const Outcome outcome = map({"drive.log", "-o", "m.yaml", "--svg", "m.svg"}, 0.5);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"drive.log"});
}

TEST_F(MapCommand, IntelLabAgreesWithItsRelations) {
  const std::string data = test::source_path("../shared/data/radish/");
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "recordings are not here: " << data;
  const Outcome made =
      map({data + "intel_raw_odometry.json.gz", "--relations", data + "intel.relations.gz", "--json", "-"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto result = expect_json(made.out, kKeys);
  EXPECT_EQ(result["relations"], 98);
  EXPECT_LT(result["relation_error_m"], 0.05);
  EXPECT_LT(result["relation_error_rad"], 0.8 * kPi / 180);
}

}  // namespace
}  // namespace forerun::test
