// Scan logs: what a planar laser saw and where the robot believed it was, scan by scan. CARMEN logs (FLASER,
// ROBOTLASER1, ODOM) and the JSON of Radish's pairs; docs/formats.md describes both.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::io {

// A range where a beam came back with nothing, or with something that is no range (zero, NaN, the laser's own limit).
inline constexpr float kNoEcho = std::numeric_limits<float>::infinity();

struct LoggedPose {
  double time = 0;  // [s]
  Pose2 pose;       // of the robot
};

struct LoggedScan {
  double time = 0;                 // [s]; never less than the scan's before
  double stamp = 0;                // [s], as the log has it: what tells the scan from others
  Pose2 odometry;                  // of the robot
  std::optional<Pose2> corrected;  // of the robot, where the log has poses beside its odometry
  std::vector<float> ranges;       // counter-clockwise [m]: positive, or kNoEcho; as many in every scan

  // Where the log says best that the robot was.
  [[nodiscard]] Pose2 best() const { return corrected.value_or(odometry); }
};

struct ScanLog {
  double first_angle = 0;  // of the first beam, from the laser's own forward direction [rad]
  double step = 0;         // from one beam to the next [rad]
  double max_range = 0;    // what reads this or more is no echo [m]
  Pose2 robot_from_laser;  // where the laser is mounted
  std::vector<LoggedScan> scans;
  std::vector<LoggedPose> odometry;  // between the scans (ODOM), in the order of their stamps; may be empty
  std::size_t n_stamps_raised = 0;   // stamps a little behind the time of the scan before, which counts for both

  [[nodiscard]] bool has_corrected() const { return !scans.empty() && scans.front().corrected.has_value(); }
};

// May be packed with gzip. At least one scan; scans of one length; stamps that do not go back by more than a second.
[[nodiscard]] Result<ScanLog> load_scan_log(const std::string& path);
[[nodiscard]] Result<ScanLog> parse_scan_log(std::string_view text, const std::string& file);

// Takes the corrected poses of `log` from `truth`, the same scans with better poses (`truth_file`, for the sentence).
// Each scan of `log` must have one of the same stamp there; where several have one stamp, the first has the first pose.
[[nodiscard]] Result<void> add_corrected(ScanLog& log, const ScanLog& truth, const std::string& truth_file);

// Says how many stamps go back, and what counts then; empty where none does.
[[nodiscard]] std::string order_note(const ScanLog& log, const std::string& file);

}  // namespace forerun::io
