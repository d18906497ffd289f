// The office study: prediction against going on straight.
#include "forerun/study/office_study.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/predict/predictor.hpp"

namespace forerun::study {
namespace {

struct Office {
  sim::Scenario scenario = *io::load_scenario(*io::find_file(io::FileKind::scenario, "office-delivery"));
  world::World world = *atlas::load_world(scenario.world);
  robot::Description robot = *io::load_robot(scenario.robot);

  [[nodiscard]] sim::Setting inputs(const sim::Reality& reality) const { return {world, robot, scenario, reality}; }
};

TEST(OfficeStudy, PredictionBeatsExtrapolationAndTheSameSeedGivesTheSameFigures) {
  const Office office;
  const auto result = run_office_study(office.inputs(sim::kNoisy), {.runs = 2, .seed = 5});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->absolute.gap_bins.size(), 72u);
  EXPECT_LT(*ratio_at(result->absolute, 2.5), 0.3);
  EXPECT_LT(*ratio_at(result->absolute, 6), 0.15);
  EXPECT_LT(*ratio_at(result->absolute, 12.5), 0.12);
  EXPECT_NEAR(result->path_length_m, 80, 2);
  EXPECT_GT(result->absolute.gap_bins[0].n, 90u);
  for (const ErrorBin& bin : result->absolute.gap_bins) {
    EXPECT_LE(bin.prediction().ci95[0], bin.prediction().mean);
    EXPECT_GE(bin.prediction().ci95[1], bin.prediction().mean);
    // a region costs a twentieth of its radius at least
    EXPECT_GE(bin.prediction().score95, 0.05 * bin.prediction().radius95 - 1e-9);
    ASSERT_EQ(bin.experts.size(), result->absolute.experts.size());
    EXPECT_NEAR(std::accumulate(bin.experts.begin(), bin.experts.end(), 0.0), 1, 1e-6);
  }
  EXPECT_EQ(result->absolute.experts,
            (std::vector<std::string>{"stay", "extrapolation", "mission", "replica", "follower", "onward", "plan"}));
  EXPECT_GT(result->absolute.gap_bins[23].experts[3], 0.8);  // our own robot is predicted by its own replica
  const auto again = run_office_study(office.inputs(sim::kNoisy), {.runs = 2, .seed = 5});
  EXPECT_EQ(again->absolute.gap_bins[20].prediction().mean, result->absolute.gap_bins[20].prediction().mean);
  EXPECT_EQ(again->relative.prediction().coverage95, result->relative.prediction().coverage95);
}

TEST(OfficeStudy, EndsEarlyWhenItIsToldTo) {
  const Office office;
  const auto result = run_office_study(office.inputs(sim::kExact), {.runs = 500}, [](double) { return false; });
  EXPECT_FALSE(result.ok());
}

// A simulation that ends right after a report must have said the same until then, and lead to the same predictions.
TEST(OfficeStudy, NothingFromTheFutureEntersAReportOrAPrediction) {
  Office office;
  const auto whole = simulate_drive(office.inputs(sim::kCrowded), 6, 3);
  ASSERT_TRUE(whole.ok());
  constexpr std::size_t kSeen = 9;
  ASSERT_GT(whole->reports.size(), kSeen + 3);
  office.scenario.time_limit = to_seconds(whole->reports[kSeen - 1].time) + 1e-6;
  const auto cut = simulate_drive(office.inputs(sim::kCrowded), 6, 3);
  ASSERT_TRUE(cut.ok());
  ASSERT_EQ(cut->reports.size(), kSeen);

  const auto model = predict::make_replica_model(office.world, office.robot);
  predict::Predictor from_whole(*model), from_cut(*model);
  for (std::size_t i = 0; i < kSeen; ++i) {
    const robot::Report &a = whole->reports[i], &b = cut->reports[i];
    ASSERT_EQ(a.time, b.time);
    EXPECT_EQ(a.state.pose, b.state.pose);
    EXPECT_EQ(a.state.velocity, b.state.velocity);
    EXPECT_EQ(a.goal, b.goal);
    EXPECT_EQ(a.target, b.target);
    EXPECT_EQ(a.remaining_wait, b.remaining_wait);
    from_whole.resync(a);
    from_cut.resync(b);
    for (int gap = 1; gap <= 18; ++gap) {
      const RobotTime then = a.time + from_seconds(gap);
      EXPECT_EQ(from_whole.advance(then).pose, from_cut.advance(then).pose) << i << " " << gap;
      EXPECT_EQ(from_whole.region(0.95).radius(), from_cut.region(0.95).radius());
    }
  }
}

}  // namespace
}  // namespace forerun::study
