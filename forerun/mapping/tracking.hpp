// The pose of a new scan in the frame of the one before, from odometry and from what the last scans saw.
#pragma once

#include <optional>

#include "forerun/mapping/patch.hpp"
#include "forerun/mapping/pose_graph.hpp"

namespace forerun::mapping {

// What odometry says of the last step, and how much that is worth: wheels slip most where robots turn.
[[nodiscard]] PoseLink link_by_odometry(const PlacedSweeps& placed, int newest);

// What matching says; nothing where the new scan does not fit the `n_recent` ones before it. Poses must be known up to
// `newest`, for which odometry is good enough.
[[nodiscard]] std::optional<PoseLink> link_by_matching(const PlacedSweeps& placed, int newest, int n_recent,
                                                       double reach);

}  // namespace forerun::mapping
