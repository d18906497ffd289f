// Scoring: what goes into a bin, and that nothing from the future goes into a prediction.
#include "forerun/study/scoring.hpp"

#include <gtest/gtest.h>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::study {
namespace {

Sample sample_of(std::size_t gap, float extrapolation, float prediction) {
  Sample sample;
  sample.gap = static_cast<std::uint8_t>(gap);
  sample.distance = kDistances;
  sample.by[0] = {extrapolation, prediction, prediction < 1.5f, prediction < 2.5f};
  sample.by[1] = {extrapolation / 2, prediction / 4, true, true};
  sample.radius95 = 2;
  return sample;
}

// `n` samples in each of `n_blocks`, with errors 1, 2, 3, 1, … of prediction and 8 of extrapolation.
std::vector<Block> simple_blocks(std::size_t n_blocks, std::size_t n) {
  std::vector<Block> blocks(n_blocks);
  for (Block& block : blocks) {
    for (std::size_t i = 0; i < n; ++i) block.push_back(sample_of(3, 8, 1 + static_cast<float>(i % 3)));
  }
  return blocks;
}

TEST(Scoring, ABinHoldsMeansQuantilesAndCoverageOfItsSamples) {
  const Scores scores = summarize(simple_blocks(4, 30), Measure::absolute);
  ASSERT_EQ(scores.gap_bins.size(), 1u);
  const ErrorBin& bin = scores.gap_bins[0];
  EXPECT_EQ(bin.at, 1.0);
  EXPECT_EQ(bin.n, 120u);
  EXPECT_DOUBLE_EQ(bin.extrapolation, 8);
  EXPECT_DOUBLE_EQ(bin.prediction, 2);
  EXPECT_DOUBLE_EQ(bin.prediction_median, 2);
  EXPECT_DOUBLE_EQ(bin.prediction_p95, 3);
  EXPECT_NEAR(bin.coverage50, 1.0 / 3, 1e-12);
  EXPECT_NEAR(bin.coverage95, 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(bin.radius95, 2);
  EXPECT_DOUBLE_EQ(*ratio_at(scores, 1), 0.25);
  EXPECT_FALSE(ratio_at(scores, 2));
  EXPECT_EQ(scores.significant_from_gap_s, 1.0);
  EXPECT_FALSE(scores.significant_from_distance_m);
}

TEST(Scoring, TheOtherMeasureHasFiguresOfItsOwn) {
  const Scores scores = summarize(simple_blocks(4, 30), Measure::relative);
  EXPECT_DOUBLE_EQ(scores.gap_bins[0].extrapolation, 4);
  EXPECT_DOUBLE_EQ(scores.gap_bins[0].prediction, 0.5);
  EXPECT_DOUBLE_EQ(scores.coverage50, 1);
}

TEST(Scoring, BinsOfFewSamplesAreLeftOut) {
  EXPECT_TRUE(summarize(simple_blocks(1, 29), Measure::absolute).gap_bins.empty());
  EXPECT_EQ(summarize(simple_blocks(1, 30), Measure::absolute).gap_bins.size(), 1u);
}

TEST(Scoring, IntervalsSpanWhatBlocksDifferByAndNotWhatTheirSamplesDo) {
  for (const ErrorBin& bin : summarize(simple_blocks(5, 30), Measure::absolute).gap_bins) {
    EXPECT_EQ(bin.prediction_ci95[0], bin.prediction_ci95[1]);
  }
  auto blocks = simple_blocks(4, 30);
  for (Sample& sample : blocks[0]) sample.by[0].prediction += 4;
  const Scores scores = summarize(blocks, Measure::absolute);
  EXPECT_LT(scores.gap_bins[0].prediction_ci95[0], 2.5);
  EXPECT_GT(scores.gap_bins[0].prediction_ci95[1], 4);
}

TEST(Scoring, SignificantOnlyFromWhereAllThatFollowsIs) {
  std::vector<Block> blocks(2);
  for (Block& block : blocks) {
    for (std::size_t gap = 0; gap < 6; ++gap) {
      // worse at the third gap
      for (int i = 0; i < 30; ++i) block.push_back(sample_of(gap, 2, gap == 2 ? 3.0f : 1.0f));
    }
  }
  EXPECT_EQ(summarize(blocks, Measure::absolute).significant_from_gap_s, 1.0);
  for (Sample& sample : blocks[0]) sample.by[0].prediction = 3;
  EXPECT_FALSE(summarize(blocks, Measure::absolute).significant_from_gap_s);
}

// A robot that truly drives along x at 0.4 m/s, and reports itself half a metre beside that.
struct Straight {
  Straight()
      : robot(*io::load_robot(*io::find_file(io::FileKind::robot, "turtle"))),
        model(*predict::make_replica_model(make_room({-10, -2}, {10, 2}), robot)) {
    for (int i = 0; i <= 600; ++i) drive.truth.push_back({{-8 + 0.02 * i, 0, 0}, 0.02 * i});
    for (int i = 0; i < 4; ++i) {
      robot::Report report;
      report.time = {from_seconds(2 + 6 * i).ns};
      report.state = {drive.at(2 + 6 * i)->pose, {0.4, 0, 0}};
      report.state.pose.y = 0.5;
      report.task = robot::TaskState::driving;
      report.goal = Vec2{8, 0};
      drive.reports.push_back(report);
    }
  }
  robot::Description robot;
  predict::ReplicaModel model;
  learn::Drive drive;
};

TEST(Scoring, TakesTheReportedPosesErrorOutOfTheMotionSinceTheMessage) {
  const Straight world;
  const auto samples = score(world.drive, world.drive.reports, world.model);
  ASSERT_GE(samples.size(), kGaps);
  for (const Sample& sample : samples) {
    EXPECT_NEAR(sample.by[0].extrapolation, 0.5, 1e-4);
    EXPECT_NEAR(sample.by[1].extrapolation, 0, 1e-4);
  }
}

TEST(Scoring, EveryMessageAtEveryGapWithinTheDrive) {
  const Straight world;
  const auto samples = score(world.drive, world.drive.reports, world.model);
  std::vector<std::size_t> n(4);
  for (const Sample& sample : samples) {
    EXPECT_EQ(sample.gap, n[sample.message]++);
    const double travelled = 0.4 * (sample.gap + 1) * kGapStep;
    EXPECT_NEAR(sample.distance * kDistanceStep, std::min(travelled, 6.0), kDistanceStep);
  }
  EXPECT_EQ(n, (std::vector<std::size_t>{kGaps, kGaps, 64, 40}));
}

TEST(Scoring, LaterMessagesDoNotChangeWhatIsPredictedFromEarlierOnes) {
  const Straight world;
  const auto all = score(world.drive, world.drive.reports, world.model);
  for (std::size_t n = 1; n < world.drive.reports.size(); ++n) {
    const auto some = score(world.drive, std::span(world.drive.reports).first(n), world.model);
    ASSERT_FALSE(some.empty());
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << n;
  }
}

}  // namespace
}  // namespace forerun::study
