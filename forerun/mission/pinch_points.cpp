#include "forerun/mission/pinch_points.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/check.hpp"

namespace forerun::mission {
namespace {

// Within one run the other ends move along with the first; a jump by more than this begins another run [m].
constexpr double kSameRun = 0.2;
// A pass through the reach of a station is looked at for so many times the reach.
constexpr double kLongestPass = 4;
// Of a run the first pairs have most of the path between them: a pair counts as this much farther apart for every metre
// of way from there.
constexpr double kLater = 0.1;

// Stations by the cell that they lie in, in the order of the path within each cell.
class CellIndex {
 public:
  CellIndex(const Stations& stations, double cell_size) : cell_size_(cell_size), order_(stations.size()) {
    keys_.reserve(stations.size());
    for (const Vec2& place : stations.place) keys_.push_back(key(cell(place.x), cell(place.y)));
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b; });
  }

  // Calls `visit(span of stations)` for each cell that comes within two cells of the place.
  template <class Visit>
  void for_each_near(Vec2 place, std::uint32_t from, Visit&& visit) const {
    const std::int64_t x = cell(place.x), y = cell(place.y);
    // the own cell first: whoever is there is within reach, which ends the search in the others early
    look(key(x, y), from, visit);
    for (std::int64_t dy = -2; dy <= 2; ++dy) {
      for (std::int64_t dx = -2; dx <= 2; ++dx) {
        if (dx != 0 || dy != 0) look(key(x + dx, y + dy), from, visit);
      }
    }
  }

 private:
  [[nodiscard]] std::int64_t cell(double coordinate) const noexcept {
    return static_cast<std::int64_t>(std::floor(coordinate / cell_size_));
  }
  // Cells 2³² apart share a key, and what is far away is left out later.
  static std::uint64_t key(std::int64_t x, std::int64_t y) noexcept {
    return static_cast<std::uint64_t>(x) << 32 | (static_cast<std::uint64_t>(y) & 0xffffffffu);
  }
  template <class Visit>
  void look(std::uint64_t wanted, std::uint32_t from, Visit&& visit) const {
    auto it = std::lower_bound(order_.begin(), order_.end(), from, [&](std::uint32_t a, std::uint32_t least) {
      return keys_[a] != wanted ? keys_[a] < wanted : a < least;
    });
    while (it != order_.end() && keys_[*it] == wanted && visit(*it)) ++it;
  }

  double cell_size_;
  std::vector<std::uint64_t> keys_;   // of each station
  std::vector<std::uint32_t> order_;  // stations by key
};

double length_between(const Stations& stations, std::uint32_t from, std::uint32_t to) noexcept {
  return stations.along[to] - stations.along[from];
}

// The path comes back into reach of a station: where it is nearest while it stays there.
std::uint32_t nearest_pass(const Stations& stations, std::uint32_t from, std::uint32_t back) noexcept {
  double nearest = distance(stations.place[from], stations.place[back]);
  const double reach = nearest, end = stations.along[back] + kLongestPass * nearest;
  std::uint32_t best = back;
  for (std::uint32_t j = back + 1; j < stations.size() && stations.along[j] < end; ++j) {
    const double gap = distance(stations.place[from], stations.place[j]);
    if (gap > reach) break;
    if (gap < nearest) {
      nearest = gap;
      best = j;
    }
  }
  return best;
}

}  // namespace

Stations make_stations(std::span<const Vec2> path, std::span<const double> along, double spacing_m) {
  FORERUN_CHECK(path.size() == along.size() && path.size() < kNoReturn);
  Stations stations;
  for (std::uint32_t i = 0; i < path.size(); ++i) {
    const bool is_last = i + 1 == path.size();
    if (!stations.index.empty() && !is_last && along[i] - stations.along.back() < spacing_m) continue;
    stations.index.push_back(i);
    stations.place.push_back(path[i]);
    stations.along.push_back(along[i]);
  }
  return stations;
}

std::vector<std::uint32_t> find_returns(const Stations& stations, const PinchParams& params) {
  // two places in one cell are within reach of each other
  const CellIndex cells(stations, params.reach_m / sqrt(2.0));
  const double reach2 = square(params.reach_m);
  std::vector<std::uint32_t> returns(stations.size(), kNoReturn);
  std::uint32_t far_enough = 0;
  for (std::uint32_t i = 0; i < stations.size(); ++i) {
    while (far_enough < stations.size() && length_between(stations, i, far_enough) < params.shortest_m) ++far_enough;
    const Vec2 place = stations.place[i];
    std::uint32_t& first = returns[i];
    cells.for_each_near(place, far_enough, [&](std::uint32_t j) {
      if (j >= first) return false;
      const Vec2 d = stations.place[j] - place;
      if (dot(d, d) > reach2) return true;
      first = j;
      return false;
    });
  }
  return returns;
}

std::optional<PinchPoint> next_pinch_point(const Stations& stations, std::span<const std::uint32_t> returns,
                                           std::uint32_t from) {
  while (from < returns.size() && returns[from] == kNoReturn) ++from;
  if (from >= returns.size()) return std::nullopt;
  const std::uint32_t first_end = nearest_pass(stations, from, returns[from]);
  PinchPoint best{from, first_end, from};
  double best_cost = kInfinity;
  for (std::uint32_t i = from; i < first_end && returns[i] != kNoReturn; ++i) {
    if (i > from && std::fabs(length_between(stations, returns[i - 1], returns[i])) > kSameRun) break;
    const std::uint32_t end = nearest_pass(stations, i, returns[i]);
    const double gap = distance(stations.place[i], stations.place[end]);
    const double cost = gap + kLater * length_between(stations, from, i);
    if (cost < best_cost) {
      best_cost = cost;
      best.from = i;
      best.to = end;
    }
    best.next = i + 1;
  }
  return best;
}

std::vector<PinchPoint> pinch_points(const Stations& stations, std::span<const std::uint32_t> returns) {
  std::vector<PinchPoint> all;
  std::uint32_t at = 0;
  while (const auto pinch = next_pinch_point(stations, returns, at)) {
    all.push_back(*pinch);
    at = pinch->next;
  }
  return all;
}

}  // namespace forerun::mission
