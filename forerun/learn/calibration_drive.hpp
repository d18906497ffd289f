// Drive logs as calibration needs them: turns of the wheels, and what an external sensor saw meanwhile.
#pragma once

#include <optional>
#include <span>
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
  std::optional<Pose2> displacement;           // … or of the sensor, in its own frame,
  std::size_t n_spanned = 1;                   // over the turns of so many rows, of which this is the last
};

// Rows without a break between them; the turns of the first mean nothing.
using CalibrationStretch = std::vector<CalibrationRow>;

// The rows over whose turns the displacement of row `i` goes.
[[nodiscard]] inline std::span<const CalibrationRow> spanned_rows(const CalibrationStretch& stretch, std::size_t i) {
  return std::span(stretch).subspan(i + 1 - stretch[i].n_spanned, stretch[i].n_spanned);
}

struct CalibrationDrive {
  std::string file;
  std::vector<CalibrationStretch> stretches;
  bool absolute = true;     // external poses, not displacements
  bool has_heading = true;  // of external poses
  bool by_scans = false;    // displacements are matched scans, not columns of the log
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

// The wheels alone, whatever else the log has: with rows at `times` too, which rise, for displacements to begin and end
// there. Times when no ticks were read are left out.
[[nodiscard]] Result<CalibrationDrive> make_wheel_drive(const io::DriveLog& log, const std::string& file,
                                                        const CalibrationRobot& robot, std::span<const double> times);

}  // namespace forerun::learn
