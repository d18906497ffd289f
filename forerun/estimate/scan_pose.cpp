#include "forerun/estimate/scan_pose.hpp"

#include <algorithm>
#include <array>

namespace forerun::estimate {
namespace {

constexpr double kSigma = 0.07;                 // how far off localization usually is [m] …
constexpr double kTurnSigma = 0.026;            // … and its heading [rad]
constexpr double kIndependent = 30;             // a scan counts as this many echoes: neighbours err alike
constexpr double kTurnPerStep = 0.5;            // [rad/m]: of both, echoes some metres off move about as far
constexpr std::array kSteps{0.04, 0.02, 0.01};  // [m]
constexpr int kRounds = 8;                      // with each

Pose2 moved(const Pose2& from, const Pose2& by) noexcept {
  return {from.x + by.x, from.y + by.y, from.theta + by.theta};
}

}  // namespace

ScanPose::ScanPose(const localize::OccupancyMap& map) : field_(map), table_({.sigma_m = 0.05, .outlier_share = 0.2}) {}

double ScanPose::score(const Pose2& believed, const Pose2& offset, const localize::Echoes& echoes) const noexcept {
  const Transform2 world_from_robot(moved(believed, offset));
  double sum = 0;
  for (const localize::Echo& echo : echoes) {
    sum += static_cast<double>(table_.log_likelihood(localize::distance_to_wall(field_, world_from_robot, echo)));
  }
  const double off = (square(offset.x) + square(offset.y)) / square(kSigma) + square(offset.theta / kTurnSigma);
  return sum * (kIndependent / static_cast<double>(std::max<std::size_t>(1, echoes.size()))) - 0.5 * off;
}

Pose2 ScanPose::correct(const Pose2& believed, const localize::Echoes& echoes) noexcept {
  Pose2 best = offset_;
  double best_score = score(believed, best, echoes);
  for (const double step : kSteps) {
    const double turn = step * kTurnPerStep;
    const std::array<Pose2, 6> ways{Pose2{step, 0, 0},  Pose2{-step, 0, 0}, Pose2{0, step, 0},
                                    Pose2{0, -step, 0}, Pose2{0, 0, turn},  Pose2{0, 0, -turn}};
    bool better = true;
    for (int round = 0; better && round < kRounds; ++round) {
      better = false;
      const Pose2 here = best;
      for (const Pose2& way : ways) {
        const Pose2 tried = moved(here, way);
        const double its_score = score(believed, tried, echoes);
        if (!(its_score > best_score)) continue;
        best = tried;
        best_score = its_score;
        better = true;
      }
    }
  }
  offset_ = best;
  const Pose2 found = moved(believed, best);
  return {found.x, found.y, normalize_angle(found.theta)};
}

}  // namespace forerun::estimate
