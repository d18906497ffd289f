// A whole drive: odometry that leads astray, and a map that does not.
#include "forerun/mapping/mapper.hpp"

#include <gtest/gtest.h>

#include "forerun/mapping/drive_map.hpp"
#include "tests/support/simulated_scans.hpp"

namespace forerun::mapping {
namespace {

bool go_on(double) { return true; }

double largest_error(const DriveMap& drive, const std::vector<Pose2>& truth) {
  double largest = 0;
  const Pose2 world_from_map = truth[0] * inverse(drive.pose_of(0));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    largest = std::max(largest, distance((world_from_map * drive.pose_of(i)).position(), truth[i].position()));
  }
  return largest;
}

TEST(Mapper, ClosesALoopThatOdometryLeavesOpen) {
  const test::SimulatedDrive drive = test::drive_round(60, 1);
  const Pose2 adrift = drive.truth[0] * drive.log.scans.back().odometry;
  ASSERT_GT(distance(adrift.position(), drive.truth.back().position()), 3) << "odometry alone is far off";
  const auto made = DriveMap::make(drive.log, "s.log", LaserMount::upright, {}, go_on);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_LT(largest_error(*made, drive.truth), 0.15);
  EXPECT_GT(made->mapper().n_closures(), 5);
}

TEST(Mapper, PlacesScansThatItDidNotMatchOnTheWay) {
  const test::SimulatedDrive drive = test::drive_round(20, 2, 0.07);
  const auto made = DriveMap::make(drive.log, "s.log", LaserMount::upright, {}, go_on);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_LT(made->mapper().placed().sweeps.size(), drive.truth.size() * 2 / 3);
  EXPECT_LT(largest_error(*made, drive.truth), 0.15);
}

TEST(Mapper, StopsWhenToldTo) {
  const test::SimulatedDrive drive = test::drive_round(20, 3);
  int asked = 0;
  const auto made = DriveMap::make(drive.log, "s.log", LaserMount::upright, {}, [&](double) { return ++asked < 5; });
  EXPECT_EQ(asked, 5);
  EXPECT_LT(made->mapper().placed().sweeps.size(), 6u);
}

TEST(Mapper, RefusesALogInWhichNothingIsSeen) {
  test::SimulatedDrive drive = test::drive_round(5, 1);
  for (io::LoggedScan& scan : drive.log.scans) std::fill(scan.ranges.begin(), scan.ranges.end(), io::kNoEcho);
  const auto made = DriveMap::make(drive.log, "s.log", LaserMount::upright, {}, go_on);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("s.log: no beam"), std::string::npos) << made.error().message;
}

}  // namespace
}  // namespace forerun::mapping
