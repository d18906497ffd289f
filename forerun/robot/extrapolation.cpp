#include "forerun/robot/extrapolation.hpp"

#include <algorithm>

#include "forerun/robot/motion.hpp"

namespace forerun::robot {

State extrapolate(const Report& report, Duration ahead) noexcept {
  State state = report.state;
  state.pose = move(state.pose, state.velocity, to_seconds(ahead));
  state.pose.theta = normalize_angle(state.pose.theta);
  return state;
}

State accelerate(const Report& report, Duration ahead) noexcept {
  const Duration changing = std::min(ahead, report.until_decision);
  State state = exact_motion(report.state, report.acceleration, to_seconds(changing));
  state.pose = move(state.pose, state.velocity, to_seconds(ahead - changing));
  state.pose.theta = normalize_angle(state.pose.theta);
  return state;
}

}  // namespace forerun::robot
