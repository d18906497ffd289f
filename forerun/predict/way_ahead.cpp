#include "forerun/predict/way_ahead.hpp"

#include <algorithm>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/ensemble.hpp"

namespace forerun::predict {

WayAhead::WayAhead(const ReplicaModel& model)
    : limits_(model.robot.limits),
      period_(from_seconds(model.robot.control.period)),
      control_(navigate::make_own_control_system(model.planning, model.robot)),
      replica_(model, *control_) {}

void WayAhead::start(const robot::Report& newest, const Present& present) noexcept {
  robot::Report begin = newest;
  const Duration gap = present.time - newest.time;
  begin.time = start_ = present.time;
  begin.state = present.state;
  begin.task = present.task;
  begin.remaining_wait = std::max(Duration{}, newest.remaining_wait - gap);
  // after the decision that the report announced, they come once in a period
  if (gap > newest.until_decision) {
    begin.acceleration = {};
    begin.until_decision = period_ - Duration{(gap - newest.until_decision).ns % period_.ns};
  } else {
    begin.until_decision = newest.until_decision - gap;
  }
  replica_.resync(begin, {.limits = scaled(limits_, present.speed_scale), .seen = present.seen});
}

robot::State WayAhead::state_after(Duration ahead) noexcept {
  replica_.advance(start_ + ahead);
  return replica_.state();
}

void WayToGoal::know(const robot::Report& newest, double speed_scale, const sense::SeenWorld& seen) noexcept {
  newest_ = &newest;
  speed_scale_ = speed_scale;
  seen_ = &seen;
}

void WayToGoal::start(RobotTime time, const robot::State& state, Vec2 goal) noexcept {
  start_ = time;
  way_.start(as_told(*newest_, goal), {time, state, robot::TaskState::driving, speed_scale_, seen_});
}

robot::State WayToGoal::advance(RobotTime time) noexcept { return way_.state_after(time - start_); }

robot::Report as_told(robot::Report report, std::optional<Vec2> goal) noexcept {
  report.goal = goal;
  report.hand_driven = !goal;
  report.motors = robot::MotorState::on;
  report.remaining_wait = {};
  return report;
}

}  // namespace forerun::predict
