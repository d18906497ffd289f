// What `forerun calibrate` works out: wheels from recorded drives, and how much better dead reckoning is with them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/learn/calibration.hpp"
#include "forerun/learn/dead_reckoning.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::learn {

struct WheelInputs {
  std::vector<CalibrationDrive> drives;  // to calibrate from, all of one sensor
  std::vector<CalibrationDrive> tests;   // to test dead reckoning on; none: the same
  CalibrationRobot robot;
};

// Drive logs with external poses, or all with displacements.
[[nodiscard]] Result<std::vector<CalibrationDrive>> load_drives(const std::vector<std::string>& paths,
                                                                const CalibrationRobot& robot);

// A drive that was tested on, as it was seen and as the wheels have it before and after.
struct WheelTest {
  std::string file;
  std::vector<ReckonedPath> before, after;
};

struct WheelResult {
  CalibrationRobot robot;  // as it was believed to be
  Calibration calibration;
  robot::DifferentialGeometry reported;  // what the drives did not show is nominal
  ReckoningError before, after;          // over all tests
  std::vector<WheelTest> tests;
  int n_breaks = 0;  // gaps and resets in the logs
};

// The pair of wheels of a robot's drive; tracks count with the base that they seem to have.
[[nodiscard]] Result<CalibrationRobot> wheels_of(const robot::Drive& drive, const std::string& file);

// An error where the drives show nothing. `on_progress` is told the share done.
[[nodiscard]] Result<WheelResult> calibrate_wheels(const WheelInputs& inputs,
                                                   const std::function<void(double)>& on_progress = {});

}  // namespace forerun::learn
