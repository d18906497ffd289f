#include "forerun/navigate/detour.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "forerun/base/four.hpp"

namespace forerun::navigate {
namespace {

constexpr double kSlack = 0.1;         // obstacles this near to the point itself do not hide it [m]
constexpr float kDearest = 5;          // of the window's factors
constexpr double kElbowRoom = 0.15;    // nearer than this to touching an obstacle costs more [m]
constexpr float kTight = 2;            // times more
constexpr double kEscape = 0.4;        // so far a robot that stands too near to something may drive past it [m]
constexpr double kBeliefError = 0.15;  // of the pose in the planner's map [m]
constexpr double kTurnCost = 0.25;     // of setting off in another direction than preferred [m/rad]
constexpr double kParkWithin = 2.0;    // [m]
constexpr double kToGetPast = 0.64;    // beside a parked robot, from its middle to that of a person [m]
constexpr double kAtSide = 4;          // a metre off the side costs as much as so many metres of way
constexpr double kRoomBefore = 1.2;    // left, if possible, to what stands in the way [m]
constexpr double kKeepOff = 2.5;       // a metre less costs as much as so many metres of way
constexpr double kRightHand = 0.15;    // parking on the left costs as much as this way [m]
constexpr double kOffMap = 0.3;        // what is seen so far from everything on the map is not on it [m]

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
  list_exits(values, wish.worst_retreat);
  spread(wish.preferred);
  const auto best = best_exit();
  if (!best) return std::nullopt;
  return farthest_in_sight(best->cell);
}

void Detour::place(const Transform2& world_from_robot) noexcept {
  const double half = 0.5 * kSide * kCellSize;
  frame_ = {kSide, kSide, kCellSize, world_from_robot.translation - Vec2{half, half}};
  start_ = frame_.index({kSide / 2, kSide / 2});
}

// Closes what the planner knows to be closed, and a disc about every obstacle that the sensors show.
void Detour::mark(const PlanningModel& model, const ObstacleField& obstacles,
                  const Transform2& world_from_robot) noexcept {
  // which of the planner's columns a column of the window lies in, the same for every row; −1: outside
  const GridFrame& planner = model.clearance.frame();
  std::array<int, kSide> columns;
  for (int x = 0; x < kSide; ++x) {
    const int known = planner.cell_of(frame_.center({x, 0})).x;
    columns[static_cast<std::size_t>(x)] = known < planner.width ? std::max(known, -1) : -1;
  }
  // the robot stands in the middle
  const auto is_near = [](int cell) { return std::abs(cell - kSide / 2) <= static_cast<int>(kEscape / kCellSize) + 1; };
  std::size_t i = 0;
  for (int y = 0; y < kSide; ++y) {
    const int row = planner.cell_of(frame_.center({0, y})).y;
    const bool inside = row >= 0 && row < planner.height;
    for (int x = 0; x < kSide; ++x, ++i) {
      const Cell known{columns[static_cast<std::size_t>(x)], row};
      // walls are seen as well; the planner's copies of them must not narrow a doorway twice
      if (inside && known.x >= 0 && static_cast<double>(model.clearance[known]) > radius_ - kBeliefError) {
        factor_[i] = std::min(static_cast<float>(model.grid.factor(known)), kDearest);
      } else {
        // where the robot already is, the planner's walls are not quite where it believes them
        factor_[i] = is_near(x) && is_near(y) && distance(frame_.center({x, y}), world_from_robot.translation) < kEscape
                         ? kDearest
                         : 0;
      }
    }
  }
  nearest2_.fill(static_cast<float>(square(2.0 * kSide)));
  for (const Obstacle& o : obstacles.nearest_first()) measure_around(world_from_robot * o.point_in_robot);
  close_by_distance(obstacles, world_from_robot);
}

// Lowers the distances of the cells around an obstacle, four at a time.
void Detour::measure_around(Vec2 obstacle) noexcept {
  // in cells, from the centre of the first one
  const Vec2 at = (obstacle - frame_.origin) * (1 / kCellSize) - Vec2{0.5, 0.5};
  const double reach = (radius_ + kElbowRoom) / kCellSize + 0.01;
  const auto cell_at = [](double x) { return static_cast<int>(clamp(x, 0.0, static_cast<double>(kSide))); };
  const int low_x = cell_at(at.x - reach) / 4 * 4, end_x = cell_at(at.x + reach + 1);
  const int low_y = cell_at(at.y - reach), end_y = cell_at(at.y + reach + 1);
  const Four lanes{0, 1, 2, 3};
  std::array<float, kSide> dy2;
  for (int y = low_y; y < end_y; ++y) dy2[static_cast<std::size_t>(y)] = static_cast<float>(square(y - at.y));
  for (int x = low_x; x < end_x; x += 4) {
    const Four dx = lanes + all_four(x - at.x), dx2 = dx * dx;
    for (int y = low_y; y < end_y; ++y) {
      float* const nearest2 = &nearest2_[static_cast<std::size_t>(y * kSide + x)];
      store_four(nearest2, min_four(load_four(nearest2), dx2 + dy2[static_cast<std::size_t>(y)]));
    }
  }
}

void Detour::close_by_distance(const ObstacleField& obstacles, const Transform2& world_from_robot) noexcept {
  constexpr float kDoubt = 1e-3F;  // what short numbers cannot tell apart [cells²]
  const double radius2 = square(radius_), tight2 = square(radius_ + kElbowRoom);
  const auto closed = static_cast<float>(radius2 / square(kCellSize));
  const auto tight = static_cast<float>(tight2 / square(kCellSize));
  for (std::size_t i = 0; i < kCells; ++i) {
    const float near2 = nearest2_[i];
    if (near2 > tight + kDoubt) continue;
    bool is_closed = near2 < closed, is_tight = near2 < tight;
    if (std::fabs(near2 - closed) <= kDoubt || std::fabs(near2 - tight) <= kDoubt) {
      const Vec2 center = frame_.center(frame_.cell_at(i));
      is_closed = is_tight = false;
      for (const Obstacle& o : obstacles.nearest_first()) {
        const Vec2 d = center - world_from_robot * o.point_in_robot;
        is_closed |= dot(d, d) < radius2;
        is_tight |= dot(d, d) < tight2;
      }
    }
    if (is_closed) factor_[i] = 0;
    if (is_tight && factor_[i] > 0) factor_[i] = std::max(factor_[i], kTight);
  }
}

// Costs from the robot to the open cells, in order of cost, until no exit can be better than the best one so far.
void Detour::spread(Vec2 preferred) noexcept {
  constexpr std::int64_t kLookEvery = 8;  // buckets
  cost_.fill(kInfinity);
  cost_[start_] = 0;
  queue_.clear();
  queue_.push(0, static_cast<std::uint32_t>(start_));
  for (std::int64_t bucket = 0; !queue_.empty(); ++bucket) {
    if (bucket % kLookEvery == 0) {
      // what is still to come costs at least this
      const double least_cost = static_cast<double>(bucket) * (0.5 * kCellSize) - 1e-9;
      const auto best = best_exit();
      if (best && least_cost + least_exit_value_ > cost_[best->cell] + best->value) return;
    }
    queue_.drain(bucket, [&](std::uint32_t cell) {
      // entered again since, with a lower cost
      if (bucket_of(cost_[cell]) == bucket) relax(cell, preferred);
    });
  }
}

void Detour::relax(std::size_t from, Vec2 preferred) noexcept {
  const int x = static_cast<int>(from % kSide), y = static_cast<int>(from / kSide);
  if (x == 0 || x == kSide - 1 || y == 0 || y == kSide - 1 || from == start_) {
    for (unsigned d = 0; d < kDirections; ++d) {
      if (frame_.contains({x + kSteps[d].x, y + kSteps[d].y})) {
        offer(from, d, from == start_ ? cost_of_turn(d, preferred) : 0);
      }
    }
    return;
  }
  // most cells lie inside; no branches until it is known to which neighbours the way over here is the better one,
  // because that is hard to guess
  std::array<double, kDirections> costs;
  unsigned better = 0;
  for (unsigned d = 0; d < kDirections; ++d) {
    const std::size_t to = neighbour_of(from, d);
    costs[d] = cost_[from] + step_length(d) * kCellSize * static_cast<double>(factor_[to]);
    better |=
        static_cast<unsigned>(static_cast<unsigned>(factor_[to] > 0) & static_cast<unsigned>(costs[d] < cost_[to]))
        << d;
  }
  for (; better != 0; better &= better - 1) {
    const auto d = static_cast<unsigned>(std::countr_zero(better));
    take(from, neighbour_of(from, d), costs[d]);
  }
}

// Sets off the way it went before rather than dithering.
double Detour::cost_of_turn(unsigned direction, Vec2 preferred) noexcept {
  const Vec2 step = unit_vector(static_cast<int>(direction) * kPi / 4);
  return kTurnCost * std::fabs(atan2(cross(preferred, step), dot(preferred, step)));
}

// A way over one cell to its neighbour.
void Detour::offer(std::size_t from, unsigned direction, double extra) noexcept {
  const std::size_t to = neighbour_of(from, direction);
  if (factor_[to] == 0) return;
  const double cost = cost_[from] + step_length(direction) * kCellSize * static_cast<double>(factor_[to]) + extra;
  if (cost < cost_[to]) take(from, to, cost);
}

void Detour::take(std::size_t from, std::size_t to, double cost) noexcept {
  cost_[to] = cost;
  from_[to] = static_cast<std::uint16_t>(from);
  queue_.push(bucket_of(cost), static_cast<std::uint32_t>(to));
}

// Where the way may leave the window, or end at the goal inside it.
void Detour::list_exits(const ValueFunction& values, double worst_retreat) noexcept {
  exits_.clear();
  least_exit_value_ = kInfinity;
  const double worst = value_at(values, start_) + worst_retreat;
  const auto add = [&](Cell cell) {
    const Exit exit{frame_.index(cell), value_at(values, frame_.index(cell))};
    if (exit.cell == start_ || exit.value > worst) return;
    exits_.push_back(exit);
    least_exit_value_ = std::min(least_exit_value_, exit.value);
  };
  for (int k = 0; k < kSide; ++k) {
    for (const Cell cell : {Cell{k, 0}, Cell{k, kSide - 1}, Cell{0, k}, Cell{kSide - 1, k}}) add(cell);
  }
  const Cell goal = frame_.cell_of(values.frame().center(values.goal()));
  if (frame_.contains(goal)) add(goal);
}

// The way there and the value from there on cost least.
std::optional<Detour::Exit> Detour::best_exit() const noexcept {
  std::optional<Exit> best;
  double least = kInfinity;
  for (const Exit& exit : exits_) {
    const double cost = cost_[exit.cell] + exit.value;
    if (cost >= least) continue;
    least = cost;
    best = exit;
  }
  return best;
}

std::optional<Vec2> Detour::waiting_place(const ValueFunction& values, double distance) const noexcept {
  std::size_t best = start_;
  double least = value_at(values, start_);
  for (std::size_t i = 0; i < kCells; ++i) {
    if (cost_[i] == kInfinity || value_at(values, i) >= least) continue;
    least = value_at(values, i);
    best = i;
  }
  const Vec2 end = frame_.center(frame_.cell_at(best));
  while (best != start_ && forerun::distance(frame_.center(frame_.cell_at(best)), end) < distance) best = from_[best];
  if (best == start_) return std::nullopt;
  return farthest_in_sight(best);
}

// How far the window is open from a cell's centre in a direction, as far as matters to somebody who goes past [m].
double Detour::open_beside(Vec2 from, Vec2 direction) const noexcept {
  double open = 0;
  while (open < kToGetPast) {
    const Cell next = frame_.cell_of(from + direction * (open + kCellSize));
    if (!frame_.contains(next) || factor_[frame_.index(next)] == 0) break;
    open += kCellSize;
  }
  return open;
}

// What a place is worth to a robot that lets others pass: small is good [m].
double Detour::parking_cost(const ParkingLot& lot, Vec2 place) const noexcept {
  const Cell known = lot.model.clearance.frame().cell_of(place);
  const double from_wall = static_cast<double>(lot.model.clearance[known]) - radius_;
  const double on_left = open_beside(place, lot.left), on_right = open_beside(place, -lot.left);
  double nearest = kRoomBefore;
  for (const Vec2 p : lot.unmapped) nearest = std::min(nearest, distance(p, place));
  return kAtSide * (std::max(0.0, from_wall) + kToGetPast - std::max(on_left, on_right)) +
         kKeepOff * (kRoomBefore - nearest) + (on_left < on_right ? kRightHand : 0);
}

std::optional<Vec2> Detour::parking_place(const PlanningModel& model, const ObstacleField& obstacles,
                                          const Transform2& world_from_robot, Vec2 ahead) const noexcept {
  ParkingLot lot{.model = model, .left = left_normal(ahead) * (1 / std::max(1e-9, length(ahead)))};
  for (const Obstacle& o : obstacles.nearest_first()) {
    const Vec2 p = world_from_robot * o.point_in_robot;
    const Cell known = model.clearance.frame().cell_of(p);
    if (!model.clearance.frame().contains(known) || static_cast<double>(model.clearance[known]) < kOffMap) continue;
    if (lot.unmapped.empty() || distance(p, lot.unmapped.back()) > kCellSize) lot.unmapped.push_back(p);
  }
  const Vec2 robot = frame_.center(frame_.cell_at(start_));
  std::size_t best = start_;
  double least = kInfinity;
  for (std::size_t i = 0; i < kCells; ++i) {
    const Vec2 p = frame_.center(frame_.cell_at(i));
    const double far = distance(p, robot);
    if (cost_[i] == kInfinity || far > kParkWithin) continue;
    const double cost = far + parking_cost(lot, p);
    if (cost >= least) continue;
    least = cost;
    best = i;
  }
  if (best == start_) return std::nullopt;
  return frame_.center(frame_.cell_at(best));
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
