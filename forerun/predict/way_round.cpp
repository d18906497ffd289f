#include "forerun/predict/way_round.hpp"

#include <algorithm>

#include "forerun/navigate/line_of_sight.hpp"
#include "forerun/navigate/planning_grid.hpp"

namespace forerun::predict {
namespace {

constexpr float kFar = 1e9F;
constexpr float kTaken = -1;

}  // namespace

bool Room::has(Cell cell, double needed) const noexcept {
  return frame().contains(cell) && clearance_[cell] > 0 && clearance_[cell] >= needed;
}

bool Room::can_stand(Vec2 place) const noexcept {
  return navigate::covers(frame(), place) && has(frame().cell_of(place), 0.5 * body_radius_);
}

double Room::needed(Vec2 from, Vec2 to) const noexcept {
  constexpr double kRounding = 1e-6;
  const double at_ends = std::min(clearance_[frame().cell_of(from)], clearance_[frame().cell_of(to)]);
  return std::max(0.5 * body_radius_, std::min(body_radius_, at_ends) - frame().cell_size - kRounding);
}

bool Room::can_slide(Vec2 from, Vec2 to) const noexcept {
  if (!can_stand(from) || !can_stand(to)) return false;
  const double room = needed(from, to);
  return navigate::visit_line(frame(), from, to, [&](Cell cell) { return has(cell, room); });
}

// The way over a neighbour; kFar where there is none. A diagonal step only where both cells beside it are free.
float WayRound::over(Cell cell, unsigned direction) const noexcept {
  const auto value = [&](unsigned d) {
    const Cell beside = navigate::neighbour(cell, d % navigate::kDirections);
    return contains(beside) ? at(beside) : kTaken;
  };
  const float there = value(direction);
  if (there == kTaken) return kFar;
  if (navigate::is_diagonal(direction) && (value(direction + 1) == kTaken || value(direction - 1) == kTaken)) {
    return kFar;
  }
  return there + static_cast<float>(navigate::step_length(direction));
}

bool WayRound::improve(Cell cell) noexcept {
  const float now = at(cell);
  if (now == kTaken) return false;
  float best = now;
  for (unsigned d = 0; d < navigate::kDirections; ++d) best = std::min(best, over(cell, d));
  at(cell) = best;
  return best < now;
}

// There and back; true while anything changes.
bool WayRound::sweep() noexcept {
  bool changed = false;
  for (int i = 0; i < size_ * size_; ++i) changed |= improve({low_.x + i % size_, low_.y + i / size_});
  for (int i = size_ * size_ - 1; i >= 0; --i) changed |= improve({low_.x + i % size_, low_.y + i / size_});
  return changed;
}

double WayRound::find(const Room& room, Vec2 from, Vec2 to, double longest) noexcept {
  const GridFrame& frame = room.frame();
  if (distance(from, to) > longest || !room.can_stand(from) || !room.can_stand(to)) return kInfinity;
  // no such way leads farther than half its length from the middle between its ends
  const double half = std::min(0.5 * longest / frame.cell_size + 1, 0.5 * (kMaxSize - 1));
  size_ = 2 * static_cast<int>(half) + 1;
  const Cell middle = frame.cell_of((from + to) * 0.5);
  low_ = {middle.x - size_ / 2, middle.y - size_ / 2};
  to_ = to;
  goal_ = frame.cell_of(to);
  if (!contains(goal_) || !contains(frame.cell_of(from))) return kInfinity;

  const double needed = room.needed(from, to);
  for (int y = low_.y; y < low_.y + size_; ++y) {
    for (int x = low_.x; x < low_.x + size_; ++x) at({x, y}) = room.has({x, y}, needed) ? kFar : kTaken;
  }
  at(goal_) = 0;
  while (sweep()) {
  }
  const float cells = at(frame.cell_of(from));
  const double way = static_cast<double>(cells) * frame.cell_size;
  return cells < kFar && way <= longest ? way : kInfinity;
}

// The neighbour over which the way goes on; the cell itself at the end.
Cell WayRound::next(Cell cell) const noexcept {
  Cell best = cell;
  float least = kFar;
  for (unsigned d = 0; d < navigate::kDirections && !(cell == goal_); ++d) {
    const float way = over(cell, d);
    if (way >= least) continue;
    least = way;
    best = navigate::neighbour(cell, d);
  }
  return best;
}

Vec2 WayRound::farthest_in_sight(const Room& room, Vec2 from) const noexcept {
  if (room.can_slide(from, to_)) return to_;
  Vec2 best = from;
  for (Cell cell = room.frame().cell_of(from); !(cell == goal_);) {
    const Cell after = next(cell);
    if (after == cell || !room.can_slide(from, room.frame().center(after))) break;
    cell = after;
    best = room.frame().center(cell);
  }
  return best;
}

Vec2 WayRound::follow(const Room& room, Vec2 from, double step) const noexcept {
  constexpr int kMaxBends = 8;  // in one step
  Vec2 at_now = from;
  double left = step;
  for (int i = 0; i < kMaxBends && left > 0; ++i) {
    const Vec2 towards = farthest_in_sight(room, at_now);
    const double far = distance(at_now, towards);
    if (far <= 0) break;
    const double share = std::min(1.0, left / far);
    at_now = share < 1 ? at_now + (towards - at_now) * share : towards;
    left -= far;
  }
  return at_now;
}

}  // namespace forerun::predict
