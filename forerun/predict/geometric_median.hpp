// The middle of several poses that a few strays hardly move.
#pragma once

#include <span>

#include "forerun/geom/pose.hpp"

namespace forerun::predict {

// Where the mean distance to all poses is least, or hardly more; `first` counts as often as stated. Its heading is that
// of the poses near there.
[[nodiscard]] Pose2 geometric_median(const Pose2& first, double count, std::span<const Pose2> others) noexcept;

}  // namespace forerun::predict
