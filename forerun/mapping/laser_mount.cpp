#include "forerun/mapping/laser_mount.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/mapping/coarse_match.hpp"

namespace forerun::mapping {
namespace {

constexpr std::size_t kMostSteps = 300;  // that are looked at, all over the drive
constexpr double kReach = 12;            // [m]
constexpr double kApart = 0.3;           // steps that two mounts see no further apart than this tell nothing [m]
constexpr double kApartTurn = 0.25;      // [rad]
constexpr int kLeastVotes = 8;           // steps that must tell something
constexpr double kMostVotes = 0.75;      // share of them that must be for the other mount
constexpr double kMargin = 0.06;         // and by how much it must score better on the mean

using Scores = std::array<double, std::size(kLaserMounts)>;

// A step of the robot as a laser with such a mount sees it, if it is believed to be upright.
Pose2 as_seen(const Pose2& step, LaserMount mount) {
  const bool backwards = mount == LaserMount::backwards || mount == LaserMount::upside_down_backwards;
  const bool upside_down = mount == LaserMount::upside_down || mount == LaserMount::upside_down_backwards;
  const Pose2 turned = backwards ? Pose2{-step.x, -step.y, step.theta} : step;
  return upside_down ? Pose2{turned.x, -turned.y, -turned.theta} : turned;
}

Scores score_mounts(const LikelihoodGrid& before, const Sweep& after, const Pose2& step) {
  Scores scores{};
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const SearchWindow window{as_seen(step, static_cast<LaserMount>(m)), 0.1, 0.05};
    scores[m] = match_coarsely(before, after.points, window, 0.025).score;
  }
  return scores;
}

struct Votes {
  int n = 0;
  int better = 0;
  double lead = 0;  // of the scores, summed up
};

bool is_convincing(const Votes& votes) {
  return votes.n >= kLeastVotes && votes.better > kMostVotes * votes.n && votes.lead > kMargin * votes.n;
}

}  // namespace

std::vector<std::string> laser_mount_names() { return {std::begin(kLaserMounts), std::end(kLaserMounts)}; }

LaserMount laser_mount_named(std::string_view name) {
  const auto found = std::find(std::begin(kLaserMounts), std::end(kLaserMounts), name);
  FORERUN_ASSERT(found != std::end(kLaserMounts));
  return static_cast<LaserMount>(found - std::begin(kLaserMounts));
}

LaserMount find_mount(std::span<const Sweep> sweeps) {
  std::array<Votes, std::size(kLaserMounts)> all{};
  const std::size_t stride = std::max<std::size_t>(1, sweeps.size() / kMostSteps);
  for (std::size_t i = 0; i + 1 < sweeps.size(); i += stride) {
    const Pose2 step = inverse(sweeps[i].odometry) * sweeps[i + 1].odometry;
    const LikelihoodGrid before(sweeps[i].points, kReach);
    const Scores scores = score_mounts(before, sweeps[i + 1], step);
    for (std::size_t m = 1; m < scores.size(); ++m) {
      const Pose2 apart = inverse(step) * as_seen(step, static_cast<LaserMount>(m));
      if (length(apart.position()) < kApart && std::fabs(apart.theta) < kApartTurn) continue;
      ++all[m].n;
      all[m].better += scores[m] > scores[0] ? 1 : 0;
      all[m].lead += scores[m] - scores[0];
    }
  }
  std::size_t best = 0;
  for (std::size_t m = 1; m < all.size(); ++m) {
    if (is_convincing(all[m]) && (best == 0 || all[m].lead > all[best].lead)) best = m;
  }
  return static_cast<LaserMount>(best);
}

}  // namespace forerun::mapping
