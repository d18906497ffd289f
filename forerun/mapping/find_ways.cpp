#include "forerun/mapping/find_ways.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <queue>
#include <utility>

namespace forerun::mapping {
namespace {

constexpr double kClosureLength = 0.5;  // what a recognised place counts: the error of its match [m]
constexpr double kBelieved = 0.3;       // links of less weight are not

struct Road {
  int to = 0;
  double length = 0;  // [m]
};

std::vector<std::vector<Road>> make_roads(const PoseGraph& graph, std::span<const double> driven) {
  std::vector<std::vector<Road>> roads(graph.nodes().size());
  for (const PoseLink& link : graph.links()) {
    if (link.weight < kBelieved) continue;
    const auto from = static_cast<std::size_t>(link.from), to = static_cast<std::size_t>(link.to);
    const bool neighbours = std::abs(link.from - link.to) == 1;
    const double length = neighbours ? std::fabs(driven[from] - driven[to]) : kClosureLength;
    roads[from].push_back({link.to, length});
    roads[to].push_back({link.from, length});
  }
  return roads;
}

}  // namespace

std::vector<double> find_ways(const PoseGraph& graph, std::span<const double> driven, int start) {
  const auto roads = make_roads(graph, driven);
  std::vector<double> ways(roads.size(), kInfinity);
  // Dijkstra 1959
  using Open = std::pair<double, int>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  ways[static_cast<std::size_t>(start)] = 0;
  open.emplace(0, start);
  while (!open.empty()) {
    const auto [way, node] = open.top();
    open.pop();
    if (way > ways[static_cast<std::size_t>(node)]) continue;
    for (const Road& road : roads[static_cast<std::size_t>(node)]) {
      double& known = ways[static_cast<std::size_t>(road.to)];
      if (way + road.length >= known) continue;
      known = way + road.length;
      open.emplace(known, road.to);
    }
  }
  return ways;
}

}  // namespace forerun::mapping
