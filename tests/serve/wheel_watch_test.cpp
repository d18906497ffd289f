// A served robot's wheels: found from its own states, said in its reports, and its velocities go by them.
#include "forerun/serve/wheel_watch.hpp"

#include <gtest/gtest.h>

#include "tests/support/wheeled_drive.hpp"

namespace forerun::serve {
namespace {

using test::drive_wheels;
using test::kTicksPerTurn;
using test::kTrueWheels;

robot::Drive believed_drive() {
  robot::Drive drive = robot::make_differential({0.13, 0.13, 0.38});
  drive.ticks_per_turn = kTicksPerTurn;
  return drive;
}

robot::Report state_at(const test::WheeledMoment& moment, const Pose2& localized) {
  robot::Report state;
  state.time = RobotTime{from_seconds(moment.time).ns};
  state.state.pose = localized;
  return state;
}

// States at 50 Hz, in which the pose is a new one five times a second.
void feed(WheelWatch& watch, const std::vector<test::WheeledMoment>& drive) {
  std::optional<Pose2> localized;
  for (const test::WheeledMoment& moment : drive) {
    if (moment.external) localized = moment.external;
    if (!localized) continue;
    const robot::Report state = state_at(moment, *localized);
    watch.take(state.time, state, moment.ticks);
  }
}

TEST(WheelWatch, FindsTheWheelsAndMeasuresWithThem) {
  WheelWatch watch(believed_drive());
  feed(watch, drive_wheels({.duration_s = 240}));
  robot::Report report;
  // the true velocities, as the believed wheels measure them
  const robot::Twist truth{0.4, 0, 0.5};
  report.state.velocity =
      robot::body_twist(believed_drive(), robot::wheel_speeds(robot::make_differential(kTrueWheels), truth));
  EXPECT_GT(std::fabs(report.state.velocity.vx - truth.vx), 0.02);
  watch.apply(report);
  ASSERT_TRUE(report.wheels);
  EXPECT_NEAR(report.wheels->wheels.left_diameter / kTrueWheels.left_diameter, 1, 0.015);
  EXPECT_NEAR(report.wheels->wheels.right_diameter / kTrueWheels.right_diameter, 1, 0.015);
  EXPECT_NEAR(report.wheels->wheels.base / kTrueWheels.base, 1, 0.02);
  EXPECT_GT(report.wheels->sigma.base, 0);
  EXPECT_NEAR(report.state.velocity.vx, truth.vx, 0.008);
  EXPECT_NEAR(report.state.velocity.w, truth.w, 0.015);
}

TEST(WheelWatch, SaysNothingBeforeItKnows) {
  WheelWatch watch(believed_drive());
  feed(watch, drive_wheels({.duration_s = 2}));
  robot::Report report;
  report.state.velocity = {0.4, 0, 0.5};
  watch.apply(report);
  EXPECT_FALSE(report.wheels);
  EXPECT_EQ(report.state.velocity, (robot::Twist{0.4, 0, 0.5}));
}

TEST(WheelWatch, OtherDrivesAndWhatARobotKnowsItselfStay) {
  WheelWatch synchro(robot::make_synchro(0.15));
  feed(synchro, drive_wheels({}));
  robot::Report report;
  synchro.apply(report);
  EXPECT_FALSE(report.wheels);

  WheelWatch watch(believed_drive());
  feed(watch, drive_wheels({.duration_s = 120}));
  report.wheels = robot::FoundWheels{{0.1, 0.1, 0.3}, {}};
  watch.apply(report);
  EXPECT_EQ(report.wheels->wheels.base, 0.3);
}

}  // namespace
}  // namespace forerun::serve
