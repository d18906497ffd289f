// A laser that is mounted otherwise than said gives itself away.
#include "forerun/mapping/laser_mount.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/mapping/drive_map.hpp"
#include "tests/support/simulated_scans.hpp"

namespace forerun::mapping {
namespace {

// A drive whose laser is mounted like this: it reads the beams in the other order, or looks back.
test::SimulatedDrive drive_with(LaserMount mount) {
  const bool backwards = mount == LaserMount::backwards || mount == LaserMount::upside_down_backwards;
  const bool upside_down = mount == LaserMount::upside_down || mount == LaserMount::upside_down_backwards;
  test::SimulatedDrive drive = test::drive_round(50, 7);
  Random random(8, 0);
  const test::Laser laser;
  for (std::size_t i = 0; i < drive.truth.size(); ++i) {
    const Pose2 looks = drive.truth[i] * Pose2{0, 0, backwards ? kPi : 0};
    auto& ranges = drive.log.scans[i].ranges;
    ranges = test::scan_walls(test::ring_building(), looks, laser, random);
    if (upside_down) std::reverse(ranges.begin(), ranges.end());
  }
  return drive;
}

Result<DriveMap> make(const test::SimulatedDrive& drive, LaserMount mount) {
  return DriveMap::make(drive.log, "s.log", mount, {}, [](double) { return true; });
}

TEST(LaserMount, AWrongOneIsNamed) {
  for (const LaserMount mount : {LaserMount::backwards, LaserMount::upside_down, LaserMount::upside_down_backwards}) {
    const std::string name(kLaserMounts[static_cast<std::size_t>(mount)]);
    const test::SimulatedDrive drive = drive_with(mount);
    const auto believed = make(drive, LaserMount::upright);
    ASSERT_FALSE(believed) << name;
    EXPECT_NE(believed.error().message.find("--mount " + name + " takes it so"), std::string::npos)
        << believed.error().message;
    EXPECT_TRUE(make(drive, mount)) << name;
  }
}

TEST(LaserMount, AnUprightOneIsNotTakenForAnother) {
  const test::SimulatedDrive drive = drive_with(LaserMount::upright);
  EXPECT_TRUE(make(drive, LaserMount::upright));
  const auto believed = make(drive, LaserMount::backwards);
  ASSERT_FALSE(believed);
  EXPECT_NE(believed.error().message.find("--mount upright"), std::string::npos) << believed.error().message;
}

TEST(LaserMount, AStandingRobotTellsNothing) {
  test::SimulatedDrive drive = drive_with(LaserMount::backwards);
  for (io::LoggedScan& scan : drive.log.scans) scan.odometry = {};
  EXPECT_TRUE(make(drive, LaserMount::upright));
}

}  // namespace
}  // namespace forerun::mapping
