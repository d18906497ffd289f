// The office study: prediction against going on straight.
#include "forerun/study/office_study.hpp"

#include <gtest/gtest.h>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/io/world_file.hpp"

namespace forerun::study {
namespace {

TEST(OfficeStudy, PredictionBeatsExtrapolationAndTheSameSeedGivesTheSameFigures) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, "office-delivery"));
  const auto world = io::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  const OfficeInputs inputs{*world, *robot, *scenario, sim::kNoisy};
  const auto result = run_office_study(inputs, {.runs = 2, .seed = 5});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->gap_bins.size(), 72u);
  EXPECT_LT(ratio_at(*result, 2.5), 0.3);
  EXPECT_LT(ratio_at(*result, 6), 0.15);
  EXPECT_LT(ratio_at(*result, 12.5), 0.12);
  EXPECT_NEAR(result->path_length_m, 80, 2);
  EXPECT_GT(result->gap_bins[0].n, 90u);
  for (const ErrorBin& bin : result->gap_bins) {
    EXPECT_LE(bin.prediction_ci95[0], bin.prediction);
    EXPECT_GE(bin.prediction_ci95[1], bin.prediction);
  }
  const auto again = run_office_study(inputs, {.runs = 2, .seed = 5});
  EXPECT_EQ(again->gap_bins[20].prediction, result->gap_bins[20].prediction);
}

}  // namespace
}  // namespace forerun::study
