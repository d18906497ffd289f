// What a simulated laser saw comes back from the scan log.
#include "forerun/io/scan_log_writer.hpp"

#include <gtest/gtest.h>

#include "forerun/io/scan_log.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

robot::Description make_robot() {
  robot::Description robot;
  robot.name = "tub";
  robot.sensors = {robot::SonarRing{.count = 4},
                   robot::Laser{.mount = {0.2, -0.1, 0.3}, .beams = 5, .field_of_view = 2, .max_range = 8}};
  return robot;
}

TEST(ScanLogWriter, ScansAreReadAsTheyWere) {
  const test::TempFolder folder;
  const std::string path = folder.path() + "/s.log";
  const robot::Description robot = make_robot();
  auto writer = ScanLogWriter::open(path, robot);
  ASSERT_TRUE(writer) << writer.error().message;
  sense::Readings readings = sense::make_readings(robot);
  sense::Reading& scan = readings.sensors[1];
  scan.values = {1, 2.5f, kNoEcho, 4, -kNoEcho};
  writer->take(readings);
  writer->take(readings);  // nothing new
  scan.time = RobotTime{} + from_seconds(0.125);
  scan.odometry = {3, -2, 1};
  writer->take(readings);
  ASSERT_TRUE(writer->close());

  const auto log = load_scan_log(path);
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->scans.size(), 2u);
  EXPECT_NEAR(log->first_angle, -1, 1e-9);
  EXPECT_NEAR(log->step, 0.5, 1e-9);
  EXPECT_NEAR(log->robot_from_laser.x, 0.2, 1e-5);
  EXPECT_NEAR(log->robot_from_laser.y, -0.1, 1e-5);
  EXPECT_NEAR(log->robot_from_laser.theta, 0.3, 1e-5);
  EXPECT_EQ(log->scans[0].time, 0);
  EXPECT_EQ(log->scans[0].ranges, (std::vector<float>{1, 2.5f, kNoEcho, 4, kNoEcho}));
  EXPECT_EQ(log->scans[1].time, 0.125);
  EXPECT_NEAR(log->scans[1].odometry.y, -2, 1e-6);
}

TEST(ScanLogWriter, ARobotWithoutALaserHasNone) {
  const test::TempFolder folder;
  robot::Description robot = make_robot();
  robot.sensors.pop_back();
  const auto writer = ScanLogWriter::open(folder.path() + "/s.log", robot);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("\"tub\" has no laser"), std::string::npos) << writer.error().message;
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace forerun::io
