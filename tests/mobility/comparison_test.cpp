#include "forerun/mobility/comparison.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/setting.hpp"
#include "forerun/mobility/course_drive.hpp"

namespace forerun::mobility {
namespace {

bool go_on(double) { return true; }

TEST(Comparison, TheSameRobotIsTheSame) {
  const auto runs =
      compare(robot::Crawler{}, {.mass_factor = 1, .friction_factor = 1, .speed_factor = 1, .seed = 0}, go_on);
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 8u) << "those that the real robot passed";
  for (const Comparison& run : *runs) {
    EXPECT_EQ(run.matched.norm_max, 0);
    EXPECT_EQ(run.unmatched.pitch_max, 0);
  }
}

TEST(Comparison, MatchingTakesOutThatOneIsSlower) {
  const auto runs = compare(robot::Crawler{}, {}, go_on);
  ASSERT_TRUE(runs) << runs.error().message;
  for (const Comparison& run : *runs) {
    EXPECT_TRUE(run.ours.passed);
    EXPECT_LT(run.matched.norm_mean, 0.1322) << "the paper's simulator beside its robot";
    EXPECT_LT(run.matched.pitch_mean, 11.4 * kPi / 180);
    EXPECT_LE(run.matched.norm_mean, run.unmatched.norm_mean + 1e-9);
  }
}

TEST(Comparison, EndsWhenItIsTold) {
  const auto runs = compare(robot::Crawler{}, {}, [](double done) { return done < 0.1; });
  ASSERT_TRUE(runs);
  EXPECT_TRUE(runs->empty());
}

TEST(CourseDrive, PhysicsIsNearerThanGoingOn) {
  const auto score = score_course(*atlas::load_named_world("kenaf-course"), *atlas::load_named_robot("kenaf"),
                                  {.seed = 11, .drives = 1}, go_on);
  ASSERT_TRUE(score) << score.error().message;
  ASSERT_EQ(score->gaps.size(), 4u);
  for (const GapScore& gap : score->gaps) {
    EXPECT_GE(gap.n, 3) << gap.gap;
    EXPECT_LT(gap.pitch, gap.pitch_held) << gap.gap;
    if (gap.gap < 1) continue;
    EXPECT_LT(gap.physics, gap.extrapolated) << gap.gap;
    EXPECT_LT(gap.believed, gap.extrapolated) << gap.gap;
  }
}

}  // namespace
}  // namespace forerun::mobility
