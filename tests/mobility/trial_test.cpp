#include "forerun/mobility/trial.hpp"

#include <gtest/gtest.h>

namespace forerun::mobility {
namespace {

bool passes(TrialKind kind, double size, const TrialParams& params = {}) {
  const auto result = run_trial(robot::Crawler{}, {kind, size}, params);
  EXPECT_TRUE(result) << result.error().message;
  return result && result->passed;
}

// KEN-5, table I.
TEST(Trial, ComesOutAsWithTheRealRobot) {
  for (const PublishedTrial& published : published_trials()) {
    EXPECT_EQ(passes(published.trial.kind, published.trial.size), published.real_passed)
        << name_of(published.trial.kind) << " " << published.trial.size;
  }
}

// From pass to fail once, and not back.
TEST(Trial, LargerIsHarder) {
  for (const auto& [kind, most] : {std::pair{TrialKind::step, 0.2},
                                   {TrialKind::step_flippers, 0.4},
                                   {TrialKind::trench, 0.45},
                                   {TrialKind::trench_flippers_level, 0.6}}) {
    bool passed = true;
    for (double size = 0.03; size < most; size += 0.025) {
      const bool now = passes(kind, size);
      EXPECT_FALSE(now && !passed) << name_of(kind) << " " << size;
      passed = now;
    }
    EXPECT_FALSE(passed) << name_of(kind);
  }
}

TEST(Trial, StretchedFlippersBridgeWiderTrenches) {
  for (const double width : {0.35, 0.4}) {
    EXPECT_FALSE(passes(TrialKind::trench, width));
    EXPECT_TRUE(passes(TrialKind::trench_flippers_level, width));
  }
}

TEST(Trial, LittleChangesLittle) {
  for (const auto& params : {TrialParams{.mass_factor = 0.97}, TrialParams{.friction_factor = 1.03},
                             TrialParams{.speed = 0.206}, TrialParams{.seed = 5}}) {
    EXPECT_TRUE(passes(TrialKind::step_flippers, 0.3, params));
    EXPECT_FALSE(passes(TrialKind::trench, 0.35, params));
  }
}

TEST(Trial, RemembersHowItWent) {
  const auto result = run_trial(robot::Crawler{}, {TrialKind::step_flippers, 0.2});
  ASSERT_TRUE(result);
  ASSERT_GT(result->moments.size(), 50u);
  EXPECT_NEAR(result->moments.front().x, 0, 1e-9);
  EXPECT_NEAR(result->moments.back().z - result->moments.front().z, 0.2, 0.03);
  EXPECT_NEAR(result->moments[1].time, kMomentEvery, 1e-9);
}

// The same twice, another one with another seed.
TEST(Trial, RepeatsFromItsSeed) {
  const auto end = [](std::uint64_t seed) {
    return run_trial(robot::Crawler{}, {TrialKind::step, 0.1}, {.seed = seed})->moments.back().state.position;
  };
  EXPECT_EQ(end(3), end(3));
  EXPECT_NE(end(3).y, end(4).y);
}

}  // namespace
}  // namespace forerun::mobility
