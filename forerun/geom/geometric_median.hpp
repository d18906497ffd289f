// The middle of several poses that a few strays hardly move.
#pragma once

#include <span>

#include "forerun/geom/pose.hpp"

namespace forerun {

// Where the mean distance to all poses is least, or hardly more; `first` counts as often as stated. Its heading is that
// of the poses near there.
[[nodiscard]] Pose2 geometric_median(const Pose2& first, double count, std::span<const Pose2> others) noexcept;

// The same with a weight for each pose; those nearer to it than `near` [m] count as if they were that far, so that
// poses about as far apart are averaged, and among those farther apart the heaviest are chosen.
[[nodiscard]] Pose2 geometric_median(std::span<const Pose2> poses, std::span<const double> weights,
                                     double near) noexcept;

}  // namespace forerun
