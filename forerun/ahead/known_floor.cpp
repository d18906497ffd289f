#include "forerun/ahead/known_floor.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/world/mover.hpp"

namespace forerun::ahead {
namespace {

constexpr double kPointsApart = 0.1;  // on the outline [m]
constexpr double kPlenty = 0.3;       // with so much room nobody looks closer [m]
constexpr double kTouch = 0.01;       // an outline so near to something touches it [m]

std::vector<Vec2> points_on(const robot::Footprint& footprint) {
  std::vector<Vec2> points;
  const std::size_t n = footprint.corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 from = footprint.corners[i], side = footprint.corners[(i + 1) % n] - from;
    const int steps = std::max(1, static_cast<int>(std::ceil(length(side) / kPointsApart)));
    for (int k = 0; k < steps; ++k) points.push_back(from + side * (static_cast<double>(k) / steps));
  }
  return points;
}

}  // namespace

KnownFloor::KnownFloor(const Grid<float>& clearance, const robot::Footprint& footprint,
                       std::span<const world::Door> doors)
    : clearance_(clearance),
      radius_(footprint.radius),
      outline_(points_on(footprint)),
      doors_(doors.begin(), doors.end()) {}

// Between the middles of four cells, each of which knows its own distance.
double KnownFloor::clearance_at(Vec2 place) const noexcept {
  const GridFrame& frame = clearance_.frame();
  const double x = (place.x - frame.origin.x) / frame.cell_size - 0.5;
  const double y = (place.y - frame.origin.y) / frame.cell_size - 0.5;
  // far outside there is nothing, and no number that fits a cell
  if (!(x >= 0 && y >= 0 && x < frame.width - 1 && y < frame.height - 1)) return 0;
  const Cell low{static_cast<int>(x), static_cast<int>(y)};
  const double right = x - low.x, up = y - low.y;
  const auto at = [&](int dx, int dy) { return static_cast<double>(clearance_[Cell{low.x + dx, low.y + dy}]); };
  return (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - up) + (at(0, 1) * (1 - right) + at(1, 1) * right) * up;
}

double KnownFloor::room_before(const world::Mover& thing, const Pose2& pose) const noexcept {
  if (distance(thing.pose.position(), pose.position()) > thing.radius + radius_ + kPlenty) return kPlenty;
  if (is_round()) return world::plan_distance(thing, pose.position()) - radius_;
  double least = kPlenty;
  for (const Vec2 point : outline_) least = std::min(least, world::plan_distance(thing, pose * point) - kTouch);
  return least;
}

double KnownFloor::room(const Pose2& pose, const sense::SeenWorld* seen) const noexcept {
  double least = std::min(kPlenty, clearance_at(pose.position()) - radius_);
  if (least < kPlenty && !is_round()) {
    least = kPlenty;
    const double half_cell = 0.5 * clearance_.frame().cell_size;
    for (const Vec2 point : outline_) least = std::min(least, clearance_at(pose * point) - half_cell);
  }
  const bool doors_told = seen != nullptr && seen->moves_doors();
  for (const world::Door& door : doors_) {
    if (!door.open && !doors_told) least = std::min(least, room_before(world::make_leaf(door, 0), pose));
  }
  if (seen == nullptr) return least;
  for (const robot::Change& change : seen->changes()) {
    const bool is_door = change.kind == robot::Change::Kind::door;
    if (is_door && change.door >= doors_.size()) continue;
    const world::Mover thing =
        is_door ? world::make_leaf(doors_[change.door], change.opening)
                : world::make_box(change.pose, {2 * change.half_length, 2 * change.half_width}, 1, 0);
    least = std::min(least, room_before(thing, pose));
  }
  return least;
}

bool KnownFloor::stops(const Pose2& from, const Pose2& to, const sense::SeenWorld* seen, double slack) const noexcept {
  constexpr double kRounding = 1e-9;  // [m]
  const double then = room(to, seen);
  return then < -slack && then < room(from, seen) - kRounding;
}

}  // namespace forerun::ahead
