// Where a path meets itself: the small entries of its distance matrix, found without building it (DEC-6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::mission {

struct PinchParams {
  double reach_m = 0.05;     // the path meets itself within this distance [m]
  double shortest_m = 0.15;  // on the way between the two points it has driven at least this far [m]
  double spacing_m = 0.01;   // points nearer along the path than this count as one [m]
};

template <class Visit>
void visit_fields(PinchParams& p, Visit&& visit) {
  visit("reach_m", p.reach_m, Field{0.001, 1, "the path meets itself within this distance [m]"});
  visit("shortest_m", p.shortest_m, Field{0.002, 10, "least way driven between the two points [m]"});
  visit("spacing_m", p.spacing_m, Field{0.001, 1, "points nearer along the path than this count as one [m]"});
}

// A path thinned out: places at least `spacing_m` of way apart, its first and its last point among them.
struct Stations {
  std::vector<std::uint32_t> index;  // of the path's points
  std::vector<Vec2> place;
  std::vector<double> along;  // way driven up to there [m]

  [[nodiscard]] std::size_t size() const noexcept { return index.size(); }
};
// `along` as `lengths_along` gives it.
[[nodiscard]] Stations make_stations(std::span<const Vec2> path, std::span<const double> along, double spacing_m);

inline constexpr std::uint32_t kNoReturn = UINT32_MAX;

// For each station the first later one that is within reach of it after at least the shortest way; kNoReturn where the
// path never comes back. The work hardly depends on how often the path comes by: a grid of cells says who is near.
[[nodiscard]] std::vector<std::uint32_t> find_returns(const Stations& stations, const PinchParams& params);

// A pair of stations, the best of its neighbours: a large part of the path between them, and near to each other.
struct PinchPoint {
  std::uint32_t from = 0;  // numbers of stations
  std::uint32_t to = 0;
  std::uint32_t next = 0;  // where the search for the next one goes on, unless what lies between is cut
};

// The first one from this station on.
[[nodiscard]] std::optional<PinchPoint> next_pinch_point(const Stations& stations,
                                                         std::span<const std::uint32_t> returns, std::uint32_t from);
// All of them, one after the other.
[[nodiscard]] std::vector<PinchPoint> pinch_points(const Stations& stations, std::span<const std::uint32_t> returns);

}  // namespace forerun::mission
