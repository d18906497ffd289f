#include "forerun/sim/report.hpp"

#include <algorithm>

namespace forerun::sim {
namespace {

robot::Acceleration acceleration_ahead(const Loop& loop, const robot::Twist& velocity) noexcept {
  const double time = to_seconds(std::max(loop.next_decision() - loop.time(), kTick));
  const robot::Twist then = robot::approach(velocity, loop.decision().command, loop.model().believed, time);
  return {.v = (then.vx - velocity.vx) / time, .w = (then.w - velocity.w) / time, .vy = (then.vy - velocity.vy) / time};
}

}  // namespace

robot::Report make_report(const Loop& loop, const ReportStamp& stamp) noexcept {
  const Model& model = loop.model();
  robot::Report report;
  report.robot = stamp.robot;
  report.model = stamp.model;
  report.sequence = stamp.sequence;
  report.time = loop.time();
  report.state = {loop.reported_pose(), loop.plant().measured_velocity()};
  report.acceleration = acceleration_ahead(loop, report.state.velocity);
  report.goal = loop.executive().goal();
  if (report.goal) report.target = loop.decision().target;
  // a robot that waits knows where it goes next; a viewer that does not know cannot foresee the departure
  if (!report.goal) report.goal = loop.executive().next_goal();
  report.task = loop.executive().state();
  report.remaining_wait = loop.executive().remaining_wait(loop.time());
  report.until_decision = loop.next_decision() - loop.time();
  report.motors = loop.helm() == Helm::stopped ? robot::MotorState::stopped : robot::MotorState::on;
  report.hand_driven = loop.helm() == Helm::hand;
  report.limits = {model.believed.max_speed, model.believed.max_turn_rate};
  report.error = loop.reported_error();
  report.hindrance = loop.hindrance();
  report.posture = loop.plant().posture();
  report.odometry = loop.plant().unwrapped_odometry();
  return report;
}

}  // namespace forerun::sim
