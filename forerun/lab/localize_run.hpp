// A scan log localized on a map, from a known place or from nothing, and how right that was.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "forerun/io/scan_log.hpp"
#include "forerun/localize/monte_carlo.hpp"

namespace forerun::lab {

inline constexpr double kNearestRange = 0.05;  // what is nearer is the robot itself [m]

// What is localized, and on what. The poses of `log` are in the map's frame where they are corrected.
struct LocalizeTask {
  const io::ScanLog& log;
  const localize::OccupancyMap& map;
  localize::LocalizeParams params;
  std::uint64_t seed = 1;
  std::size_t from = 0;        // the first scan
  std::optional<Pose2> start;  // none: anywhere
  double longest_way = 0;      // ends when it is found, or after this way; 0: the whole log [m]
};

// After a scan.
struct LocalizedScan {
  double time = 0;  // [s]
  Pose2 pose;       // believed
  std::optional<Pose2> truth;
  localize::Status status = localize::Status::searching;
  bool within95 = false;  // the truth lies in the region of 95 %
  double driven = 0;      // since the start [m]
  double update_ms = 0;   // by the clock of this machine
  std::size_t n_particles = 0;
};

using ShareDone = std::function<void(double)>;

[[nodiscard]] std::vector<LocalizedScan> localize_log(const LocalizeTask& task, const ShareDone& progress);

struct LocalizeScore {
  std::size_t scans = 0;
  bool scored = false;         // against a truth
  double lost_fraction = 1;    // of the scans since it was first localized; 1 if it never was
  double position_rmse_m = 0;  // over the same scans, lost or not
  double heading_rmse_rad = 0;
  double p95_m = 0, max_m = 0;
  double within95 = 0;  // share of the scans whose truth lay in the region of 95 %
  std::optional<double> time_to_localize_s, way_to_localize_m;
  std::optional<bool> found_rightly;  // it was where it said when it said so first
  double update_ms_p99 = 0, particles_mean = 0;
};

[[nodiscard]] LocalizeScore score_localization(const std::vector<LocalizedScan>& scans);

// Starts from nothing, spread over the log.
struct GlobalStarts {
  int starts = 0;
  int localized = 0;                     // within the way allowed, and rightly
  int wrong = 0;                         // said to be somewhere else first
  double way_mean_m = 0, way_max_m = 0;  // of those that were localized
};
inline constexpr double kLongestWay = 20;  // to be found in [m]

[[nodiscard]] GlobalStarts try_starts(const LocalizeTask& task, int n_starts, const ShareDone& progress);

// A scan of the log as localization takes it.
[[nodiscard]] localize::RangeScan range_scan(const io::ScanLog& log, const io::LoggedScan& scan);

}  // namespace forerun::lab
