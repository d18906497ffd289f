// Coarse matching: the best pose in a whole window of poses, found by branch and bound (Olson 2009; Hess and others
// 2016).
#pragma once

#include <span>

#include "forerun/mapping/likelihood_grid.hpp"

namespace forerun::mapping {

// Poses around one that is believed.
struct SearchWindow {
  Pose2 middle;                   // reference_from_points
  double reach = 0.5;             // to each side along both axes [m]
  double turn = 0.3;              // to each side [rad]
  double sigma = kInfinity;       // of the belief: poses further off need to fit better [m]
  double turn_sigma = kInfinity;  // [rad]
};

struct CoarseMatch {
  Pose2 reference_from_points;
  double score = 0;      // mean of what the points fit, 0 … 1, less what the belief holds against the pose
  double runner_up = 0;  // at least the score of the best pose elsewhere: more than 0.7 m or 0.5 rad off
};

// The exact best of all poses on the grid's cells and in steps of `angle_step`. Where there are no points, the middle.
[[nodiscard]] CoarseMatch match_coarsely(const LikelihoodGrid& reference, std::span<const SurfacePoint> points,
                                         const SearchWindow& window, double angle_step = 0.0087);

}  // namespace forerun::mapping
