// How far it is from one pose of a graph to the others along its links: the further, the less is known of where they
// are to each other.
#pragma once

#include <span>
#include <vector>

#include "forerun/mapping/pose_graph.hpp"

namespace forerun::mapping {

// The shortest ways from `start` [m]; infinite where no links lead. `driven` is the way until each node. A link between
// neighbours is as long as the drive, a recognised place counts little, and one that is hardly believed does not count.
[[nodiscard]] std::vector<double> find_ways(const PoseGraph& graph, std::span<const double> driven, int start);

}  // namespace forerun::mapping
