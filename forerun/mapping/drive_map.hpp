// From a scan log to where each of its scans was taken.
#pragma once

#include <functional>
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
  [[nodiscard]] Sweep sweep_of(std::size_t scan) const;
  [[nodiscard]] std::vector<Sweep> choose_sweeps();

  const io::ScanLog* log_;
  DriveMapParams params_;
  LaserMount mount_;
  Mapper mapper_;
  std::vector<Place> places_;  // of every scan of the log
};

}  // namespace forerun::mapping
