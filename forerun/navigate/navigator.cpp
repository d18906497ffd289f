#include "forerun/navigate/navigator.hpp"

#include <algorithm>

#include "forerun/navigate/detour.hpp"
#include "forerun/navigate/path.hpp"
#include "forerun/navigate/target_points.hpp"

namespace forerun::navigate {
namespace {

constexpr double kOffGrid = 1.0;  // a robot that believes itself inside an obstacle looks this far for a way out [m]

}  // namespace

Navigator::Navigator(const PlanningModel& model, const robot::Description& robot)
    : model_(model), robot_(robot), values_(model.grid.frame()), window_(robot.footprint, robot.limits, robot.control) {}

bool Navigator::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  turn_side_ = 0;
  if (!goal) return true;
  last_target_ = *goal;
  if (values_.plan(model_.grid, model_.grid.frame().cell_of(*goal))) return true;
  goal_.reset();
  return false;
}

bool Navigator::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && nearest_reachable(values_, position, kOffGrid).has_value();
}

// The planner's next target point for a robot here.
Vec2 Navigator::next_target(Vec2 position) const noexcept {
  const auto path = path_from(values_, model_.grid, position);
  if (path.empty()) return *goal_;
  Vec2 best = path.front();
  for (const Vec2 p : path) {
    if (distance(p, position) > robot_.control.target_distance) break;
    if (!line_is_free(model_.grid, path.front(), p)) break;
    best = p;
  }
  return distance(best, *goal_) < 0.1 ? *goal_ : best;
}

Decision Navigator::decide(const Percept& percept) noexcept {
  const Transform2 world_from_robot(percept.pose);
  if (!goal_) return {.command = {}, .target = percept.pose.position(), .motion = Motion::braking};
  const double radius = window_.footprint().radius;
  const double reach = std::max(robot_.control.distance_cap, robot_.control.target_distance) + radius;
  obstacles_.update(robot_, percept.readings, percept.odometry, reach);

  Vec2 target = next_target(percept.pose.position());
  if (!is_in_sight(obstacles_, world_from_robot.to_local(target), radius)) {
    const DetourParams detour{.radius = radius, .reach = robot_.control.target_distance};
    target = find_detour(values_, obstacles_, world_from_robot, last_target_, detour).value_or(target);
  }
  last_target_ = target;
  const Aim aim{world_from_robot.to_local(target), target == *goal_};
  const Choice choice = window_.choose(percept.velocity, aim, obstacles_, turn_side_, candidates_);
  return {choice.command, target, choice.motion};
}

}  // namespace forerun::navigate
