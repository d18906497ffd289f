#include "forerun/mapping/log_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/io/text.hpp"

namespace forerun::mapping {
namespace {

constexpr double kLongestLeap = 100;  // of the odometry from a scan to the next: [m]

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

Result<void> check_leaps(const io::ScanLog& log, const std::string& file) {
  for (std::size_t i = 1; i < log.scans.size(); ++i) {
    const io::LoggedScan &before = log.scans[i - 1], &scan = log.scans[i];
    const double leap = distance(before.odometry.position(), scan.odometry.position());
    if (leap <= kLongestLeap) continue;
    return Error{file + ": the odometry leaps by " + io::show(std::round(leap)) + " m from the scan at " +
                 io::show(before.time) + " s to the next, but must move by at most " + io::show(kLongestLeap) + " m"};
  }
  return {};
}

Sweep make_sweep(const io::ScanLog& log, std::size_t scan, LaserMount mount, const DriveMapParams& params) {
  const io::LoggedScan& logged = log.scans[scan];
  const BeamFan fan = fan_of(log, params, mount);
  return {logged.time, logged.odometry, fan.robot_from_laser.position(), find_surface(logged.ranges, fan)};
}

Result<ChosenSweeps> choose_sweeps(const io::ScanLog& log, const std::string& file, LaserMount mount,
                                   const DriveMapParams& params) {
  if (auto fine = check_leaps(log, file); !fine) return fine.error();
  ChosenSweeps chosen;
  std::vector<Sweep>& sweeps = chosen.sweeps;
  for (std::size_t scan = 0; scan < log.scans.size(); ++scan) {
    const Pose2 step = sweeps.empty() ? Pose2{} : inverse(sweeps.back().odometry) * log.scans[scan].odometry;
    const bool moved = length(step.position()) >= params.step_m || std::fabs(step.theta) >= params.step_rad;
    if (!sweeps.empty() && !moved) continue;
    sweeps.push_back(make_sweep(log, scan, mount, params));
    chosen.scans.push_back(scan);
  }
  if (std::all_of(sweeps.begin(), sweeps.end(), [](const Sweep& sweep) { return sweep.points.empty(); })) {
    return Error{file + ": no beam of any scan met anything between " + io::show(params.nearest_m) + " and " +
                 io::show(params.farthest_m) + " m"};
  }
  const LaserMount found = find_mount(sweeps);
  if (found != LaserMount::upright) return wrong_mount(file, mount, found);
  return chosen;
}

}  // namespace forerun::mapping
