#include "forerun/mapping/scan_steps.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mapping/tracking.hpp"

namespace forerun::mapping {
namespace {

constexpr double kSigma = 0.03;      // steps that are known less well than this in some direction are left out [m] …
constexpr double kTurnSigma = 0.01;  // … or in their heading [rad]

// The frame in which the laser counts its beams.
Pose2 laser_frame(const io::ScanLog& log, LaserMount mount) {
  const bool backwards = mount == LaserMount::backwards || mount == LaserMount::upside_down_backwards;
  return log.robot_from_laser * Pose2{0, 0, backwards ? kPi : 0};
}

bool is_sure(const PoseLink& link) {
  const auto covariance = inverse_symmetric(link.information);
  if (!covariance) return false;
  const auto& c = *covariance;
  const double half = (c(0, 0) + c(1, 1)) / 2;
  const double widest = half + std::sqrt(square((c(0, 0) - c(1, 1)) / 2) + square(c(0, 1)));
  return widest <= square(kSigma) && c(2, 2) <= square(kTurnSigma);
}

}  // namespace

Result<ScanSteps> match_steps(const io::ScanLog& log, const std::string& file, LaserMount mount,
                              const DriveMapParams& params, const std::function<void(double)>& on_progress) {
  const auto chosen = choose_sweeps(log, file, mount, params);
  if (!chosen) return chosen.error();
  const MapperParams& mapper = params.mapper;
  const Pose2 robot_from_laser = laser_frame(log, mount);
  ScanSteps found;
  std::vector<Pose2> poses(1);
  int n_sure = 0;  // steps without a doubt between them, until now
  for (std::size_t i = 1; i < chosen->sweeps.size(); ++i) {
    const Pose2 step = inverse(chosen->sweeps[i - 1].odometry) * chosen->sweeps[i].odometry;
    poses.push_back(poses.back() * step);
    // only scans that lie to each other as scans say: older ones would bring in what the odometry says
    const int n_recent = std::min(mapper.n_recent, n_sure + 1);
    const auto link = link_by_matching({chosen->sweeps, poses}, static_cast<int>(i), n_recent, mapper.reach_m);
    n_sure = link && is_sure(*link) ? n_sure + 1 : 0;
    if (n_sure > 0) {
      poses.back() = poses[i - 1] * link->from_from_to;
      const Pose2 moved = inverse(robot_from_laser) * link->from_from_to * robot_from_laser;
      found.steps.push_back({chosen->scans[i - 1], chosen->scans[i], moved});
    } else {
      ++found.n_unsure;
    }
    if (on_progress) on_progress(static_cast<double>(i) / static_cast<double>(chosen->sweeps.size()));
  }
  return found;
}

}  // namespace forerun::mapping
