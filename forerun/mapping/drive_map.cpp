#include "forerun/mapping/drive_map.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mapping/closure.hpp"
#include "forerun/mapping/line_match.hpp"

namespace forerun::mapping {
namespace {

constexpr int kAround = 4;            // matched scans to each side that show where another one is
constexpr double kShareDriven = 0.6;  // of the work, until the last scan is there

BeamFan fan_of(const io::ScanLog& log, const DriveMapParams& params, LaserMount mount) {
  const bool backwards = mount == LaserMount::backwards || mount == LaserMount::upside_down_backwards;
  BeamFan fan;
  fan.first_angle = log.first_angle + (backwards ? kPi : 0);
  fan.angle_step = log.step;
  fan.nearest = params.nearest_m;
  fan.farthest = std::min(params.farthest_m, log.max_range);
  fan.robot_from_laser = log.robot_from_laser;
  fan.upside_down = mount == LaserMount::upside_down || mount == LaserMount::upside_down_backwards;
  return fan;
}

Error wrong_mount(const std::string& file, LaserMount said, LaserMount found) {
  const auto name = [](LaserMount mount) { return std::string(kLaserMounts[static_cast<std::size_t>(mount)]); };
  // the second mount is as the first one sees it
  const auto turned = static_cast<LaserMount>(static_cast<unsigned>(said) ^ static_cast<unsigned>(found));
  return Error{file + ": the laser is not mounted " + name(said) + ", but " + name(turned) +
               ": what it sees moves so with the odometry (--mount " + name(turned) + " takes it so)"};
}

}  // namespace

DriveMap::DriveMap(const io::ScanLog& log, const DriveMapParams& params, LaserMount mount)
    : log_(&log), params_(params), mount_(mount), mapper_(params.mapper) {}

Sweep DriveMap::sweep_of(std::size_t scan) const {
  const io::LoggedScan& logged = log_->scans[scan];
  const BeamFan fan = fan_of(*log_, params_, mount_);
  return {logged.time, logged.odometry, fan.robot_from_laser.position(), find_surface(logged.ranges, fan)};
}

// Scans with enough way between them.
std::vector<Sweep> DriveMap::choose_sweeps() {
  std::vector<Sweep> chosen;
  for (std::size_t scan = 0; scan < log_->scans.size(); ++scan) {
    const Pose2 here = log_->scans[scan].odometry;
    const Pose2 step = chosen.empty() ? Pose2{} : inverse(chosen.back().odometry) * here;
    const bool moved = length(step.position()) >= params_.step_m || std::fabs(step.theta) >= params_.step_rad;
    if (chosen.empty() || moved) {
      chosen.push_back(sweep_of(scan));
      places_.push_back({static_cast<int>(chosen.size()) - 1, {}});
    } else {
      places_.push_back({static_cast<int>(chosen.size()) - 1, step});
    }
  }
  return chosen;
}

Result<DriveMap> DriveMap::make(const io::ScanLog& log, const std::string& file, LaserMount mount,
                                const DriveMapParams& params, const std::function<bool(double)>& go_on) {
  DriveMap drive(log, params, mount);
  std::vector<Sweep> sweeps = drive.choose_sweeps();
  if (std::all_of(sweeps.begin(), sweeps.end(), [](const Sweep& sweep) { return sweep.points.empty(); })) {
    return Error{file + ": no beam of any scan met anything between " + std::to_string(params.nearest_m) + " and " +
                 std::to_string(params.farthest_m) + " m"};
  }
  const LaserMount found = find_mount(sweeps);
  if (found != LaserMount::upright) return wrong_mount(file, mount, found);
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
  const LineMatch match = match_to_lines(surfaces, sweep_of(scan).points, place.node_from_robot);
  return node * match.reference_from_points;
}

}  // namespace forerun::mapping
