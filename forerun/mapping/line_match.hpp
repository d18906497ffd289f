// Fine matching: the pose at which points lie on the lines of a reference, with how well that is known.
#pragma once

#include <span>

#include "forerun/geom/matrix.hpp"
#include "forerun/mapping/surface_index.hpp"

namespace forerun::mapping {

struct LineMatch {
  Pose2 reference_from_points;
  Matrix<3, 3> information;  // of x, y, theta in the reference's axes about the points' origin [1/m², 1/rad²]
  double share_matched = 0;  // of the flat points: those that lie on a line of the reference
  double weakest_sigma = 0;  // of the position in the direction that is known least [m]; along a corridor it is large
  bool converged = false;
};

// Gauss and Newton over point-to-line distances from `start` on, and over distances between points that are on no line,
// which count little: in a corridor door frames are all there is. Outliers count less the further off they are
// (Geman and McClure 1987), by a scale that shrinks from step to step.
[[nodiscard]] LineMatch match_to_lines(const SurfaceIndex& reference, std::span<const SurfacePoint> points,
                                       const Pose2& start);

}  // namespace forerun::mapping
