#include "forerun/navigate/navigator.hpp"

#include <algorithm>
#include <utility>

#include "forerun/navigate/path.hpp"
#include "forerun/navigate/target_points.hpp"

namespace forerun::navigate {
namespace {

constexpr Duration kParkAfter = from_seconds(12);   // blocked for longer, the robot goes aside;
constexpr Duration kPatience = from_seconds(40);    // and for longer than this, it gives way
constexpr Duration kGiveWayTime = from_seconds(8);  // for this long,
constexpr double kGiveWay = 6.0;                    // as far back as this, in value [m]
constexpr Duration kOpenAgain = from_seconds(2);    // a way that is open for so long is open
constexpr Duration kParkTime = from_seconds(12);    // for others to get past, with the way to the side, …
constexpr double kNobodyNear = 1.8;                 // … unless the way is open and nobody is nearer than this [m]
constexpr double kThere = 0.1;                      // [m]
constexpr double kPolite = 0.6;                     // from what closes the way to where the robot waits [m]

}  // namespace

Navigator::Navigator(const PlanningModel& model, const robot::Description& robot)
    : Navigator(model, robot, std::make_shared<GoalPlan>(model)) {}

Navigator::Navigator(const PlanningModel& model, const robot::Description& robot, std::shared_ptr<GoalPlan> plan)
    : model_(model),
      robot_(robot),
      plan_(std::move(plan)),
      window_(robot.footprint, robot.limits, robot.control, robot.drive.max_curvature),
      sees_far_(std::any_of(robot.sensors.begin(), robot.sensors.end(),
                            [](const robot::Sensor& sensor) { return std::holds_alternative<robot::Laser>(sensor); })) {
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
  unmapped_.forget();
  memory_.forget();
  commanded_ = {};
  turn_side_ = 0;
  detour_target_.reset();
  blocked_since_.reset();
  parking_.reset();
  give_way_until_ = RobotTime{};
}

bool Navigator::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  turn_side_ = 0;
  detour_target_.reset();
  blocked_since_.reset();
  parking_.reset();
  if (!goal) return true;
  if (plan_->lead_to(*goal)) return true;
  goal_.reset();
  return false;
}

bool Navigator::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && find_start(values(), plan_->grid(), position, plan_->start_reach(position)).has_value();
}

// The planner's next target point for a robot here.
Vec2 Navigator::next_target(Vec2 position) const noexcept {
  TargetParams params = target_params(robot_);
  params.start_reach = plan_->start_reach(position);
  params.max_points = 1;
  const TargetPoints targets = target_points(values(), plan_->grid(), model_.clearance, position, params);
  // the goal itself, not the centre of its cell
  if (targets.empty() || model_.grid.frame().cell_of(targets[0]) == values().goal()) return *goal_;
  return targets[0];
}

Decision Navigator::decide(const Percept& percept) noexcept {
  const Decision decision = consider(percept);
  commanded_ = decision.command;
  return decision;
}

Decision Navigator::consider(const Percept& percept) noexcept {
  if (!goal_) return {.command = {}, .target = percept.pose.position(), .motion = Motion::braking};
  plan_->lead_to(*goal_);
  const Transform2 world_from_robot(percept.pose);
  obstacles_.update(robot_, percept.readings, percept.odometry, sensor_reach());
  if (!sees_far_) memory_.update(robot_, model_, percept.readings, percept.odometry, world_from_robot, percept.time);
  obstacles_.include(memory_.points_in_robot());
  const double radius = window_.widened(obstacles_).radius;
  unmapped_.update(robot_, model_, percept.readings, percept.odometry, world_from_robot, obstacles_.directions());
  unmapped_.include(memory_.points_in_robot());
  if (sees_far_) unmapped_.include_near(obstacles_);

  Vec2 target = next_target(percept.pose.position());
  bool stop_there = false;
  if (is_in_sight(obstacles_, world_from_robot.to_local(target), radius)) {
    detour_target_.reset();
    parking_.reset();
  } else {
    detour_target_ = way_round(percept, world_from_robot, radius);
    const auto wait_at = place_to_wait(percept, world_from_robot, target);
    if (wait_at && distance(*wait_at, percept.pose.position()) < kThere) {
      return {.command = {}, .target = target, .motion = Motion::blocked};
    }
    stop_there = wait_at.has_value();
    target = wait_at.value_or(detour_target_.value_or(target));
  }
  const Aim aim{world_from_robot.to_local(target), stop_there || target == *goal_};
  const Choice choice = window_.choose(percept.velocity, aim, obstacles_, turn_side_, candidates_);
  const Going going{percept.velocity, commanded_, world_from_robot, sees_far_ ? nullptr : &model_};
  const robot::Twist safe = safe_command(robot_, going, choice.command, unmapped_.seen());
  return {safe, target, safe == choice.command ? choice.motion : Motion::braking};
}

// Where to when the planner's target is hidden. A robot that has been blocked for long gives way: it backs off, so that
// whoever stands in front of it can leave.
std::optional<Vec2> Navigator::way_round(const Percept& percept, const Transform2& world_from_robot,
                                         double radius) noexcept {
  DetourWish wish{.radius = radius, .preferred = world_from_robot.rotate({1, 0})};
  if (detour_target_) wish.preferred = *detour_target_ - percept.pose.position();
  if (percept.time < give_way_until_) wish.worst_retreat = kGiveWay;
  const auto found = detour_.find(values(), model_, obstacles_, world_from_robot, wish);
  if (found) {
    // a gap that closes again at once ends nothing
    if (blocked_since_ && percept.time - last_blocked_ >= kOpenAgain) blocked_since_.reset();
    return found;
  }
  last_blocked_ = percept.time;
  if (!blocked_since_) blocked_since_ = percept.time;
  if (percept.time - *blocked_since_ >= kPatience && percept.time >= give_way_until_) {
    give_way_until_ = percept.time + kGiveWayTime;
    blocked_since_ = give_way_until_;
  }
  return std::nullopt;
}

// Where a blocked robot waits: before what is in its way, and soon at the side of the passage, where others get past.
// Nothing where it goes on.
std::optional<Vec2> Navigator::place_to_wait(const Percept& percept, const Transform2& world_from_robot,
                                             Vec2 target) noexcept {
  const Vec2 here = percept.pose.position();
  if (parking_ && percept.time < park_until_ && !(detour_target_ && unmapped_.nearest() > kNobodyNear)) return parking_;
  parking_.reset();
  if (detour_target_) return std::nullopt;
  if (percept.time - *blocked_since_ < kParkAfter) return detour_.waiting_place(values(), kPolite).value_or(here);
  parking_ = detour_.parking_place(model_, obstacles_, world_from_robot, target - here).value_or(here);
  park_until_ = percept.time + kParkTime;
  return parking_;
}

}  // namespace forerun::navigate
