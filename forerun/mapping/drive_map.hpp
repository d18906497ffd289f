// From a scan log to where each of its scans was taken.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "forerun/mapping/log_sweeps.hpp"

namespace forerun::mapping {

class DriveMap {
 public:
  // The error says why there is nothing to map, or how the laser is mounted if not as said. `go_on` is told the share
  // done; when it says no, the work ends early and what comes out is not to be used.
  static Result<DriveMap> make(const io::ScanLog& log, const std::string& file, LaserMount mount,
                               const DriveMapParams& params, const std::function<bool(double)>& go_on);

  [[nodiscard]] const Mapper& mapper() const { return mapper_; }
  // Where the robot was at a scan of the log. Scans that were not matched on the way are now.
  [[nodiscard]] Pose2 pose_of(std::size_t scan) const;

 private:
  struct Place {
    int node = 0;             // the last scan matched
    Pose2 node_from_robot{};  // by odometry
  };

  DriveMap(const io::ScanLog& log, const DriveMapParams& params, LaserMount mount);

  const io::ScanLog* log_;
  DriveMapParams params_;
  LaserMount mount_;
  Mapper mapper_;
  std::vector<Place> places_;  // of every scan of the log
};

}  // namespace forerun::mapping
