#include "forerun/navigate/navigator.hpp"

#include <algorithm>
#include <utility>

#include "forerun/navigate/path.hpp"
#include "forerun/navigate/target_points.hpp"

namespace forerun::navigate {
namespace {

constexpr double kOffGrid = 1.0;  // a robot that believes itself inside an obstacle looks this far for a way out [m]

constexpr Duration kPatience = from_seconds(4);     // blocked for longer, the robot gives way
constexpr Duration kGiveWayTime = from_seconds(8);  // for this long
constexpr double kGiveWay = 6.0;                    // as far back as this, in value [m]

}  // namespace

Navigator::Navigator(const PlanningModel& model, const robot::Description& robot)
    : Navigator(model, robot, std::make_shared<GoalPlan>(model.grid)) {}

Navigator::Navigator(const PlanningModel& model, const robot::Description& robot, std::shared_ptr<GoalPlan> plan)
    : model_(model),
      robot_(robot),
      plan_(std::move(plan)),
      window_(robot.footprint, robot.limits, robot.control, robot.drive.max_curvature) {
  obstacles_.prepare(robot);
}

void Navigator::set_limits(const robot::Limits& limits) noexcept {
  robot_.limits = limits;
  window_ = DynamicWindow(robot_.footprint, limits, robot_.control, robot_.drive.max_curvature);
}

double Navigator::sensor_reach() const noexcept {
  const double reach = std::max(robot_.control.distance_cap, robot_.control.target_distance);
  return reach + robot_.footprint.radius + robot_.control.margin;
}

void Navigator::forget() noexcept {
  turn_side_ = 0;
  detour_target_.reset();
  blocked_since_.reset();
  give_way_until_ = RobotTime{};
}

bool Navigator::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  turn_side_ = 0;
  detour_target_.reset();
  blocked_since_.reset();
  if (!goal) return true;
  if (plan_->lead_to(model_.grid, *goal)) return true;
  goal_.reset();
  return false;
}

bool Navigator::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && find_start(values(), model_.grid, position, kOffGrid).has_value();
}

// The planner's next target point for a robot here.
Vec2 Navigator::next_target(Vec2 position) const noexcept {
  TargetParams params = target_params(robot_);
  params.start_reach = kOffGrid;
  params.max_points = 1;
  const TargetPoints targets = target_points(values(), model_.grid, model_.clearance, position, params);
  // the goal itself, not the centre of its cell
  if (targets.empty() || model_.grid.frame().cell_of(targets[0]) == values().goal()) return *goal_;
  return targets[0];
}

Decision Navigator::decide(const Percept& percept) noexcept {
  if (!goal_) return {.command = {}, .target = percept.pose.position(), .motion = Motion::braking};
  plan_->lead_to(model_.grid, *goal_);
  const Transform2 world_from_robot(percept.pose);
  obstacles_.update(robot_, percept.readings, percept.odometry, sensor_reach());
  const double radius = window_.widened(obstacles_).radius;

  Vec2 target = next_target(percept.pose.position());
  if (is_in_sight(obstacles_, world_from_robot.to_local(target), radius)) {
    detour_target_.reset();
  } else {
    detour_target_ = way_round(percept, world_from_robot, radius);
    if (!detour_target_) return {.command = {}, .target = target, .motion = Motion::blocked};
    target = *detour_target_;
  }
  const Aim aim{world_from_robot.to_local(target), target == *goal_};
  const Choice choice = window_.choose(percept.velocity, aim, obstacles_, turn_side_, candidates_);
  return {choice.command, target, choice.motion};
}

// Where to when the planner's target is hidden. A robot that has been blocked for a while gives way: it backs off, so
// that whoever stands in front of it can leave.
std::optional<Vec2> Navigator::way_round(const Percept& percept, const Transform2& world_from_robot,
                                         double radius) noexcept {
  DetourWish wish{.radius = radius, .preferred = world_from_robot.rotate({1, 0})};
  if (detour_target_) wish.preferred = *detour_target_ - percept.pose.position();
  if (percept.time < give_way_until_) wish.worst_retreat = kGiveWay;
  const auto found = detour_.find(values(), model_, obstacles_, world_from_robot, wish);
  if (found) {
    blocked_since_.reset();
    return found;
  }
  if (!blocked_since_) blocked_since_ = percept.time;
  if (percept.time - *blocked_since_ >= kPatience) give_way_until_ = percept.time + kGiveWayTime;
  return std::nullopt;
}

}  // namespace forerun::navigate
