#include "forerun/predict/follower.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/navigate/path.hpp"

namespace forerun::predict {
namespace {

constexpr double kOffGrid = 1.0;  // a robot that believes itself inside an obstacle looks this far for a way out [m]

}  // namespace

Follower::Follower(const navigate::PlanningModel& model, const robot::Description& robot, const FollowerParams& params)
    : Follower(model, robot, std::make_shared<navigate::GoalPlan>(model.grid), params) {}

Follower::Follower(const navigate::PlanningModel& model, const robot::Description& robot,
                   std::shared_ptr<navigate::GoalPlan> plan, const FollowerParams& params)
    : model_(model), limits_(robot.limits), params_(params), plan_(std::move(plan)) {}

bool Follower::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  if (goal && !plan_->lead_to(model_.grid, *goal)) goal_.reset();
  return goal_.has_value() == goal.has_value();
}

bool Follower::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && navigate::find_start(plan_->values(), model_.grid, position, kOffGrid).has_value();
}

// The point so far on along the path, or the goal if that is nearer. Nothing where there is no way.
std::optional<Vec2> Follower::point_ahead(Vec2 position, double far) const noexcept {
  const navigate::PlanningGrid& grid = model_.grid;
  const auto start = navigate::find_start(plan_->values(), grid, position, kOffGrid);
  if (!start) return std::nullopt;
  Cell cell = *start;
  unsigned heading = navigate::kDirections;
  for (double on_the_way = 0; on_the_way < far;) {
    heading = navigate::steepest_direction(plan_->values(), grid, cell, heading);
    if (heading == navigate::kDirections) return *goal_;
    cell = navigate::neighbour(cell, heading);
    on_the_way += navigate::step_length(heading) * grid.frame().cell_size;
  }
  return grid.frame().center(cell);
}

// How fast with so many metres left: able to stop, and gentler than that, as robots are that look a fixed time ahead.
double Follower::speed_before(double left) const noexcept {
  const double gentle = std::max(left / params_.approach_s, params_.creep_share * limits_.max_speed);
  return std::min(gentle, sqrt(2 * limits_.deceleration * left));
}

navigate::Decision Follower::decide(const navigate::Percept& percept) noexcept {
  const Vec2 position = percept.pose.position();
  if (!goal_) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
  plan_->lead_to(model_.grid, *goal_);
  const double far = params_.look_ahead_m + params_.look_ahead_s * std::max(0.0, percept.velocity.vx);
  const auto point = point_ahead(position, far);
  if (!point) return {.command = {}, .target = *goal_, .motion = navigate::Motion::blocked};

  const double aside = angle_of(Transform2(percept.pose).to_local(*point));
  const double w = clamp(aside / params_.turn_time_s, -limits_.max_turn_rate, limits_.max_turn_rate);
  if (std::fabs(aside) > params_.turn_first_rad) {
    return {.command = {0, 0, w}, .target = *point, .motion = navigate::Motion::turning};
  }
  const double in_turn = limits_.max_speed * (1 - params_.slow_turn_share * square(w / limits_.max_turn_rate));
  const double v = std::min(in_turn, speed_before(distance(position, *goal_)));
  return {.command = {v, 0, w}, .target = *point, .motion = navigate::Motion::forward};
}

}  // namespace forerun::predict
