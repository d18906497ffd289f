// `forerun study mission` and `forerun study execution`, run as a user would.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

TEST(MissionStudies, MissionPrintsItsFiguresAndWritesAPage) {
  const TempFolder folder;
  const Outcome outcome =
      run_forerun({"study", "mission", "--seed", "2", "--duration-s", "30", "--json", "-", "--report", "m.html"},
                  {.folder = folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto figures =
      expect_json(outcome.out, {"bumps_before", "bumps_after", "length_before_m", "length_after_m", "duration_before_s",
                                "duration_after_s", "max_wheel_accel_over_limit", "min_clearance_m", "pinch_points"});
  EXPECT_EQ(figures["bumps_after"], 0);
  EXPECT_NE(folder.read("m.html").find("</html>"), std::string::npos);
  const Outcome said = run_forerun({"study", "mission", "--duration-s", "30"}, {.folder = folder.path()});
  EXPECT_NE(said.out.find("cut: bump and back up"), std::string::npos) << said.out;
}

TEST(MissionStudies, ExecutionPrintsItsFiguresForPeopleAndForPrograms) {
  const TempFolder folder;
  folder.write("hall.world.yaml", "rooms:\n  - {from: [0, 0], to: [12, 5]}\n");
  const std::vector<std::string> command{"study", "execution", "--world", "hall.world.yaml", "--missions", "4"};
  const Outcome said = run_forerun(command, {.folder = folder.path()});
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.out.find("obstacle          blocked: something stands in the way"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("completed              2\n"), std::string::npos) << said.out;
  std::vector<std::string> with_json = command;
  with_json.insert(with_json.end(), {"--json", "-"});
  const auto figures = expect_json(run_forerun(with_json, {.folder = folder.path()}).out,
                                   {"missions", "completed", "collisions", "cross_track_rms_m", "handed_back",
                                    "handed_back_correctly", "false_alarms", "planted", "missed"});
  EXPECT_EQ(figures["missions"], 4);
  EXPECT_EQ(figures["handed_back_correctly"], 2);
}

TEST(MissionStudies, WrongUsageIsSaidInOneSentence) {
  expect_bad_input(run_forerun({"study", "execution", "--reality", "dreamt"}), {"dreamt"});
  expect_bad_input(run_forerun({"study", "execution", "--missions", "0"}), {"--missions"});
  expect_bad_input(run_forerun({"study", "mission", "--duration-s", "1"}), {"--duration-s"});
}

}  // namespace
}  // namespace forerun::test
