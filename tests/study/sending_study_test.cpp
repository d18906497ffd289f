// Bytes against error: sending by the clock, and sending when it matters.
#include "forerun/study/sending_study.hpp"

#include <gtest/gtest.h>

#include "tests/support/outings.hpp"

namespace forerun::study {
namespace {

// A short drive through the hall.
Result<SendingResult> study(const sim::Reality& reality, const SendingParams& params) {
  sim::Scenario scenario;
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"there", {8, 1.5}, 4}, {"back", {1, 1}, 0}};
  scenario.time_limit = 300;
  const world::World world = make_hall();
  const robot::Description robot = make_hall_robot();
  return run_sending_study({world, robot, scenario, reality}, params);
}

TEST(SendingStudy, SendingWhenItMattersNeedsFewerBytesForTheSameError) {
  const auto result = study(sim::kNoisy, {.runs = 2});
  ASSERT_TRUE(result.ok());
  ASSERT_TRUE(result->bytes_ratio_at_same_error);
  EXPECT_LT(*result->bytes_ratio_at_same_error, 0.75);
  EXPECT_GE(*result->largest_bytes_ratio, *result->bytes_ratio_at_same_error);
  EXPECT_EQ(result->timed.front().setting, 0.25);
  EXPECT_NEAR(result->timed.front().bytes_per_s, 4 * result->bytes_per_report, 8);
  EXPECT_LT(result->threshold.back().bytes_per_s, result->threshold.front().bytes_per_s);
  EXPECT_GT(result->threshold.back().mean_error_m, result->threshold.front().mean_error_m);
}

TEST(SendingStudy, TheSameSeedGivesTheSameFigures) {
  const SendingParams params{.runs = 1, .seed = 7, .loss = 0.3, .delay_s = 0.1};
  const auto once = study(sim::kNoisy, params), again = study(sim::kNoisy, params);
  for (std::size_t i = 0; i < once->threshold.size(); ++i) {
    EXPECT_EQ(once->threshold[i].bytes_per_s, again->threshold[i].bytes_per_s);
    EXPECT_EQ(once->threshold[i].mean_error_m, again->threshold[i].mean_error_m);
    EXPECT_EQ(once->timed[i].mean_error_m, again->timed[i].mean_error_m);
  }
}

TEST(SendingStudy, LossCostsBytesOrError) {
  const auto clean = study(sim::kNoisy, {.runs = 1}), lossy = study(sim::kNoisy, {.runs = 1, .loss = 0.5});
  EXPECT_EQ(clean->timed.front().bytes_per_s, lossy->timed.front().bytes_per_s);
  EXPECT_GT(lossy->timed[4].mean_error_m, clean->timed[4].mean_error_m);
  const SendingPoint &a = clean->threshold[3], &b = lossy->threshold[3];
  EXPECT_GT(b.mean_error_m * b.bytes_per_s, a.mean_error_m * a.bytes_per_s);
}

TEST(SendingStudy, CurvesAreComparedAtTheSameError) {
  SendingResult result;
  result.timed = {{1, 100, 0.01}, {2, 50, 0.02}, {4, 25, 0.04}, {3, 90, 0.03}};  // the last is of no use
  result.threshold = {{0.1, 40, 0.01}, {0.2, 20, 0.02}, {0.3, 5, 0.08}};
  EXPECT_EQ(bytes_at_error(result.timed, 0.02), 50);
  EXPECT_NEAR(*bytes_at_error(result.timed, 0.03), 25 * 0.04 / 0.03, 1e-9);
  EXPECT_FALSE(bytes_at_error(result.timed, 0.009));
  EXPECT_FALSE(bytes_at_error(result.timed, 0.041));
  compare_curves(result);
  EXPECT_NEAR(*result.largest_bytes_ratio, 0.4, 1e-9);
  EXPECT_GT(*result.bytes_ratio_at_same_error, 0.39);
  EXPECT_LE(*result.bytes_ratio_at_same_error, 0.4 + 1e-9);

  SendingResult apart;
  apart.timed = {{1, 100, 0.01}, {2, 50, 0.02}};
  apart.threshold = {{1, 100, 0.1}, {2, 50, 0.2}};
  compare_curves(apart);
  EXPECT_FALSE(apart.bytes_ratio_at_same_error);
}

}  // namespace
}  // namespace forerun::study
