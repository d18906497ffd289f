#include "forerun/study/execution_study.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/outings.hpp"

namespace forerun::study {
namespace {

// DEC-10 in small: no collision, every planted departure handed back, no false alarm.
TEST(ExecutionStudy, NoticesAllThatIsPlantedAndNothingElse) {
  for (const sim::Reality& reality : {sim::kExact, sim::kMismatched}) {
    const auto result = run_execution_study({make_hall(), make_hall_robot(), {}, reality}, {.missions = 12});
    ASSERT_TRUE(result) << result.error().message;
    const auto figures = to_json(*result);
    EXPECT_EQ(figures["missions"], 12);
    EXPECT_EQ(figures["completed"], 6) << reality.name;
    EXPECT_EQ(figures["planted"], 6);
    EXPECT_EQ(figures["missed"], 0);
    EXPECT_EQ(figures["handed_back_correctly"], 6) << reality.name;
    EXPECT_EQ(figures["collisions"], 0);
    EXPECT_EQ(figures["false_alarms"], 0);
    EXPECT_LT(figures["cross_track_rms_m"].get<double>(), reality.pose_error > 0 ? 0.08 : 0.01);
  }
}

TEST(ExecutionStudy, SameSeedSameFigures) {
  const sim::Setting setting{make_hall(), make_hall_robot(), {}, sim::kNoisy};
  const auto one = run_execution_study(setting, {.missions = 3, .seed = 5});
  const auto other = run_execution_study(setting, {.missions = 3, .seed = 5});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(to_json(*one), to_json(*other));
}

// What counts as a false alarm, case by case.
TEST(ExecutionStudy, AnAlarmIsFalseWhereNothingDepartedAndNobodyStoodInTheWay) {
  ExecutionRun run;
  run.trial.state = mission::MissionState::handed_back;
  run.trial.departure = mission::Departure::off_path;
  EXPECT_TRUE(run.is_false_alarm());
  run.trial.departure = mission::Departure::blocked;
  run.trial.something_in_way = true;
  EXPECT_FALSE(run.is_false_alarm());
  EXPECT_TRUE(run.handed_back_correctly());
  run.fault.kind = mission::FaultKind::slip;
  run.trial = {.state = mission::MissionState::handed_back,
               .departure = mission::Departure::sensors_disagree,
               .fault_in_effect = true};
  EXPECT_FALSE(run.handed_back_correctly());
  run.trial.departure = mission::Departure::calibration_drifted;
  EXPECT_TRUE(run.handed_back_correctly());
}

}  // namespace
}  // namespace forerun::study
