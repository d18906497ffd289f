// From a scan log to the sweeps that are matched: those with enough way between them, as the laser is mounted.
#pragma once

#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/io/scan_log.hpp"
#include "forerun/mapping/laser_mount.hpp"
#include "forerun/mapping/mapper.hpp"

namespace forerun::mapping {

struct DriveMapParams {
  double step_m = 0.2;      // a scan is matched when the robot has gone so far since the last one that was [m]
  double step_rad = 0.15;   // or has turned so far [rad]
  double nearest_m = 0.05;  // shorter readings are none [m]
  double farthest_m = 30;   // longer ones neither [m]
  MapperParams mapper;
};

template <class Visit>
void visit_fields(DriveMapParams& p, Visit&& visit) {
  visit("step_m", p.step_m,
        Field{0, 5, "a scan is matched when the robot has gone so far since the last one that was [m]"});
  visit("step_rad", p.step_rad, Field{0, 3, "or has turned so far [rad]"});
  visit("nearest_m", p.nearest_m, Field{0, 5, "shorter readings are none [m]"});
  visit("farthest_m", p.farthest_m, Field{0.5, 200, "longer readings are none [m]"});
}

// Odometry that leaps by more than 100 m from a scan to the next is a fault in the log. `file` is for the sentence.
[[nodiscard]] Result<void> check_leaps(const io::ScanLog& log, const std::string& file);

// A scan of the log, whatever its way from the others.
[[nodiscard]] Sweep make_sweep(const io::ScanLog& log, std::size_t scan, LaserMount mount,
                               const DriveMapParams& params);

struct ChosenSweeps {
  std::vector<Sweep> sweeps;
  std::vector<std::size_t> scans;  // of the log, for each sweep
};

// The error says why there is nothing to match, or how the laser is mounted if not as said. `file` is for the sentence.
[[nodiscard]] Result<ChosenSweeps> choose_sweeps(const io::ScanLog& log, const std::string& file, LaserMount mount,
                                                 const DriveMapParams& params);

}  // namespace forerun::mapping
