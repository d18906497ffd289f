// Scoring: what goes into a bin, and that nothing from the future goes into a prediction.
#include "forerun/study/scoring.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/study/score_texts.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::study {
namespace {

Sample sample_of(std::size_t method, std::size_t gap, float error) {
  Sample sample;
  sample.method = static_cast<std::uint8_t>(method);
  sample.gap = static_cast<std::uint8_t>(gap);
  sample.distance = kDistances;
  sample.error = {error, error / 2};
  if (method == kExtrapolation) return sample;
  sample.in50 = error < 1.5f ? 3 : 2;  // always, when motions are compared
  sample.in95 = error < 2.5f ? 3 : 2;
  sample.radius95 = 2;
  sample.outside95 = {error < 2.5f ? 0 : error - 2.5f, 0};
  return sample;
}

void add_samples(std::size_t gap, float extrapolation, float prediction, Block& block) {
  block.push_back(sample_of(kExtrapolation, gap, extrapolation));
  block.push_back(sample_of(kPrediction, gap, prediction));
}

// `n` samples of each method in each of `n_blocks`, with errors 1, 2, 3, 1, … of prediction and 8 of extrapolation.
std::vector<Block> simple_blocks(std::size_t n_blocks, std::size_t n) {
  std::vector<Block> blocks(n_blocks);
  for (Block& block : blocks) {
    for (std::size_t i = 0; i < n; ++i) add_samples(3, 8, 1 + static_cast<float>(i % 3), block);
  }
  return blocks;
}

Scores summary(const std::vector<Block>& blocks, Measure measure = Measure::absolute) {
  return summarize(blocks, measure, known_methods());
}

TEST(Scoring, ABinHoldsMeansQuantilesAndCoverageOfItsSamples) {
  const Scores scores = summary(simple_blocks(4, 30));
  ASSERT_EQ(scores.gap_bins.size(), 1u);
  const ErrorBin& bin = scores.gap_bins[0];
  EXPECT_EQ(bin.at, 1.0);
  EXPECT_EQ(bin.n, 120u);
  EXPECT_DOUBLE_EQ(bin.extrapolation().mean, 8);
  EXPECT_DOUBLE_EQ(bin.prediction().mean, 2);
  EXPECT_DOUBLE_EQ(bin.prediction().median, 2);
  EXPECT_DOUBLE_EQ(bin.prediction().p95, 3);
  EXPECT_NEAR(bin.prediction().coverage50, 1.0 / 3, 1e-12);
  EXPECT_NEAR(bin.prediction().coverage95, 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(bin.prediction().radius95, 2);
  EXPECT_NEAR(bin.prediction().score95, 0.05 * 2 + 0.5 / 3, 1e-6);  // one in three is 0.5 m outside
  EXPECT_DOUBLE_EQ(*ratio_at(scores, 1), 0.25);
  EXPECT_FALSE(ratio_at(scores, 2));
  EXPECT_EQ(scores.prediction().significant_from_gap_s, 1.0);
  EXPECT_FALSE(scores.prediction().significant_from_distance_m);
}

TEST(Scoring, TheOtherMeasureHasFiguresOfItsOwn) {
  const Scores scores = summary(simple_blocks(4, 30), Measure::relative);
  EXPECT_DOUBLE_EQ(scores.gap_bins[0].extrapolation().mean, 4);
  EXPECT_DOUBLE_EQ(scores.gap_bins[0].prediction().mean, 1);
  EXPECT_DOUBLE_EQ(scores.prediction().coverage50, 1);
}

TEST(Scoring, BinsOfFewSamplesAreLeftOut) {
  EXPECT_TRUE(summary(simple_blocks(1, 29)).gap_bins.empty());
  EXPECT_EQ(summary(simple_blocks(1, 30)).gap_bins.size(), 1u);
}

TEST(Scoring, IntervalsSpanWhatBlocksDifferByAndNotWhatTheirSamplesDo) {
  for (const ErrorBin& bin : summary(simple_blocks(5, 30)).gap_bins) {
    EXPECT_EQ(bin.prediction().ci95[0], bin.prediction().ci95[1]);
  }
  auto blocks = simple_blocks(4, 30);
  for (Sample& sample : blocks[0]) sample.error[0] += sample.method == kPrediction ? 4.0f : 0.0f;
  const Scores scores = summary(blocks);
  EXPECT_LT(scores.gap_bins[0].prediction().ci95[0], 2.5);
  EXPECT_GT(scores.gap_bins[0].prediction().ci95[1], 4);
}

TEST(Scoring, SignificantOnlyFromWhereAllThatFollowsIs) {
  std::vector<Block> blocks(2);
  for (Block& block : blocks) {
    for (std::size_t gap = 0; gap < 6; ++gap) {
      // worse at the third gap
      for (int i = 0; i < 30; ++i) add_samples(gap, 2, gap == 2 ? 3.0f : 1.0f, block);
    }
  }
  EXPECT_EQ(summary(blocks).prediction().significant_from_gap_s, 1.0);
  for (Sample& sample : blocks[0]) sample.error[0] = 3;
  EXPECT_FALSE(summary(blocks).prediction().significant_from_gap_s);
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
  const auto samples = score(world.drive, world.drive.reports, world.model, known_methods());
  ASSERT_GE(samples.size(), 2 * kUsualGaps);
  for (const Sample& sample : samples) {
    if (sample.method != kExtrapolation) continue;
    EXPECT_NEAR(sample.error[0], 0.5, 1e-4);
    EXPECT_NEAR(sample.error[1], 0, 1e-4);
  }
}

TEST(Scoring, EveryMessageAtEveryGapWithinTheDrive) {
  const Straight world;
  const auto samples = score(world.drive, world.drive.reports, world.model, known_methods());
  std::vector<std::size_t> n(4);
  for (const Sample& sample : samples) {
    EXPECT_EQ(sample.gap, n[sample.message]);
    n[sample.message] += sample.method == kPrediction ? 1 : 0;
    const double travelled = 0.4 * (sample.gap + 1) * kGapStep;
    EXPECT_NEAR(sample.distance * kDistanceStep, std::min(travelled, 6.0), kDistanceStep);
  }
  EXPECT_EQ(n, (std::vector<std::size_t>{kUsualGaps, kUsualGaps, 64, 40}));
}

// Says that the robot stands where it reported itself, and knows how far that may be off.
class Standing final : public MethodRun {
 public:
  void take(const robot::Report& report) override { reported_ = report.state.pose.position(); }
  [[nodiscard]] Answer at(RobotTime) override {
    predict::Region small, large;
    small.parts.push_back({reported_, 0.1, 0.1, 0});
    large.parts.push_back({reported_, 1.95, 1.95, 0});
    return {reported_, Answer::Regions{small, large}};
  }

 private:
  Vec2 reported_;
};

TEST(Scoring, AThirdMethodIsAnEntryAndLeavesTheFiguresOfTheOthersAsTheyAre) {
  const Straight world;
  std::vector<Method> methods = known_methods();
  methods.push_back({"standing", true, {}, [](const auto&) { return std::make_unique<Standing>(); }});
  // every message ten times, so that the bins count
  std::vector<Block> two(10, score(world.drive, world.drive.reports, world.model, known_methods()));
  std::vector<Block> three(10, score(world.drive, world.drive.reports, world.model, methods));
  const Scores before = summarize(two, Measure::relative, known_methods());
  const Scores scores = summarize(three, Measure::relative, methods);
  ASSERT_EQ(scores.gap_bins.size(), before.gap_bins.size());
  for (std::size_t i = 0; i < scores.gap_bins.size(); ++i) {
    const ErrorBin& bin = scores.gap_bins[i];
    EXPECT_EQ(bin.n, before.gap_bins[i].n);
    EXPECT_EQ(bin.prediction().mean, before.gap_bins[i].prediction().mean);
    EXPECT_EQ(bin.extrapolation().ci95, before.gap_bins[i].extrapolation().ci95);
    // the robot went on at 0.4 m/s
    const MethodErrors& standing = bin.by_method[2];
    EXPECT_NEAR(standing.mean, 0.4 * bin.at, 1e-3);
    EXPECT_EQ(standing.coverage95, bin.at < 5 ? 1 : 0);
    EXPECT_NEAR(standing.radius95, 1.95, 1e-6);
  }
  EXPECT_EQ(scores.methods[2].name, "standing");
  EXPECT_EQ(scores.prediction().coverage95, before.prediction().coverage95);
  EXPECT_FALSE(scores.methods[2].significant_from_gap_s);
  const auto json = to_json({scores, scores, "absolute"});
  const auto bin = json["gap_bins"][3];
  for (const char* name : {"standing_m", "standing_ci95_m", "standing_p95_m", "standing_coverage95",
                           "standing_radius95_m", "standing_absolute_m", "prediction_m", "coverage95"}) {
    EXPECT_TRUE(bin.contains(name)) << name;
  }
}

// What programs read: the names are a promise.
TEST(Scoring, TheFiguresOfTheTwoMethodsKeepTheirNames) {
  const Scores scores = summary(simple_blocks(4, 30));
  const ScoreView view{scores, scores, "relative"};
  std::string names;
  const auto json = to_json(view);
  for (const auto& [name, value] : json["gap_bins"][0].items()) names += name + " ";
  EXPECT_EQ(names,
            "gap_s n extrapolation_m extrapolation_ci95_m extrapolation_median_m prediction_m prediction_ci95_m "
            "prediction_median_m prediction_p95_m coverage50 coverage95 radius95_m score95_m extrapolation_relative_m "
            "prediction_relative_m coverage95_relative ");
  const std::string csv = to_csv(view);
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "by,at,n,extrapolation_m,extrapolation_lo_m,extrapolation_hi_m,extrapolation_median_m,prediction_m,"
      "prediction_lo_m,prediction_hi_m,prediction_median_m,prediction_p95_m,coverage50,coverage95,radius95_m,score95_m,"
      "extrapolation_relative_m,prediction_relative_m,coverage95_relative");
}

TEST(Scoring, LaterMessagesDoNotChangeWhatIsPredictedFromEarlierOnes) {
  const Straight world;
  const auto all = score(world.drive, world.drive.reports, world.model, known_methods());
  for (std::size_t n = 1; n < world.drive.reports.size(); ++n) {
    const auto some = score(world.drive, std::span(world.drive.reports).first(n), world.model, known_methods());
    ASSERT_FALSE(some.empty());
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << n;
  }
}

}  // namespace
}  // namespace forerun::study
