// A left and a right wheel, and which reports say what was found of them.
#include "forerun/robot/wheel_pair.hpp"

#include <gtest/gtest.h>

namespace forerun::robot {
namespace {

Drive with_ticks(Drive drive) {
  drive.ticks_per_turn = 1000;
  return drive;
}

TEST(WheelPair, TracksCountWithTheBaseThatTheySeemToHave) {
  const Drive tracked = with_ticks(make_tracked({0.2, 0.2, 0.5}, 1.6));
  const auto wheels = wheel_pair(tracked);
  ASSERT_TRUE(wheels);
  EXPECT_DOUBLE_EQ(wheels->base, 0.8);
  const Drive wider = with_wheel_pair(tracked, {0.2, 0.21, 0.88});
  EXPECT_EQ(wider.kind, DriveKind::tracked);
  EXPECT_DOUBLE_EQ(std::get<TrackedGeometry>(wider.geometry).tracks.base, 0.55);
  EXPECT_EQ(wider.ticks_per_turn, 1000);
  EXPECT_DOUBLE_EQ(wheel_pair(wider)->base, 0.88);
}

TEST(WheelPair, OtherDrivesHaveNone) {
  EXPECT_TRUE(wheel_pair(with_ticks(make_differential({0.1, 0.1, 0.3}))));
  EXPECT_FALSE(wheel_pair(make_differential({0.1, 0.1, 0.3}))) << "no encoders";
  EXPECT_FALSE(wheel_pair(with_ticks(make_synchro(0.15))));
}

TEST(WheelPair, OneReportInFiveSecondsSaysWhatWasFound) {
  FindingRepeats repeats;
  int n_carried = 0;
  for (int i = 0; i <= 200; ++i) {  // 20 s
    Report report;
    report.time = RobotTime{from_seconds(100 + 0.1 * i).ns};
    report.wheels = FoundWheels{{0.1, 0.1, 0.3}, {}};
    repeats.apply(report);
    n_carried += report.wheels ? 1 : 0;
  }
  EXPECT_EQ(n_carried, 5);
  // a clock that went back
  Report report;
  report.wheels = FoundWheels{};
  repeats.apply(report);
  EXPECT_TRUE(report.wheels);
}

}  // namespace
}  // namespace forerun::robot
