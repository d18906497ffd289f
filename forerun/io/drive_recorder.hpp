// What `forerun sim` writes down on the way: the trail for the picture and, where asked for, a drive log and a scan
// log.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/io/scan_log_writer.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::io {

class SimRecorder {
 public:
  static constexpr double kInterval = 0.04;  // between rows [s]

  // An empty path: no log.
  static Result<SimRecorder> open(const std::string& log_path, const std::string& scan_path,
                                  const robot::Description& robot);

  // Takes a row when it is time for one, and each scan.
  void take(const sim::Loop& loop);
  // The logs appear under their names.
  [[nodiscard]] Result<void> close();

  [[nodiscard]] const std::vector<Vec2>& trail() const { return trail_; }

 private:
  std::optional<io::DriveLogWriter> log_;
  std::optional<io::ScanLogWriter> scans_;
  bool has_sides_ = false;  // left and right wheels with encoders
  RobotTime next_;
  std::vector<Vec2> trail_;
};

}  // namespace forerun::io
