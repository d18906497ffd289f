// How long things last, and how often a robot is held up.
#include "forerun/predict/hold_ups.hpp"

#include <gtest/gtest.h>

#include "forerun/predict/goal_memory.hpp"
#include "forerun/predict/opinions.hpp"

namespace forerun::predict {
namespace {

TEST(SurvivalCurve, BeginsAtOneAndFalls) {
  SurvivalCurve curve(4);
  for (const int n_seen : {0, 5, 40}) {
    for (int i = 0; i < n_seen; ++i) curve.learn(i);
    EXPECT_EQ(curve.at(0), 1);
    double before = 1;
    for (double t = 0.5; t < 100; t += 0.5) {
      EXPECT_LT(curve.at(t), before);
      before = curve.at(t);
    }
  }
}

TEST(SurvivalCurve, ExpectsMoreOfWhatHasLastedLong) {
  const SurvivalCurve curve(4);
  EXPECT_NEAR(curve.median_left(0), 4, 1e-6);
  EXPECT_GT(curve.median_left(60), 20);
  EXPECT_NEAR(curve.after(60, curve.median_left(60)), 0.5, 1e-6);
}

TEST(SurvivalCurve, LearnsHowLongItLasts) {
  SurvivalCurve curve(4);
  for (int i = 0; i < 12; ++i) curve.learn(20);
  EXPECT_GT(curve.at(10), 0.8);
  EXPECT_LT(curve.at(30), 0.25);
  EXPECT_NEAR(curve.median_left(0), 19, 2);
  EXPECT_NEAR(curve.median_left(15), 6, 3);
  for (int i = 0; i < 16; ++i) curve.learn(2);
  EXPECT_LT(curve.at(10), 0.1) << "what is long ago is forgotten";
}

TEST(HoldUps, AreCountedOnceEach) {
  HoldUps calm(4), troubled(4);
  for (int i = 0; i < 50; ++i) {
    calm.take_in(6, 0.3, false);
    // held up in one report, still so in the next, free in the third
    troubled.take_in(6, i % 5 == 0 ? 4 : i % 5 == 1 ? 6 : 0, i % 5 == 0);
  }
  EXPECT_LT(calm.rate(), 0.002);
  EXPECT_GT(troubled.rate(), 10 * calm.rate());
  EXPECT_EQ(troubled.so_far(), 0);
  EXPECT_NEAR(troubled.lasting().median_left(0), 10, 2);
  EXPECT_LT(calm.chance_of_losing(1, 12.5), 0.05);
  EXPECT_GT(troubled.chance_of_losing(1, 12.5), 0.2);
}

TEST(HoldUps, LastAsLongAsTheyAreSeen) {
  HoldUps hold_ups(4);
  hold_ups.take_in(6, 5, true);
  EXPECT_EQ(hold_ups.so_far(), 5);
  hold_ups.take_in(6, 6, true);
  EXPECT_EQ(hold_ups.so_far(), 11);
  hold_ups.forget_current();
  EXPECT_EQ(hold_ups.so_far(), 0);
}

// However the chances are cut into delays, they are those of losing time at all.
TEST(Opinions, DelaysSumUpToTheirChance) {
  HoldUps hold_ups(4);
  for (int i = 0; i < 20; ++i) hold_ups.take_in(6, i % 4 == 0 ? 5 : 0, false);
  Milestones milestones;
  for (int i = 0; i <= 40; ++i) milestones.add({0.125 * i, 0});
  Opinions all;
  const double sum = add_delays(all, milestones, hold_ups, {10, 0.5});
  EXPECT_NEAR(sum, hold_ups.chance_of_losing(0, 10), 1e-9);
  double weights = 0;
  for (const MixturePart& part : all) {
    weights += part.weight;
    EXPECT_LT(part.centre.x, 5) << "behind where it would be";
  }
  EXPECT_NEAR(weights, sum, 1e-12);
}

TEST(Opinions, DeparturesReachAsFarAsTheRobotCanHaveDriven) {
  const SurvivalCurve waiting(60);
  Opinions all;
  const double left = add_departures(all, {{1, 2}, 0, 60}, waiting, 0.5);
  EXPECT_NEAR(left, 0.5, 1e-9);
  double farthest = 0;
  for (const MixturePart& part : all) farthest = std::max(farthest, 2 * sqrt(part.spread.xx));
  EXPECT_GT(farthest, 20);
  EXPECT_LT(farthest, 31);
  Opinions none;
  EXPECT_EQ(add_departures(none, {{1, 2}, 5, 0}, waiting, 0.5), 0);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace forerun::predict
