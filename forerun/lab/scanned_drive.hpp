// Drives whose external displacements come from matching the scans of a laser (DEC-2).
#pragma once

#include <functional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/learn/calibration_drive.hpp"
#include "forerun/mapping/laser_mount.hpp"

namespace forerun::lab {

struct ScannedDrive {
  std::string log;    // a drive log, of which only the ticks count
  std::string scans;  // a scan log by the same clock, of which only the scans count
  mapping::LaserMount mount = mapping::LaserMount::upright;
};

struct ScanFindings {
  learn::CalibrationDrive drive;
  int n_unsure = 0;  // steps from scan to scan that were left out
  double delay = 0;  // the scans' stamps are so much late [s]
};

// `on_progress` is told the share done.
[[nodiscard]] Result<ScanFindings> load_scanned_drive(const ScannedDrive& files, const learn::CalibrationRobot& robot,
                                                      const std::function<void(double)>& on_progress);

}  // namespace forerun::lab
