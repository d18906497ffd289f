// How a laser has moved from scan to scan, by what it saw alone: what wheels are calibrated against (DEC-2).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "forerun/mapping/log_sweeps.hpp"

namespace forerun::mapping {

struct ScanStep {
  std::size_t from = 0;  // scans of the log
  std::size_t to = 0;
  Pose2 moved;  // of the laser, in its own frame at `from`
};

struct ScanSteps {
  std::vector<ScanStep> steps;
  int n_unsure = 0;  // not known to 3 cm in every direction and 0.01 rad: left out
};

// The log's odometry says where to look, and nothing of it is in the steps. Errors as for choose_sweeps().
// `on_progress` is told the share done.
[[nodiscard]] Result<ScanSteps> match_steps(const io::ScanLog& log, const std::string& file, LaserMount mount,
                                            const DriveMapParams& params = {},
                                            const std::function<void(double)>& on_progress = {});

}  // namespace forerun::mapping
