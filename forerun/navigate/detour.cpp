#include "forerun/navigate/detour.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::navigate {
namespace {

constexpr double kSlack = 0.1;         // obstacles this near to the point itself do not hide it [m]
constexpr float kDearest = 5;          // of the window's factors
constexpr double kElbowRoom = 0.15;    // nearer than this to touching an obstacle costs more [m]
constexpr float kTight = 2;            // times more
constexpr double kEscape = 0.4;        // so far a robot that stands too near to something may drive past it [m]
constexpr double kBeliefError = 0.15;  // of the pose in the planner's map [m]
constexpr double kTurnCost = 0.25;     // of setting off in another direction than preferred [m/rad]

}  // namespace

bool is_in_sight(const ObstacleField& obstacles, Vec2 point_in_robot, double radius) noexcept {
  const double way = length(point_in_robot);
  if (way < kSlack) return true;
  return obstacles.free_way(point_in_robot * (1 / way), radius, way) >= way - kSlack;
}

std::optional<Vec2> Detour::find(const ValueFunction& values, const PlanningModel& model,
                                 const ObstacleField& obstacles, const Transform2& world_from_robot,
                                 const DetourWish& wish) noexcept {
  radius_ = wish.radius;
  place(world_from_robot);
  mark(model, obstacles, world_from_robot);
  spread(wish.preferred);
  const auto best = best_exit(values, wish.worst_retreat);
  if (!best) return std::nullopt;
  return farthest_in_sight(*best);
}

void Detour::place(const Transform2& world_from_robot) noexcept {
  const double half = 0.5 * kSide * kCellSize;
  frame_ = {kSide, kSide, kCellSize, world_from_robot.translation - Vec2{half, half}};
  start_ = frame_.index({kSide / 2, kSide / 2});
}

// Closes what the planner knows to be closed, and a disc about every obstacle that the sensors show.
void Detour::mark(const PlanningModel& model, const ObstacleField& obstacles,
                  const Transform2& world_from_robot) noexcept {
  for (std::size_t i = 0; i < kCells; ++i) {
    const Vec2 center = frame_.center(frame_.cell_at(i));
    const Cell known = model.clearance.frame().cell_of(center);
    // walls are seen as well; the planner's copies of them must not narrow a doorway twice
    const bool open =
        model.clearance.frame().contains(known) && static_cast<double>(model.clearance[known]) > radius_ - kBeliefError;
    if (open) {
      factor_[i] = std::min(static_cast<float>(model.grid.factor(known)), kDearest);
    } else {
      // where the robot already is, the planner's walls are not quite where it believes them
      factor_[i] = distance(center, world_from_robot.translation) < kEscape ? kDearest : 0;
    }
  }
  for (const Obstacle& o : obstacles.nearest_first()) close_around(world_from_robot * o.point_in_robot);
}

void Detour::close_around(Vec2 obstacle) noexcept {
  const double tight = radius_ + kElbowRoom;
  const Cell low = frame_.cell_of(obstacle - Vec2{tight, tight}), high = frame_.cell_of(obstacle + Vec2{tight, tight});
  for (int y = std::max(0, low.y); y <= std::min(kSide - 1, high.y); ++y) {
    for (int x = std::max(0, low.x); x <= std::min(kSide - 1, high.x); ++x) {
      const Vec2 d = frame_.center({x, y}) - obstacle;
      const double d2 = dot(d, d);
      float& factor = factor_[frame_.index({x, y})];
      if (d2 < radius_ * radius_) {
        factor = 0;
      } else if (d2 < tight * tight && factor > 0) {
        factor = std::max(factor, kTight);
      }
    }
  }
}

// Costs from the robot to every open cell, in order of cost.
void Detour::spread(Vec2 preferred) noexcept {
  cost_.fill(kInfinity);
  cost_[start_] = 0;
  queue_.clear();
  queue_.push(0, static_cast<std::uint32_t>(start_));
  for (std::int64_t bucket = 0; !queue_.empty(); ++bucket) {
    queue_.drain(bucket, [&](std::uint32_t cell) {
      // entered again since, with a lower cost
      if (bucket_of(cost_[cell]) == bucket) relax(cell, preferred);
    });
  }
}

void Detour::relax(std::size_t from, Vec2 preferred) noexcept {
  const Cell cell = frame_.cell_at(from);
  for (int d = 0; d < kDirections; ++d) {
    const Cell next{cell.x + kSteps[static_cast<std::size_t>(d)].x, cell.y + kSteps[static_cast<std::size_t>(d)].y};
    if (!frame_.contains(next)) continue;
    const std::size_t to = frame_.index(next);
    if (factor_[to] == 0) continue;
    double cost = cost_[from] + step_length(d) * kCellSize * static_cast<double>(factor_[to]);
    if (from == start_) {
      // sets off the way it went before rather than dithering
      const Vec2 step = unit_vector(d * kPi / 4);
      cost += kTurnCost * std::fabs(atan2(cross(preferred, step), dot(preferred, step)));
    }
    if (cost >= cost_[to]) continue;
    cost_[to] = cost;
    from_[to] = static_cast<std::uint16_t>(from);
    queue_.push(bucket_of(cost), static_cast<std::uint32_t>(to));
  }
}

// Where the way leaves the window, or ends at the goal inside it: the way there and the value from there on cost least.
std::optional<std::size_t> Detour::best_exit(const ValueFunction& values, double worst_retreat) const noexcept {
  std::optional<std::size_t> best;
  double least = kInfinity;
  const double worst = value_at(values, start_) + worst_retreat;
  const auto consider = [&](Cell cell) {
    const std::size_t i = frame_.index(cell);
    const double cost = cost_[i] + value_at(values, i);
    if (i == start_ || value_at(values, i) > worst || cost >= least) return;
    least = cost;
    best = i;
  };
  for (int k = 0; k < kSide; ++k) {
    for (const Cell cell : {Cell{k, 0}, Cell{k, kSide - 1}, Cell{0, k}, Cell{kSide - 1, k}}) consider(cell);
  }
  const Cell goal = frame_.cell_of(values.frame().center(values.goal()));
  if (frame_.contains(goal)) consider(goal);
  return best;
}

// What the planner makes of the way on from a cell of the window [m].
double Detour::value_at(const ValueFunction& values, std::size_t cell) const noexcept {
  return values.value(values.frame().cell_of(frame_.center(frame_.cell_at(cell)))) * values.frame().cell_size;
}

Vec2 Detour::farthest_in_sight(std::size_t cell) const noexcept {
  const Vec2 robot = frame_.center(frame_.cell_at(start_));
  while (from_[cell] != start_ && !line_is_open(robot, frame_.center(frame_.cell_at(cell)))) cell = from_[cell];
  return frame_.center(frame_.cell_at(cell));
}

bool Detour::line_is_open(Vec2 from, Vec2 to) const noexcept {
  const int n = static_cast<int>(distance(from, to) / (0.5 * kCellSize)) + 1;
  for (int i = 1; i <= n; ++i) {
    if (factor_[frame_.index(frame_.cell_of(from + (to - from) * (static_cast<double>(i) / n)))] == 0) return false;
  }
  return true;
}

}  // namespace forerun::navigate
