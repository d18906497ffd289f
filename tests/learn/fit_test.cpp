// The replica fitted to drives of a robot that is not as it was described (BEY-5).
#include "forerun/learn/fit.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "forerun/learn/forecast.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/outings.hpp"

namespace forerun::learn {
namespace {

const std::vector<sim::Goal> kErrands{
    {"east", {8, 1.5}, 1}, {"north", {10, 5}, 1}, {"west", {1.5, 4.5}, 1}, {"home", {3, 1}, 0}};

struct Recorded {
  std::vector<Trial> trials;
  MotorLog motors;
  robot::Description truth;
};

Recorded record(std::uint64_t seed) {
  Outing outing(sim::kMismatched, kErrands, seed);
  sim::Loop& loop = *outing.loop;
  Recorded recorded;
  recorded.truth = outing.model->robot;
  std::vector<std::pair<robot::Report, Vec2>> waiting;
  while (!loop.finished() && to_seconds(loop.time()) < 200) {
    const robot::Report report = sim::make_report(loop, {});
    recorded.motors.push_back({to_seconds(loop.time()), loop.decision().command, loop.truth().velocity});
    const bool due = waiting.empty() || report.time >= waiting.back().first.time + from_seconds(2.5);
    if (due && report.task == robot::TaskState::driving) waiting.emplace_back(report, loop.truth().pose.position());
    for (auto& [then, from] : waiting) {
      if (then.robot != 0 || loop.time() < then.time + kAhead) continue;
      recorded.trials.push_back({then, loop.truth().pose.position() - from});
      then.robot = 1;  // done
    }
    loop.step();
  }
  return recorded;
}

std::vector<double> errors_of(const std::vector<Trial>& trials, const robot::Description& robot) {
  Forecaster forecaster(*predict::make_replica_model(make_hall(), make_hall_robot()));
  std::vector<double> errors(trials.size());
  forecaster.errors(trials, robot, errors);
  return errors;
}

double mean_error(const std::vector<Trial>& trials, const robot::Description& robot) {
  const auto errors = errors_of(trials, robot);
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

class FitTest : public testing::Test {
 protected:
  static Judge judge_by(const std::vector<Trial>& trials) {
    return [&trials, forecaster = std::make_shared<Forecaster>(*predict::make_replica_model(
                         make_hall(), make_hall_robot()))](const robot::Description& robot) {
      std::vector<double> errors(trials.size());
      forecaster->errors(trials, robot, errors);
      return std::optional(robust_means(errors, 3));
    };
  }

  const robot::Description believed_ = make_hall_robot();
};

TEST_F(FitTest, IsNearlyAsGoodAsTheTruthOnADriveThatItDidNotSee) {
  const Recorded seen = record(1), unseen = record(2);
  ASSERT_GT(seen.trials.size(), 15u);
  const std::vector<MotorLog> logs{seen.motors};
  const auto direct = estimate_directly(believed_, logs);
  const Fit fit = refine(believed_, direct, judge_by(seen.trials), {.most_costs = 40});
  EXPECT_FALSE(fit.stopped);
  EXPECT_NEAR(fit.robot.limits.max_speed, seen.truth.limits.max_speed, 0.015);
  const double before = mean_error(unseen.trials, believed_), after = mean_error(unseen.trials, fit.robot);
  EXPECT_LT(after, 0.75 * before);
  EXPECT_LT(after, 1.15 * mean_error(unseen.trials, unseen.truth));
}

TEST_F(FitTest, FindsTheTopSpeedWithoutCommandsFromThePredictionsAlone) {
  Recorded seen = record(1);
  robot::Description wrong = believed_;
  wrong.limits.max_speed = 0.7;
  const Fit fit = refine(wrong, wrong, judge_by(seen.trials), {.most_costs = 40});
  EXPECT_NEAR(fit.robot.limits.max_speed, seen.truth.limits.max_speed, 0.05);
}

TEST_F(FitTest, WithoutCommandsOnlyTopSpeedsAreSeenDirectly) {
  Recorded seen = record(1);
  for (MotorRow& row : seen.motors) row.command = {NAN, 0, NAN};
  const std::vector<MotorLog> logs{seen.motors};
  const auto direct = estimate_directly(believed_, logs);
  EXPECT_NEAR(direct.limits.max_speed, seen.truth.limits.max_speed, 0.02);
  EXPECT_EQ(direct.limits.acceleration, believed_.limits.acceleration);
  EXPECT_EQ(direct.control.motor_lag, believed_.control.motor_lag);
}

TEST_F(FitTest, WhatDrivesDoNotTellStaysAsItWas) {
  const auto indifferent = [](const robot::Description&) { return std::optional(Costs{1, 1}); };
  const Fit fit = refine(believed_, believed_, indifferent);
  for (std::size_t i = 0; i < fitted_names().size(); ++i) {
    EXPECT_EQ(fitted_value(fit.robot, i), fitted_value(believed_, i)) << fitted_names()[i];
  }
}

TEST_F(FitTest, KeepsWhatIsBelievedWhereFirstSightIsWorse) {
  robot::Description direct = believed_;
  direct.limits.max_speed = 0.1;
  const auto likes_speed = [](const robot::Description& robot) {
    return std::optional(Costs{1 + std::abs(robot.limits.max_speed - 0.5)});
  };
  EXPECT_EQ(refine(believed_, direct, likes_speed).robot.limits.max_speed, 0.5);
}

TEST_F(FitTest, EndsWhenAskedTo) {
  int n = 0;
  const auto impatient = [&](const robot::Description&) { return ++n < 4 ? std::optional(Costs{1}) : std::nullopt; };
  EXPECT_TRUE(refine(believed_, believed_, impatient).stopped);
  EXPECT_EQ(n, 4);
}

TEST(RobustMean, HardlyCountsWhatIsFarOff) {
  EXPECT_NEAR(robust_mean(std::array{0.01, 0.01}), 0.01, 0.001);
  EXPECT_LT(robust_mean(std::array{0.01, 5.0}), 0.5);
  EXPECT_EQ(robust_mean({}), 0);
  const Costs parts = robust_means(std::array{0.5, 0.5, 0.0, 0.0, 0.0}, 2);
  EXPECT_NEAR(parts[0], 0.25, 1e-12);
  EXPECT_EQ(parts[1], 0);
}

}  // namespace
}  // namespace forerun::learn
