#include "forerun/study/mission_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace forerun::study {
namespace {

// DEC-9, seed by seed: no bump after, no limit exceeded, every redundant part gone, nothing else.
TEST(MissionStudy, TheTrimmedPathHasNoBumpAndLosesNothingElse) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto result = run_mission_study({.seed = seed});
    ASSERT_TRUE(result) << result.error().message;
    const auto figures = to_json(*result);
    EXPECT_GE(figures["bumps_before"].get<int>(), 2) << seed;
    EXPECT_EQ(figures["bumps_after"].get<int>(), 0) << seed;
    EXPECT_EQ(result->trial.state, mission::MissionState::done) << result->trial.why;
    EXPECT_EQ(result->trial.collisions, 0);
    EXPECT_LE(figures["max_wheel_accel_over_limit"].get<double>(), 1);
    EXPECT_GT(figures["min_clearance_m"].get<double>(), 0.03);
    EXPECT_LT(figures["duration_after_s"].get<double>(), figures["duration_before_s"].get<double>());
    // a cut for each bump, and none without
    EXPECT_EQ(result->trim.cuts.size(), figures["bumps_before"].get<std::size_t>());
    double cut_length = 0;
    for (const mission::Cut& cut : result->trim.cuts) {
      EXPECT_EQ(cut.kind, mission::Redundant::bump);
      cut_length += cut.length_m;
    }
    EXPECT_NEAR(figures["length_after_m"].get<double>(), figures["length_before_m"].get<double>() - cut_length, 0.1);
    EXPECT_TRUE(mission::find_cuts(result->trimmed.points, {.bump_m = 1.5, .back_and_forth_m = 1.5, .loop_m = 1.5})
                    .cuts.empty());
  }
}

TEST(MissionStudy, ThePathAsItWasTrimmedWouldAskTooMuchOfTheWheels) {
  const auto result = run_mission_study({.duration_s = 30});
  ASSERT_TRUE(result);
  const auto efforts = mission::wheel_effort(result->spiky, result->robot);
  EXPECT_GT(*std::max_element(efforts.begin(), efforts.end()), 1.5);
}

TEST(MissionStudy, ThePageHoldsItsPictures) {
  const MissionParams params{.duration_s = 30};
  const auto result = run_mission_study(params);
  ASSERT_TRUE(result);
  const std::string page = mission_page(*result, params);
  for (const char* title :
       {"figure 4", "figure 5", "figure 6", "figure 7", "figure 8", "figure 9", "bump and back up"}) {
    EXPECT_NE(page.find(title), std::string::npos) << title;
  }
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace forerun::study
