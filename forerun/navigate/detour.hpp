// A way round what the planner does not know. The sensors' obstacles around the robot go into a small window; through
// it the robot plans to where the value function takes over.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/navigate/bucket_queue.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

// Whether a disc can go straight to the point, by what the sensors show.
[[nodiscard]] bool is_in_sight(const ObstacleField& obstacles, Vec2 point_in_robot, double radius) noexcept;

struct DetourWish {
  double radius = 0.3;   // of the footprint with its margin [m]
  Vec2 preferred{1, 0};  // direction in the world: of two ways round, the one that begins there is taken unless the
                         // other is clearly shorter
  double worst_retreat = 1.5;  // the way may lead back by so much, in value [m]
};

class Detour {
 public:
  Detour() : queue_(std::size_t{8} * kCells) {}

  // The farthest point in straight sight on the cheapest way to the goal: through what the sensors show to be free, and
  // on by the value function. Nothing where every way is closed. Allocates nothing.
  [[nodiscard]] std::optional<Vec2> find(const ValueFunction& values, const PlanningModel& model,
                                         const ObstacleField& obstacles, const Transform2& world_from_robot,
                                         const DetourWish& wish) noexcept;

  // When nothing was found: where to wait for a way to open, as far on as the last search came, less `distance` to
  // whatever closes the way. Nothing where the robot is there already.
  [[nodiscard]] std::optional<Vec2> waiting_place(const ValueFunction& values, double distance) const noexcept;
  // When nothing was found: a place near by at the side of the passage, where others get past; on the right of `ahead`,
  // a direction, where that is as good.
  [[nodiscard]] std::optional<Vec2> parking_place(const PlanningModel& model, const ObstacleField& obstacles,
                                                  const Transform2& world_from_robot, Vec2 ahead) const noexcept;

 private:
  static constexpr int kSide = 64;           // cells along an edge of the window
  static constexpr double kCellSize = 0.08;  // [m]
  static constexpr std::size_t kCells = std::size_t{kSide} * kSide;

  struct Exit {
    std::size_t cell = 0;
    double value = 0;  // of the way on from there [m]
  };

  // Half the cheapest step wide, so that no step ends in the bucket it began in.
  static std::int64_t bucket_of(double cost) noexcept { return static_cast<std::int64_t>(cost / (0.5 * kCellSize)); }

  struct ParkingLot {
    const PlanningModel& model;
    Vec2 left;                         // of the way ahead
    FixedVector<Vec2, 64> unmapped{};  // what is seen and on no map, nearest first
  };
  [[nodiscard]] double parking_cost(const ParkingLot& lot, Vec2 place) const noexcept;
  void place(const Transform2& world_from_robot) noexcept;
  void mark(const PlanningModel& model, const ObstacleField& obstacles, const Transform2& world_from_robot) noexcept;
  void measure_around(Vec2 obstacle) noexcept;
  void close_by_distance(const ObstacleField& obstacles, const Transform2& world_from_robot) noexcept;
  void spread(Vec2 preferred) noexcept;
  void relax(std::size_t from, Vec2 preferred) noexcept;
  [[nodiscard]] static std::size_t neighbour_of(std::size_t cell, unsigned direction) noexcept {
    return cell + static_cast<std::size_t>(kSteps[direction].y * kSide + kSteps[direction].x);
  }
  void offer(std::size_t from, unsigned direction, double extra) noexcept;
  void take(std::size_t from, std::size_t to, double cost) noexcept;
  [[nodiscard]] static double cost_of_turn(unsigned direction, Vec2 preferred) noexcept;
  void list_exits(const ValueFunction& values, double worst_retreat) noexcept;
  [[nodiscard]] std::optional<Exit> best_exit() const noexcept;
  [[nodiscard]] double value_at(const ValueFunction& values, std::size_t cell) const noexcept;
  [[nodiscard]] double open_beside(Vec2 from, Vec2 direction) const noexcept;
  [[nodiscard]] Vec2 farthest_in_sight(std::size_t cell) const noexcept;
  [[nodiscard]] bool line_is_open(Vec2 from, Vec2 to) const noexcept;

  double radius_ = 0;
  GridFrame frame_;                         // of the window, in the world
  std::size_t start_ = 0;                   // the robot's cell
  std::array<float, kCells> factor_;        // cost of a metre; 0: closed
  std::array<double, kCells> cost_;         // from the robot
  std::array<std::uint16_t, kCells> from_;  // the cell before
  std::array<float, kCells> nearest2_;      // squares of the distances to obstacles, where they are near [cells²]
  FixedVector<Exit, 4 * kSide + 1> exits_;
  double least_exit_value_ = kInfinity;
  BucketQueue queue_;
};

}  // namespace forerun::navigate
