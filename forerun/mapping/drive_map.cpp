#include "forerun/mapping/drive_map.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mapping/closure.hpp"
#include "forerun/mapping/line_match.hpp"

namespace forerun::mapping {
namespace {

constexpr int kAround = 4;            // matched scans to each side that show where another one is
constexpr double kShareDriven = 0.6;  // of the work, until the last scan is there

}  // namespace

DriveMap::DriveMap(const io::ScanLog& log, const DriveMapParams& params, LaserMount mount)
    : log_(&log), params_(params), mount_(mount), mapper_(params.mapper) {}

Result<DriveMap> DriveMap::make(const io::ScanLog& log, const std::string& file, LaserMount mount,
                                const DriveMapParams& params, const std::function<bool(double)>& go_on) {
  auto chosen = choose_sweeps(log, file, mount, params);
  if (!chosen) return chosen.error();
  DriveMap drive(log, params, mount);
  std::vector<Sweep>& sweeps = chosen->sweeps;
  for (std::size_t scan = 0, node = 0; scan < log.scans.size(); ++scan) {
    if (node + 1 < chosen->scans.size() && chosen->scans[node + 1] == scan) ++node;
    const bool is_node = chosen->scans[node] == scan;
    drive.places_.push_back(
        {static_cast<int>(node), is_node ? Pose2{} : inverse(sweeps[node].odometry) * log.scans[scan].odometry});
  }
  const double n = static_cast<double>(sweeps.size());
  for (Sweep& sweep : sweeps) {
    if (!go_on(kShareDriven * static_cast<double>(drive.mapper_.placed().sweeps.size()) / n)) return drive;
    drive.mapper_.add(std::move(sweep));
  }
  drive.mapper_.finish([&](double share) { return go_on(kShareDriven + (1 - kShareDriven) * share); });
  return drive;
}

Pose2 DriveMap::pose_of(std::size_t scan) const {
  const Place& place = places_[scan];
  const PlacedSweeps placed = mapper_.placed();
  const Pose2 node = placed.poses[static_cast<std::size_t>(place.node)];
  if (place.node_from_robot == Pose2{}) return node;
  const double reach = params_.mapper.reach_m;
  const auto around = list_scans(placed, place.node - kAround, place.node + kAround);
  const SurfaceIndex surfaces(make_patch(placed, around, place.node, reach).points, 0.3);
  const LineMatch match =
      match_to_lines(surfaces, make_sweep(*log_, scan, mount_, params_).points, place.node_from_robot);
  return node * match.reference_from_points;
}

}  // namespace forerun::mapping
