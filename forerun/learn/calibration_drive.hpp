// Drive logs as calibration needs them: turns of the wheels, and what an external sensor saw meanwhile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/estimate/pose_filter.hpp"
#include "forerun/io/drive_log.hpp"

namespace forerun::learn {

struct CalibrationRow {
  double time = 0;                             // [s]
  estimate::WheelTurns turns;                  // since the row before
  std::optional<estimate::ExternalPose> pose;  // absolute …
  std::optional<Pose2> displacement;           // … or since the row before, in the sensor's frame
};

// Rows without a break between them; the turns of the first mean nothing.
using CalibrationStretch = std::vector<CalibrationRow>;

struct CalibrationDrive {
  std::string file;
  std::vector<CalibrationStretch> stretches;
  bool absolute = true;     // external poses, not displacements
  bool has_heading = true;  // of external poses
  int n_breaks = 0;         // gaps in time, and counters that were reset
};

// The robot as it is believed to be before calibration.
struct CalibrationRobot {
  robot::DifferentialGeometry nominal;
  double ticks_per_turn = 1;
};

// Times must rise. `file` is the name used in messages. Rows with a pose but without ticks are put between the ticks
// around them.
[[nodiscard]] Result<CalibrationDrive> make_calibration_drive(const io::DriveLog& log, const std::string& file,
                                                              const CalibrationRobot& robot);

}  // namespace forerun::learn
