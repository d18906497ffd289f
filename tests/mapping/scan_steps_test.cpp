// Steps from scan to scan, by what the laser saw alone.
#include "forerun/mapping/scan_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/simulated_scans.hpp"

namespace forerun::mapping {
namespace {

TEST(ScanSteps, AreThoseOfTheLaserWhateverTheOdometrySays) {
  const test::SimulatedDrive drive = test::drive_round(60, 1);
  const auto found = match_steps(drive.log, "s.log", LaserMount::upright);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_GT(found->steps.size(), 150u);
  double scans = 0, odometry = 0, truth = 0;
  for (const ScanStep& step : found->steps) {
    const Pose2 true_step = inverse(drive.truth[step.from]) * drive.truth[step.to];
    EXPECT_LT(distance(step.moved.position(), true_step.position()), 0.04) << step.from;
    EXPECT_NEAR(normalize_angle(step.moved.theta - true_step.theta), 0, 0.015) << step.from;
    truth += length(true_step.position());
    scans += length(step.moved.position());
    odometry += length((inverse(drive.log.scans[step.from].odometry) * drive.log.scans[step.to].odometry).position());
  }
  ASSERT_GT(odometry / truth, 1.02) << "the odometry must be wrong for this to show anything";
  EXPECT_NEAR(scans / truth, 1, 0.005);
}

// The laser looks back, 0.3 m behind the robot's middle: its own steps are others than the robot's.
TEST(ScanSteps, AreInTheLasersOwnFrame) {
  test::SimulatedDrive drive = test::drive_round(30, 2);
  const Pose2 robot_from_laser{-0.3, 0.1, kPi};
  const Pose2 laser_from_robot = inverse(robot_from_laser);
  drive.log.robot_from_laser = {-0.3, 0.1, 0};  // where it sits is known, and that it looks back is said
  for (std::size_t i = 0; i < drive.truth.size(); ++i) {
    drive.log.scans[i].odometry = robot_from_laser * drive.log.scans[i].odometry * laser_from_robot;
  }
  const auto found = match_steps(drive.log, "s.log", LaserMount::backwards);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_GT(found->steps.size(), 70u);
  for (const ScanStep& step : found->steps) {
    const Pose2 true_step = inverse(drive.truth[step.from]) * drive.truth[step.to];
    EXPECT_LT(distance(step.moved.position(), true_step.position()), 0.04) << step.from;
    EXPECT_NEAR(normalize_angle(step.moved.theta - true_step.theta), 0, 0.015) << step.from;
  }
  const auto wrong = match_steps(drive.log, "s.log", LaserMount::upright);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("--mount backwards"), std::string::npos) << wrong.error().message;
}

// Between two bare walls nothing tells how far the robot went.
TEST(ScanSteps, AreLeftOutWhereACorridorLooksTheSameEverywhere) {
  test::SimulatedDrive drive;
  const test::Walls walls{{{-50, -1}, {50, -1}}, {{-50, 1}, {50, 1}}};
  const test::Laser laser{.farthest = 15};
  drive.log.first_angle = laser.first_angle;
  drive.log.step = laser.step;
  drive.log.max_range = laser.farthest;
  Random random(4, 0);
  for (int i = 0; i < 30; ++i) {
    const Pose2 at{0.3 * i - 4, 0, 0.02 * std::sin(i)};
    drive.log.scans.push_back(
        {0.5 * i, 0.5 * i, {at.x * 1.1, at.y, at.theta}, {}, test::scan_walls(walls, at, laser, random)});
  }
  const auto found = match_steps(drive.log, "s.log", LaserMount::upright);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->steps.empty());
  EXPECT_GT(found->n_unsure, 20);
}

}  // namespace
}  // namespace forerun::mapping
