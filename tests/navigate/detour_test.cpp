// Two roads: the detour that marks four cells at a time and stops as soon as no exit can be better, against one that
// asks every cell about every obstacle and spreads to the end. They find the same point to the last bit.
#include "forerun/navigate/detour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "forerun/base/random.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::navigate {
namespace {

// The constants of detour.cpp, and its recipe in the plainest words.
class PlainDetour {
 public:
  PlainDetour(const ValueFunction& values, const PlanningModel& model, const ObstacleField& obstacles,
              const Transform2& world_from_robot, const DetourWish& wish)
      : values_(values), cost_(kCells, kInfinity), from_(kCells, 0) {
    const double half = 0.5 * kSide * kCellSize;
    frame_ = {kSide, kSide, kCellSize, world_from_robot.translation - Vec2{half, half}};
    start_ = frame_.index({kSide / 2, kSide / 2});
    for (std::size_t i = 0; i < kCells; ++i)
      factor_.push_back(factor_of(frame_.center(frame_.cell_at(i)), model, obstacles, world_from_robot, wish.radius));
    spread(wish.preferred);
    choose(wish.worst_retreat);
  }

  std::optional<Vec2> found;

 private:
  static constexpr int kSide = 64;
  static constexpr double kCellSize = 0.08;
  static constexpr std::size_t kCells = std::size_t{kSide} * kSide;

  static float factor_of(Vec2 center, const PlanningModel& model, const ObstacleField& obstacles,
                         const Transform2& world_from_robot, double radius) {
    const Cell known = model.clearance.frame().cell_of(center);
    const bool open = model.clearance.frame().contains(known) && double{model.clearance[known]} > radius - 0.15;
    float factor = open ? std::min(static_cast<float>(model.grid.factor(known)), 5.0F)
                        : (distance(center, world_from_robot.translation) < 0.4 ? 5.0F : 0.0F);
    for (const Obstacle& o : obstacles.nearest_first()) {
      const Vec2 d = center - world_from_robot * o.point_in_robot;
      if (dot(d, d) < radius * radius) return 0;
      if (dot(d, d) < square(radius + 0.15) && factor > 0) factor = std::max(factor, 2.0F);
    }
    return factor;
  }

  // To the end, in the order of the buckets: which of two ways of equal cost is found first depends on it.
  void spread(Vec2 preferred) {
    const auto bucket_of = [](double cost) { return static_cast<std::int64_t>(cost / (0.5 * kCellSize)); };
    BucketQueue queue(std::size_t{8} * kCells);
    cost_[start_] = 0;
    queue.push(0, static_cast<std::uint32_t>(start_));
    for (std::int64_t bucket = 0; !queue.empty(); ++bucket) {
      queue.drain(bucket, [&](std::uint32_t from) {
        if (bucket_of(cost_[from]) != bucket) return;
        for (unsigned d = 0; d < kDirections; ++d) {
          const Cell next = neighbour(frame_.cell_at(from), d);
          if (!frame_.contains(next) || factor_[frame_.index(next)] == 0) continue;
          const std::size_t to = frame_.index(next);
          double cost = cost_[from] + step_length(d) * kCellSize * double{factor_[to]};
          const Vec2 step = unit_vector(static_cast<int>(d) * kPi / 4);
          if (from == start_) cost += 0.25 * std::fabs(atan2(cross(preferred, step), dot(preferred, step)));
          if (cost >= cost_[to]) continue;
          cost_[to] = cost;
          from_[to] = from;
          queue.push(bucket_of(cost), static_cast<std::uint32_t>(to));
        }
      });
    }
  }

  [[nodiscard]] double value_at(std::size_t i) const {
    return values_.value(values_.frame().cell_of(frame_.center(frame_.cell_at(i)))) * values_.frame().cell_size;
  }

  void choose(double worst_retreat) {
    double least = kInfinity;
    std::size_t best = start_;
    const auto consider = [&](Cell cell) {
      const std::size_t i = frame_.index(cell);
      if (i == start_ || value_at(i) > value_at(start_) + worst_retreat || cost_[i] + value_at(i) >= least) return;
      least = cost_[i] + value_at(i);
      best = i;
    };
    for (int k = 0; k < kSide; ++k)
      for (const Cell cell : {Cell{k, 0}, Cell{k, kSide - 1}, Cell{0, k}, Cell{kSide - 1, k}}) consider(cell);
    const Cell goal = frame_.cell_of(values_.frame().center(values_.goal()));
    if (frame_.contains(goal)) consider(goal);
    if (best == start_) return;
    while (from_[best] != start_ && !line_is_open(frame_.center(frame_.cell_at(best)))) best = from_[best];
    found = frame_.center(frame_.cell_at(best));
  }

  [[nodiscard]] bool line_is_open(Vec2 to) const {
    const Vec2 from = frame_.center(frame_.cell_at(start_));
    const int n = static_cast<int>(distance(from, to) / (0.5 * kCellSize)) + 1;
    for (int i = 1; i <= n; ++i) {
      const Vec2 p = from + (to - from) * (static_cast<double>(i) / n);
      if (factor_[frame_.index(frame_.cell_of(p))] == 0) return false;
    }
    return true;
  }

  const ValueFunction& values_;
  GridFrame frame_;
  std::size_t start_ = 0;
  std::vector<float> factor_;
  std::vector<double> cost_;
  std::vector<std::size_t> from_;
};

TEST(Detour, FindsWhatLookingEverywhereFinds) {
  robot::Description robot;
  robot.footprint.radius = 0.27;
  world::World world = make_room({0, 0}, {9, 5});
  add_box(world, {4.5, 1, 0.3}, {0.4, 1.8}, 1);
  const PlanningModel model = std::move(*make_planning_model(world, robot));
  ValueFunction values(model.grid.frame());
  const auto obstacles = std::make_unique<ObstacleField>();
  const auto detour = std::make_unique<Detour>();
  Random random(41);
  int n_found = 0, n_closed = 0;
  for (int i = 0; i < 120; ++i) {
    const Vec2 goal{random.uniform(0.6, 8.4), random.uniform(0.6, 4.4)};
    if (!values.plan(model.grid, model.grid.frame().cell_of(goal))) continue;
    const Pose2 pose{random.uniform(0.6, 8.4), random.uniform(0.6, 4.4), random.uniform(-kPi, kPi)};
    std::vector<Vec2> points;
    for (std::uint64_t k = random.below(60); k > 0; --k)
      points.push_back(unit_vector(random.uniform(-kPi, kPi)) * random.uniform(0.4, 3));
    // now and then something all around, with or without a gap
    if (i % 3 == 0) {
      const double gap = random.uniform(0, 2);
      for (double a = gap; a < kTwoPi; a += 0.05) points.push_back(unit_vector(a) * 1.2);
    }
    obstacles->update(points);
    const DetourWish wish{.radius = random.uniform(0.29, 0.33), .preferred = unit_vector(random.uniform(-kPi, kPi))};
    const Transform2 world_from_robot(pose);
    const PlainDetour plain(values, model, *obstacles, world_from_robot, wish);
    ASSERT_EQ(detour->find(values, model, *obstacles, world_from_robot, wish), plain.found) << i;
    ++(plain.found ? n_found : n_closed);
  }
  EXPECT_GT(n_found, 40);
  EXPECT_GT(n_closed, 10);
}

}  // namespace
}  // namespace forerun::navigate
