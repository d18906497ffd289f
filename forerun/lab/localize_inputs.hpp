// What `forerun localize` works on: a scan log, a map from a file or from scans with known poses, and the truth.
#pragma once

#include <optional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/io/scan_log.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::lab {

// How the laser sits on the robot, beside where the log says that it is.
struct LaserMount {
  bool backwards = false;
  bool upside_down = false;
  bool operator==(const LaserMount&) const noexcept = default;
};
[[nodiscard]] const char* to_string(const LaserMount& mount) noexcept;

struct LocalizeFiles {
  std::string log, map;
  std::string truth;          // empty: the map's poses, if it is made of poses of the same stamps, or the log's own
  int every = 2;              // scan of the map's log that goes into the map
  double laser_height = 0.4;  // on worlds [m]
  LaserMount mount;
};

struct LocalizeInputs {
  io::ScanLog log;  // with the truth as its corrected poses, if there is one
  localize::OccupancyMap map;
  // Where scans fit each other much better with another mount: laid at the odometry, which localization goes by, and
  // those that made the map at their poses.
  std::optional<LaserMount> likely_mount, likely_map_mount;
  bool map_of_scans = false;
};

[[nodiscard]] Result<LocalizeInputs> load_localize_inputs(const LocalizeFiles& files);

// The same scans as that laser saw them.
[[nodiscard]] io::ScanLog with_mount(io::ScanLog log, const LaserMount& mount);

enum class Poses { odometry, best };

// The mount with which scans that are laid at those poses fit each other best; none where the one that is given is as
// good as any.
[[nodiscard]] std::optional<LaserMount> find_mount(const io::ScanLog& log, Poses poses);

}  // namespace forerun::lab
