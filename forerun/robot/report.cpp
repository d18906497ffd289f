#include "forerun/robot/report.hpp"

namespace forerun::robot {

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
