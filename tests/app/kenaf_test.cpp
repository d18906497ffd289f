// `forerun kenaf`, as a user runs it.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/expectations.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys{"tests", "agreement", "real_time_factor", "trench_flippers_level"};

TEST(KenafCommand, TestsComeOutAsWithTheRealRobot) {
  const Outcome outcome = run_forerun({"kenaf", "test", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = expect_json(outcome.out, kKeys);
  EXPECT_EQ(json["agreement"], 12);
  ASSERT_EQ(json["tests"].size(), 12u);
  EXPECT_GT(json["real_time_factor"], 0);
  for (const auto& test : json["tests"]) {
    EXPECT_EQ(test["passed"], test["real_passed"]) << test;
    EXPECT_GT(test["duration_s"], 1) << test;
    EXPECT_GE(test["max_pitch_deg"], 0) << test;
  }
  EXPECT_EQ(json["tests"][0]["kind"], "step");
  EXPECT_EQ(json["tests"][0]["size_mm"], 50);
  for (const auto& test : json["trench_flippers_level"]) EXPECT_EQ(test["passed"], true) << test;
}

TEST(KenafCommand, OtherSizesHaveNoPublishedOutcome) {
  const Outcome outcome =
      run_forerun({"kenaf", "test", "--kind", "step", "--size", "80", "--seed", "3", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = expect_json(outcome.out, kKeys);
  ASSERT_EQ(json["tests"].size(), 1u);
  EXPECT_EQ(json["tests"][0]["size_mm"], 80);
  EXPECT_TRUE(json["tests"][0]["real_passed"].is_null());
  EXPECT_EQ(json["tests"][0]["passed"], true);
}

TEST(KenafCommand, ASizeAloneIsTriedOfEveryKind) {
  const Outcome outcome = run_forerun({"kenaf", "test", "--size", "100", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = expect_json(outcome.out, kKeys);
  EXPECT_EQ(json["tests"].size(), 3u);
  EXPECT_EQ(json["agreement"], 3);
  EXPECT_NE(run_forerun({"kenaf", "test", "--help"}).out.find("without --kind"), std::string::npos);
}

TEST(KenafCommand, StudyComparesAndPredicts) {
  const TempFolder folder;
  const std::string page = folder.file("kenaf.html");
  const Outcome outcome = run_forerun({"study", "kenaf", "--drives", "1", "--json", "-", "--report", page});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json =
      expect_json(outcome.out, {"norm_error_mean_mm", "pitch_error_mean_deg", "square_closure_mm", "square_heading_deg",
                                "bridge_delay_ms_p99", "camera_fps", "runs", "prediction", "prediction_untold"});
  EXPECT_GT(json["norm_error_mean_mm"], 0);
  EXPECT_LT(json["norm_error_mean_mm"], 132.2);
  EXPECT_LT(json["pitch_error_mean_deg"], 11.4);
  EXPECT_LT(json["square_closure_mm"], 30);
  EXPECT_LT(std::fabs(json["square_heading_deg"].get<double>()), 3);
  EXPECT_GT(json["bridge_delay_ms_p99"], 0);
  EXPECT_GT(json["camera_fps"], 1);
  EXPECT_EQ(json["runs"].size(), 8u);
  EXPECT_EQ(json["prediction"].size(), 4u);
  EXPECT_NE(folder.read("kenaf.html").find("data:image/jpeg;base64,"), std::string::npos);
}

TEST(KenafCommand, BadInputIsNamed) {
  expect_bad_input(run_forerun({"kenaf"}), {"subcommand"});
  expect_bad_input(run_forerun({"kenaf", "test", "--kind", "ladder"}), {"ladder"});
  expect_bad_input(run_forerun({"kenaf", "test", "--size", "-5"}), {"-5"});
  expect_bad_input(run_forerun({"kenaf", "test", "--robot", "turtle"}), {"turtle", "crawler"});
  expect_bad_input(run_forerun({"kenaf", "test", "--robot", "nobody"}), {"nobody"});
}

TEST(KenafCommand, TheSimulatorSaysHowManyRobotsItLetsIn) {
  EXPECT_NE(run_forerun({"kenaf", "serve", "--help"}).out.find("--robots"), std::string::npos);
  for (const char* robots : {"0", "17", "two"}) {
    expect_bad_input(run_forerun({"kenaf", "serve", "--robots", robots}), {"--robots", robots});
  }
}

}  // namespace
}  // namespace forerun::test
