#include "forerun/robot/planned_path.hpp"

#include <algorithm>

#include "forerun/geom/box.hpp"

namespace forerun::robot {
namespace {

constexpr int kCarriedAtOnce = 3;                      // reports after a change
constexpr Duration kRepeatInterval = from_seconds(1);  // later

bool is_place(Vec2 p) noexcept {
  return p.x >= -kFarthestPlan && p.x <= kFarthestPlan && p.y >= -kFarthestPlan && p.y <= kFarthestPlan;
}

// What lies between two kept points, and which of it a straight line misses most.
struct Piece {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t worst = 0;
  double off = 0;  // [m]
};

Piece look_at(std::span<const Vec2> points, std::size_t first, std::size_t last) noexcept {
  Piece piece{first, last, first, 0};
  for (std::size_t i = first + 1; i < last; ++i) {
    if (!is_place(points[i])) continue;
    const double off = distance(points[i], nearest_point({points[first], points[last]}, points[i]));
    if (off <= piece.off) continue;
    piece.off = off;
    piece.worst = i;
  }
  return piece;
}

using Pieces = FixedVector<Piece, PlannedPath::capacity() - 1>;  // in the order of the path

void split(Pieces& pieces, Piece* place, std::span<const Vec2> points) noexcept {
  const Piece whole = *place;
  pieces.push_back({});
  std::copy_backward(place, pieces.end() - 1, pieces.end());
  place[0] = look_at(points, whole.first, whole.worst);
  place[1] = look_at(points, whole.worst, whole.last);
}

}  // namespace

PlannedPath thin_path(std::span<const Vec2> points) noexcept {
  const auto first = std::find_if(points.begin(), points.end(), is_place);
  if (first == points.end()) return {};
  const auto last = std::find_if(points.rbegin(), points.rend(), is_place);
  const auto first_at = static_cast<std::size_t>(first - points.begin());
  const auto last_at = points.size() - 1 - static_cast<std::size_t>(last - points.rbegin());

  Pieces pieces;
  pieces.push_back(look_at(points, first_at, last_at));
  while (!pieces.full()) {
    Piece* worst =
        std::max_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.off < b.off; });
    if (worst->off <= kPlanTolerance) break;
    split(pieces, worst, points);
  }

  PlannedPath path;
  path.push_back(points[first_at]);
  for (const Piece& piece : pieces) {
    if (path.size() > 1 || points[piece.last] != path.back()) path.push_back(points[piece.last]);
  }
  return path;
}

void PlanRepeats::apply(Report& report) noexcept {
  if (report.planned_path && report.planned_path != plan_) {
    plan_ = report.planned_path;
    n_carried_ = 0;
  }
  report.planned_path.reset();
  if (!plan_) return;
  const Duration since = report.time - carried_at_;
  // a clock that went back says nothing of how long ago it was
  if (n_carried_ >= kCarriedAtOnce && since.ns >= 0 && since < kRepeatInterval) return;
  n_carried_ = std::min(n_carried_ + 1, kCarriedAtOnce);
  carried_at_ = report.time;
  report.planned_path = plan_;
}

}  // namespace forerun::robot
