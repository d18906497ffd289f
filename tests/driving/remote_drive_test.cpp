// A model of a human driver, over a late link (BEY-10): what is shown decides how well it goes.
#include "forerun/driving/remote_drive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/driving/driving_study.hpp"
#include "tests/support/outings.hpp"

namespace forerun::driving {
namespace {

// Several drives as one condition.
struct Drives {
  double time_s = 0, deviation_m = 0;
  int contacts = 0, failed = 0;
};

Drives drive(const Course& course, const DriveSetup& setup, const sim::Reality& reality = sim::kNoisy) {
  const robot::Description robot = make_hall_robot();
  sim::Setting setting{course.world, robot, {}, reality};
  setting.scenario.start = start_of(course);
  const auto replica = predict::make_replica_model(course.world, robot);
  Drives all;
  double squares = 0;
  int n = 0;
  constexpr int kRuns = 3;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const auto one = drive_course(course, setting, *replica, setup, seed);
    EXPECT_TRUE(one);
    all.time_s += one->time_s / kRuns;
    all.contacts += one->contacts;
    all.failed += one->failed ? 1 : 0;
    squares += one->squares;
    n += one->n;
  }
  all.deviation_m = std::sqrt(squares / n);
  return all;
}

TEST(RemoteDrive, WithoutDelayTheDriverKeepsToTheLine) {
  for (const Course& course :
       {make_slalom(make_hall_robot()), make_doorway(make_hall_robot()), make_docking(make_hall_robot())}) {
    const Drives near = drive(course, {});
    EXPECT_LT(near.deviation_m, 0.06) << course.name;
    EXPECT_EQ(near.failed, 0) << course.name;
    EXPECT_EQ(near.contacts, 0) << course.name;
  }
}

TEST(RemoteDrive, OverASecondOfDelayItIsDrivenNearlyAsWithoutWhereItIsPredicted) {
  const Course course = make_doorway(make_hall_robot());
  const Drives near = drive(course, {});
  const Drives predicted = drive(course, {.delay_s = 1, .loss = 0.1, .display = Display::predicted});
  const Drives reported = drive(course, {.delay_s = 1, .loss = 0.1, .display = Display::reported});
  EXPECT_LT(predicted.time_s, 1.5 * near.time_s);
  EXPECT_LT(predicted.deviation_m, 2.5 * near.deviation_m) << "these are few drives";
  EXPECT_LT(predicted.deviation_m, 0.5 * reported.deviation_m);
  EXPECT_EQ(predicted.failed, 0);
}

TEST(RemoteDrive, TheGuardKeepsABlindHandFromContact) {
  const Course course = make_doorway(make_hall_robot());
  const DriveSetup blind{.delay_s = 2.5, .display = Display::reported};
  DriveSetup without = blind;
  without.guard = false;
  EXPECT_EQ(drive(course, blind).contacts, 0);
  EXPECT_GT(drive(course, without).contacts, 0);
}

TEST(RemoteDrive, ARobotThatAnswersLateIsDrivenBetterOnceThatIsKnown) {
  const Course course = make_slalom(make_hall_robot());
  sim::Reality late = sim::kNoisy;
  late.motor_lag = 0.2;
  DriveSetup setup{.delay_s = 0.25, .dead_time_s = 0.12};
  const Drives unknown = drive(course, setup, late);
  setup.found = robot::FoundResponse{.forward = {{0.12, 0.2}}, .turn = {{0.12, 0.2}}};
  EXPECT_LT(drive(course, setup, late).deviation_m, 0.8 * unknown.deviation_m);
}

TEST(DrivingStudy, TheSameSeedDrivesTheSame) {
  DrivingParams params;
  params.runs = 1;
  params.tasks = {"doorway"};
  params.delays_s = {0.5};
  const auto once = run_driving_study(make_hall_robot(), sim::kNoisy, params);
  const auto again = run_driving_study(make_hall_robot(), sim::kNoisy, params);
  ASSERT_TRUE(once && again);
  ASSERT_EQ(once->conditions.size(), 9u);
  EXPECT_EQ(once->late_answers.size(), 1u);
  for (std::size_t i = 0; i < once->conditions.size(); ++i) {
    EXPECT_EQ(once->conditions[i].deviation_rms_m, again->conditions[i].deviation_rms_m);
  }
}

}  // namespace
}  // namespace forerun::driving
