#include "forerun/mapping/closure.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mapping/coarse_match.hpp"
#include "forerun/mapping/line_match.hpp"

namespace forerun::mapping {
namespace {

constexpr int kOldView = 6;             // scans to each side of the old one that belong to its view
constexpr int kNewView = 5;             // scans before the newest one that belong to its view
constexpr double kThinned = 0.12;       // points of the coarse match are about this far apart [m]
constexpr double kAngleStep = 0.0175;   // of the coarse match [rad]
constexpr double kLeastScore = 0.4;     // of the coarse match
constexpr double kOnlyOne = 0.9;        // another place may score at most this share of the best
constexpr double kLeastMatched = 0.4;   // of the flat points
constexpr double kLeastOverlap = 0.35;  // of what both views see
constexpr double kMostShift = 0.3;      // between coarse and fine [m]
constexpr double kMostTurn = 0.15;      // [rad]

}  // namespace

std::vector<int> list_scans(const PlacedSweeps& placed, int first, int last) {
  std::vector<int> scans;
  for (int i = std::max(0, first); i <= last && i < static_cast<int>(placed.sweeps.size()); ++i) scans.push_back(i);
  return scans;
}

std::optional<PoseLink> find_closure(const PlacedSweeps& placed, const ClosureGuess& guess,
                                     const ClosureNeeds& params) {
  const Pose2 believed =
      inverse(placed.poses[static_cast<std::size_t>(guess.old)]) * placed.poses[static_cast<std::size_t>(guess.newest)];
  // two views, made of other scans
  const auto old_scans =
      list_scans(placed, guess.old - kOldView, std::min(guess.old + kOldView, guess.newest - kNewView - 1));
  const auto new_scans = list_scans(placed, guess.newest - kNewView, guess.newest + guess.n_ahead);
  const Reference old(make_patch(placed, old_scans, guess.old, params.reach_m), params.reach_m);
  const Patch fresh = make_patch(placed, new_scans, guess.newest, params.reach_m);

  // the best pose in the window, and whether it is the only good one
  const SearchWindow window{believed, guess.reach, guess.turn, guess.reach, guess.turn};
  const CoarseMatch coarse = match_coarsely(old.likelihood, thin_out(fresh.points, kThinned), window, kAngleStep);
  if (coarse.score < kLeastScore || coarse.runner_up > kOnlyOne * coarse.score) return std::nullopt;
  const LineMatch fine = match_to_lines(old.index, fresh.points, coarse.reference_from_points);
  const Pose2 shift = inverse(coarse.reference_from_points) * fine.reference_from_points;
  if (length(shift.position()) > kMostShift || std::fabs(shift.theta) > kMostTurn) return std::nullopt;

  // do both views say the same?
  const Agreement agreement = compare(old.patch, fresh, fine.reference_from_points);
  const bool same = agreement.share() > params.agreement && agreement.overlap() > kLeastOverlap;
  if (!same || fine.share_matched < kLeastMatched) return std::nullopt;
  return PoseLink{guess.old, guess.newest, fine.reference_from_points, fine.information, true};
}

}  // namespace forerun::mapping
