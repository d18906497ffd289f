#include "forerun/changing/changes_study.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/outings.hpp"

namespace forerun::changing {
namespace {

using robot::Change;

// To and fro in the hall, for about five minutes.
sim::Setting rounds(const sim::Reality& reality) {
  sim::Setting setting{make_hall(), make_hall_robot(), {}, reality};
  setting.scenario.start = {1.5, 1.5, 0};
  for (int i = 0; i < 6; ++i) {
    setting.scenario.goals.push_back({"there", {8, 3.5}, 10});
    setting.scenario.goals.push_back({"back", {1.5, 1.5}, 10});
  }
  return setting;
}

TEST(ChangesStudy, FindsWhatComesAndGoesAndNothingElse) {
  const auto result = run_changes_study(rounds(sim::kNoisy), {.runs = 2, .crowded_runs = 0});
  ASSERT_TRUE(result) << result.error().message;
  const auto figures = to_json(*result);
  EXPECT_GE(figures["new_detected"], 3);
  EXPECT_GE(figures["gone_detected"], 1);
  EXPECT_EQ(figures["new_missed"], 0);
  EXPECT_EQ(figures["gone_missed"], 0);
  EXPECT_EQ(figures["false_changes_per_hour"], 0);
  EXPECT_LT(figures["bytes_per_change"], 24);
  EXPECT_TRUE(figures["crowded_ratio_with"].is_null());
}

// The judge, with a robot that tells what the test says.
class ChangeJudgeTest : public testing::Test {
 protected:
  static constexpr double kComes = 2, kGoes = 8;

  ChangeJudgeTest() : outing_(sim::kExact) {
    outing_.model->cast.passing.push_back(
        {box_, RobotTime{} + from_seconds(kComes), RobotTime{} + from_seconds(kGoes)});
    outing_.loop = std::make_unique<sim::Loop>(*outing_.model, *outing_.navigator);
    judge_.emplace(*outing_.model, make_hall(), make_hall_robot());
  }
  void run_until(double time, const std::vector<Change>& told) {
    while (to_seconds(outing_.loop->time()) < time) {
      outing_.loop->step();
      judge_->look(*outing_.loop, told);
    }
  }
  [[nodiscard]] const ChangeScore& score() const { return judge_->score(); }

  world::Mover box_ = world::make_box({4, 1.5, 0}, {0.4, 0.4}, 0.8, 0);
  Change told_{.number = 1, .pose = {3.82, 1.5, 0}, .half_length = 0.05, .half_width = 0.2};
  Outing outing_;
  std::optional<ChangeJudge> judge_;
};

TEST_F(ChangeJudgeTest, WhatIsToldInTimeIsDetected) {
  run_until(kComes + 0.8, {});
  run_until(kGoes + 0.8, {told_});
  run_until(12, {});
  EXPECT_EQ(score().new_detected, 1);
  EXPECT_EQ(score().gone_detected, 1);
  EXPECT_EQ(score().new_missed + score().gone_missed + score().strange, 0);
  ASSERT_EQ(score().delays_s.size(), 2u);
  EXPECT_NEAR(score().delays_s[0], 0.8, 0.15);
}

TEST_F(ChangeJudgeTest, WhatIsToldTooLateOrNeverIsMissed) {
  run_until(kComes + 1.5, {});
  run_until(12, {told_});
  EXPECT_EQ(score().new_missed, 1);
  EXPECT_EQ(score().new_detected, 0);
  EXPECT_EQ(score().gone_missed, 1);
}

TEST_F(ChangeJudgeTest, WhatStandsNowhereIsStrange) {
  run_until(1, {{.number = 7, .pose = {3, 4, 0}, .half_length = 0.2, .half_width = 0.2}});
  EXPECT_EQ(score().strange, 1);
}

}  // namespace
}  // namespace forerun::changing
