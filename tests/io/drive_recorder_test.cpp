#include "forerun/io/drive_recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "forerun/io/drive_log.hpp"
#include "tests/support/outings.hpp"

namespace forerun::io {
namespace {

// A drive to the left, as far as the robot can do that.
DriveLog record(const robot::Description& robot, const std::string& name) {
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  auto recorder = SimRecorder::open(path, "", robot);
  EXPECT_TRUE(recorder);
  Outing outing(sim::kExact, {}, 1, robot);
  outing.drive({0.1, 0.2, 0});
  while (outing.loop->time() < RobotTime{} + from_seconds(1)) {
    outing.loop->step();
    recorder->take(*outing.loop);
  }
  EXPECT_TRUE(recorder->close());
  auto log = load_drive_log(path);
  EXPECT_TRUE(log);
  std::filesystem::remove(path);
  return *log;
}

bool has(const DriveLog& log, DriveColumn column) {
  return std::find(log.columns.begin(), log.columns.end(), column) != log.columns.end();
}

TEST(DriveRecorder, WhatDrivesSidewaysHasCommandsSideways) {
  robot::Description robot = make_hall_robot();
  EXPECT_FALSE(has(record(robot, "forerun_recorder_ahead.csv"), DriveColumn::vy_cmd_mps));
  robot::OmniGeometry wheels;
  for (const double bearing : {1.0, 3.1, 5.2}) wheels.bearings.push_back(bearing);
  robot.drive = robot::make_omni(wheels);
  const DriveLog log = record(robot, "forerun_recorder_aside.csv");
  ASSERT_FALSE(log.rows.empty());
  EXPECT_NEAR(log.rows.back()[DriveColumn::vx_cmd_mps], 0.1, 1e-9);
  EXPECT_NEAR(log.rows.back()[DriveColumn::vy_cmd_mps], 0.2, 1e-9);
}

TEST(DriveRecorder, CarsHaveALeftAndARightWheel) {
  robot::Description robot = make_hall_robot();
  robot.drive = robot::make_car({});
  robot.drive.ticks_per_turn = 500;
  const DriveLog log = record(robot, "forerun_recorder_car.csv");
  ASSERT_TRUE(has(log, DriveColumn::ticks_left));
  EXPECT_GT(log.rows.back()[DriveColumn::ticks_right], 10);
}

}  // namespace
}  // namespace forerun::io
