#include "forerun/ahead/hand_run.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::ahead {
namespace {

constexpr Duration kTick = from_seconds(0.01);
constexpr double kStill = 1e-3;  // [m/s, rad/s]

robot::Twist within_limits(const robot::Twist& wanted, const HandResponse& response) noexcept {
  const robot::Limits& limits = response.limits;
  const double side = response.drive.can_strafe() ? clamp(wanted.vy, -limits.max_speed, limits.max_speed) : 0;
  return robot::within_steering(response.drive, {clamp(wanted.vx, -limits.max_speed, limits.max_speed), side,
                                                 clamp(wanted.w, -limits.max_turn_rate, limits.max_turn_rate)});
}

// What the motors are to do at one time, by the command that was in force a dead time before. Whatever else the robot
// makes of a hand's velocities has its place here.
robot::Twist wanted_at(RobotTime time, const HandInputs& inputs, const Difference& difference) noexcept {
  const auto before = [&](double delay) {
    return inputs.commands.at(time - from_seconds(delay + difference.late_s), difference.unlucky).velocity;
  };
  const robot::Twist straight = before(inputs.response.forward.delay), turn = before(inputs.response.turn.delay);
  return within_limits({straight.vx, straight.vy, turn.w}, inputs.response);
}

}  // namespace

HandResponse response_of(const robot::Description& robot) noexcept {
  const robot::FoundResponse::Axis usual{0, robot.control.motor_lag};
  return {robot.drive, robot.limits, usual, usual};
}

void take(HandResponse& response, const robot::Description& robot, const robot::Report& report) noexcept {
  if (report.limits.max_speed > 0) {
    response.limits.max_speed = std::min(robot.limits.max_speed, report.limits.max_speed);
    response.limits.max_turn_rate = std::min(robot.limits.max_turn_rate, report.limits.max_turn_rate);
  }
  if (!report.response) return;
  if (report.response->forward) response.forward = *report.response->forward;
  if (report.response->turn) response.turn = *report.response->turn;
  response.is_found = report.response->forward.has_value();
}

void HandRun::start(RobotTime time, const robot::State& state) noexcept {
  body_ = {time, state.pose, {}, state.velocity, {}};
  body_.motors.begin(state.velocity);
  time_ = time;
  state_ = state;
  held_at_.reset();
}

void HandRun::step(Body& body, double dt, const robot::Twist& wanted, const HandInputs& inputs,
                   const Difference& difference) noexcept {
  Pose2 next = robot::move(body.pose, body.velocity, dt);
  next.theta = normalize_angle(next.theta);
  body.time = body.time + from_seconds(dt);
  const bool held = !inputs.climbs && inputs.floor.stops(body.pose, next, inputs.seen, inputs.slack);
  if (held) {
    const bool may_turn = inputs.floor.is_round();
    if (may_turn) body.pose.theta = next.theta;
    body.motors.hold(may_turn);
    body.held_at = body.pose;
  } else {
    if (!(next.position() == body.pose.position())) body.held_at.reset();
    body.pose = next;
  }
  const HandResponse& response = inputs.response;
  robot::Twist& v = body.motors.velocity;
  const double turned = v.w;
  body.motors.step(wanted, response.limits, dt, robot::lag_share(response.forward.lag, dt));
  // straight on and turning each have a lag of their own
  v.w = turned + (body.motors.ramped.w - turned) * robot::lag_share(response.turn.lag, dt);
  body.velocity =
      robot::within_steering(response.drive, {v.vx * difference.speed, v.vy * difference.speed, v.w * difference.turn});
}

void HandRun::advance(RobotTime until, const HandInputs& inputs, const Difference& difference) noexcept {
  while (body_.time + kTick <= until) {
    step(body_, to_seconds(kTick), wanted_at(body_.time, inputs, difference), inputs, difference);
  }
  Body now = body_;
  if (until > now.time) {
    step(now, to_seconds(until - now.time), wanted_at(now.time, inputs, difference), inputs, difference);
  }
  time_ = until;
  state_ = {now.pose, now.velocity};
  held_at_ = now.held_at;
}

RobotTime HandRun::let_go(Duration longest, const HandInputs& inputs) noexcept {
  const auto moves = [](const robot::Twist& v) {
    return std::fabs(v.vx) > kStill || std::fabs(v.vy) > kStill || std::fabs(v.w) > kStill;
  };
  const RobotTime end = body_.time + longest;
  while (body_.time < end && moves(body_.velocity)) step(body_, to_seconds(kTick), {}, inputs, {});
  time_ = body_.time;
  state_ = {body_.pose, body_.velocity};
  held_at_ = body_.held_at;
  return time_;
}

}  // namespace forerun::ahead
