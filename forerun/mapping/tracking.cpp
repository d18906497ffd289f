#include "forerun/mapping/tracking.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mapping/closure.hpp"
#include "forerun/mapping/coarse_match.hpp"
#include "forerun/mapping/line_match.hpp"

namespace forerun::mapping {
namespace {

constexpr double kWidest = 3;           // sigmas that odometry is searched around
constexpr double kMostReach = 1.5;      // [m]
constexpr double kMostTurn = 1.0;       // [rad]
constexpr double kAgreement = 0.75;     // least share of points that the last scans bear out
constexpr int kLeastSame = 60;          // of both views together
constexpr double kMostShift = 0.3;      // between coarse and fine [m]
constexpr double kMostShiftTurn = 0.2;  // [rad]

struct StepNoise {
  double sigma = 0;       // [m]
  double turn_sigma = 0;  // [rad]
};

// Poor odometry: what worn wheels on carpet do.
StepNoise noise_of(const Pose2& step) {
  const double way = length(step.position()), turn = std::fabs(step.theta);
  return {0.05 + 0.15 * way, 0.04 + 0.05 * way + 0.2 * turn};
}

}  // namespace

PoseLink link_by_odometry(const PlacedSweeps& placed, int newest) {
  const auto i = static_cast<std::size_t>(newest);
  PoseLink link{newest - 1, newest, inverse(placed.sweeps[i - 1].odometry) * placed.sweeps[i].odometry, {}};
  const StepNoise noise = noise_of(link.from_from_to);
  link.information(0, 0) = link.information(1, 1) = 1 / square(noise.sigma);
  link.information(2, 2) = 1 / square(noise.turn_sigma);
  return link;
}

std::optional<PoseLink> link_by_matching(const PlacedSweeps& placed, int newest, int n_recent, double reach) {
  const auto i = static_cast<std::size_t>(newest);
  const auto recent = list_scans(placed, newest - n_recent, newest - 1);
  const Reference reference(make_patch(placed, recent, newest - 1, reach), reach);
  const Pose2 believed = inverse(placed.poses[i - 1]) * placed.poses[i];
  const StepNoise noise = noise_of(believed);
  const SearchWindow window{believed, std::min(kWidest * noise.sigma, kMostReach),
                            std::min(kWidest * noise.turn_sigma, kMostTurn), noise.sigma, noise.turn_sigma};
  const std::span<const SurfacePoint> points = placed.sweeps[i].points;
  const CoarseMatch coarse = match_coarsely(reference.likelihood, points, window);
  const LineMatch fine = match_to_lines(reference.index, points, coarse.reference_from_points);
  const Pose2 shift = inverse(coarse.reference_from_points) * fine.reference_from_points;
  if (length(shift.position()) > kMostShift || std::fabs(shift.theta) > kMostShiftTurn) return std::nullopt;

  // new rooms open up, so what counts is not how much fits but how little contradicts
  const Patch alone = make_patch(placed, list_scans(placed, newest, newest), newest, reach);
  const Agreement agreement = compare(reference.patch, alone, fine.reference_from_points);
  if (agreement.share() < kAgreement || agreement.same < kLeastSame) return std::nullopt;
  return PoseLink{newest - 1, newest, fine.reference_from_points, fine.information, true};
}

}  // namespace forerun::mapping
