// A control system of one's own, as a worked example: it plans with Forerun's value function and follows the path by
// pure pursuit.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/navigate/path.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::examples {

struct PurePursuitParams {
  double speed_mps = 0.25;        // on the way
  double look_ahead_m = 0.5;      // steers towards the point of the path at this distance
  double turn_first_rad = 0.8;    // a point farther aside than this: turns on the spot first
  double turn_gain = 1.5;         // of that turn [1/s]
  double slow_down_m = 0.6;       // nearer to the goal than this it slows down …
  double slowest_mps = 0.06;      // … to this
  double stop_distance_m = 0.15;  // waits for whatever stands this near before it
};

// Given to a `predict::Replica`, such a class makes the prediction drive as its own robot does.
//
// The copy inside a prediction starts from a report in the middle of a drive. So all that a decision needs should come
// from its arguments and from the goal: no counters, no memory of the decision before. Nothing throws or allocates
// after construction, and mathematics comes from forerun/base/math.hpp, so that both sides compute the same bits.
class PurePursuit final : public navigate::ControlSystem {
 public:
  // `model` must outlive the control system.
  PurePursuit(const navigate::PlanningModel& model, const robot::Description& robot,
              const PurePursuitParams& params = {})
      : grid_(model.grid), robot_(robot), params_(params), values_(model.grid.frame()) {}

  bool set_goal(std::optional<Vec2> goal) noexcept override {
    goal_ = goal;
    if (goal && !values_.plan(grid_, grid_.frame().cell_of(*goal))) goal_.reset();
    return goal_.has_value() == goal.has_value();
  }

  [[nodiscard]] bool can_reach_goal_from(Vec2 position) const noexcept override {
    return goal_ && navigate::find_start(values_, grid_, position, kOffGrid).has_value();
  }

  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override {
    const Vec2 position = percept.pose.position();
    if (!goal_) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
    const Vec2 target = point_ahead(position);
    const Vec2 aim = Transform2(percept.pose).to_local(target);
    const double aside = angle_of(aim);
    const double top_turn = robot_.limits.max_turn_rate;
    if (std::fabs(aside) > params_.turn_first_rad) {
      const double w = clamp(params_.turn_gain * aside, -top_turn, top_turn);
      return {.command = {0, 0, w}, .target = target, .motion = navigate::Motion::turning};
    }
    if (is_blocked(percept, aim)) {
      return {.command = {}, .target = target, .motion = navigate::Motion::blocked};
    }
    // the arc that is tangent to the robot's heading and goes through the point
    const double curvature = 2 * aim.y / std::max(dot(aim, aim), square(0.05));
    const double near_goal = std::min(1.0, distance(position, *goal_) / params_.slow_down_m);
    double v = std::max(params_.slowest_mps, params_.speed_mps * near_goal);
    v = std::min(v, top_turn / std::max(std::fabs(curvature), 1e-6));
    return {.command = {v, 0, curvature * v}, .target = target, .motion = navigate::Motion::forward};
  }

 private:
  static constexpr double kOffGrid = 1.0;  // a robot too near to an obstacle looks this far for its path [m]

  // Follows the path down the value function until it is far enough away.
  [[nodiscard]] Vec2 point_ahead(Vec2 position) const noexcept {
    const auto start = navigate::find_start(values_, grid_, position, kOffGrid);
    if (!start) return *goal_;
    Cell cell = *start;
    unsigned heading = navigate::kDirections;
    while (distance(grid_.frame().center(cell), position) < params_.look_ahead_m) {
      heading = navigate::steepest_direction(values_, grid_, cell, heading);
      if (heading == navigate::kDirections) return *goal_;
      cell = navigate::neighbour(cell, heading);
    }
    return grid_.frame().center(cell);
  }

  // Whether the sensors see something on the way to the point, as wide as the robot.
  [[nodiscard]] bool is_blocked(const navigate::Percept& percept, Vec2 aim) noexcept {
    const double radius = robot_.footprint.radius, reach = params_.stop_distance_m;
    obstacles_.update(robot_, percept.readings, percept.odometry, reach + radius);
    const double far = length(aim);
    return far > 0 && obstacles_.free_way(aim * (1 / far), radius, reach) < std::min(reach, far);
  }

  const navigate::PlanningGrid& grid_;
  robot::Description robot_;
  PurePursuitParams params_;
  navigate::ValueFunction values_;
  navigate::ObstacleField obstacles_;
  std::optional<Vec2> goal_;
};

}  // namespace forerun::examples
