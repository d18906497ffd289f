// What `forerun calibrate` works out: wheels from recorded drives, and how much better dead reckoning is with them.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/learn/calibration.hpp"
#include "forerun/learn/dead_reckoning.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::study {

struct WheelInputs {
  std::vector<std::string> logs;   // to calibrate from
  std::vector<std::string> tests;  // to test dead reckoning on; none: the same
  learn::CalibrationRobot robot;
};

// A drive that was tested on, as it was seen and as the wheels have it before and after.
struct WheelTest {
  std::string file;
  std::vector<learn::ReckonedPath> before, after;
};

struct WheelResult {
  learn::CalibrationRobot robot;  // as it was believed to be
  learn::Calibration calibration;
  robot::DifferentialGeometry reported;  // what the drives did not show is nominal
  learn::ReckoningError before, after;   // over all tests
  std::vector<WheelTest> tests;
  int n_breaks = 0;  // gaps and resets in the logs
};

// The pair of wheels of a robot's drive; tracks count with the base that they seem to have.
[[nodiscard]] Result<learn::CalibrationRobot> wheels_of(const robot::Drive& drive, const std::string& file);

// An error where a log is wrong, or where the drives show nothing. `on_progress` is told the share done.
[[nodiscard]] Result<WheelResult> calibrate_wheels(const WheelInputs& inputs,
                                                   const std::function<void(double)>& on_progress = {});

// What was not shown by the drives is null.
[[nodiscard]] nlohmann::ordered_json to_json(const WheelResult& result);
// A page with the ways before and after, and how the parameters came to be known.
[[nodiscard]] std::string wheel_page(const WheelResult& result);

inline constexpr const char* kWheelNames[] = {"d_left_m", "d_right_m", "base_m"};

}  // namespace forerun::study
