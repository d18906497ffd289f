#include "forerun/robot/report.hpp"

#include <cmath>

namespace forerun::robot {
namespace {

constexpr double kRange = 16777.216;    // [m]
constexpr double kTurns = 16 * kTwoPi;  // [rad]

double wrapped(double difference, double range) noexcept {
  return difference - range * std::floor(difference / range + 0.5);
}

}  // namespace

Pose2 odometry_between(const Pose2& before, const Pose2& after) noexcept {
  return {wrapped(after.x - before.x, kRange), wrapped(after.y - before.y, kRange),
          wrapped(after.theta - before.theta, kTurns)};
}

const char* to_string(TaskState state) noexcept {
  switch (state) {
    case TaskState::idle:
      return "idle";
    case TaskState::driving:
      return "driving";
    case TaskState::waiting:
      return "waiting";
    case TaskState::done:
      return "done";
    case TaskState::cancelled:
      return "cancelled";
    case TaskState::unreachable:
      return "unreachable";
  }
  return "unknown";
}

const char* to_string(MotorState state) noexcept {
  switch (state) {
    case MotorState::on:
      return "on";
    case MotorState::off:
      return "off";
    case MotorState::stopped:
      return "stopped";
    case MotorState::fault:
      return "fault";
  }
  return "unknown";
}

}  // namespace forerun::robot
