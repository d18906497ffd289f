#include "forerun/predict/follower.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/navigate/path.hpp"

namespace forerun::predict {
namespace {

// How fast with so many metres left: able to stop, and gentler than that, as robots are that look a fixed time ahead.
double speed_before(double left, const robot::Limits& limits, const FollowerParams& params) noexcept {
  const double gentle = std::max(left / params.approach_s, params.creep_share * limits.max_speed);
  return std::min(gentle, sqrt(2 * limits.deceleration * left));
}

std::optional<Cell> find_start(const navigate::GoalPlan& plan, Vec2 position) noexcept {
  return navigate::find_start(plan.values(), plan.grid(), position, plan.start_reach(position));
}

// The point so far on along the way from a position to the goal of the plan, or `goal` if that is nearer. Nothing where
// there is no way.
std::optional<Vec2> point_ahead(const navigate::GoalPlan& plan, Vec2 position, double far, Vec2 goal) noexcept {
  const navigate::PlanningGrid& grid = plan.grid();
  const auto start = find_start(plan, position);
  if (!start) return std::nullopt;
  Cell cell = *start;
  unsigned heading = navigate::kDirections;
  for (double on_the_way = 0; on_the_way < far;) {
    heading = navigate::steepest_direction(plan.values(), grid, cell, heading);
    if (heading == navigate::kDirections) return goal;
    cell = navigate::neighbour(cell, heading);
    on_the_way += navigate::step_length(heading) * grid.frame().cell_size;
  }
  return grid.frame().center(cell);
}

}  // namespace

double look_ahead(const FollowerParams& params, double speed) noexcept {
  return params.look_ahead_m + params.look_ahead_s * std::max(0.0, speed);
}

navigate::Decision steer(const navigate::Percept& percept, Vec2 point, double left, const robot::Limits& limits,
                         const FollowerParams& params) noexcept {
  const double aside = angle_of(Transform2(percept.pose).to_local(point));
  const double w = clamp(aside / params.turn_time_s, -limits.max_turn_rate, limits.max_turn_rate);
  if (std::fabs(aside) > params.turn_first_rad) {
    return {.command = {0, 0, w}, .target = point, .motion = navigate::Motion::turning};
  }
  const double in_turn = limits.max_speed * (1 - params.slow_turn_share * square(w / limits.max_turn_rate));
  const double v = std::min(in_turn, speed_before(left, limits, params));
  return {.command = {v, 0, w}, .target = point, .motion = navigate::Motion::forward};
}

Follower::Follower(const navigate::PlanningModel& model, const robot::Description& robot, const FollowerParams& params)
    : Follower(robot, std::make_shared<navigate::GoalPlan>(model), params) {}

Follower::Follower(const robot::Description& robot, std::shared_ptr<navigate::GoalPlan> plan,
                   const FollowerParams& params)
    : limits_(robot.limits), params_(params), plan_(std::move(plan)) {}

bool Follower::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  if (goal && !plan_->lead_to(*goal)) goal_.reset();
  return goal_.has_value() == goal.has_value();
}

bool Follower::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && find_start(*plan_, position).has_value();
}

navigate::Decision Follower::decide(const navigate::Percept& percept) noexcept {
  const Vec2 position = percept.pose.position();
  if (!goal_) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
  plan_->lead_to(*goal_);
  const double far = look_ahead(params_, percept.velocity.vx);
  const auto point = point_ahead(*plan_, position, far, *goal_);
  if (!point) return {.command = {}, .target = *goal_, .motion = navigate::Motion::blocked};
  return steer(percept, *point, distance(position, *goal_), limits_, params_);
}

}  // namespace forerun::predict
