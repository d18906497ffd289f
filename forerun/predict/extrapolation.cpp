#include "forerun/predict/extrapolation.hpp"

#include <algorithm>

#include "forerun/robot/motion.hpp"

namespace forerun::predict {

robot::State extrapolate(const robot::Report& report, Duration ahead) noexcept {
  robot::State state = report.state;
  state.pose = robot::move(state.pose, state.velocity, to_seconds(ahead));
  state.pose.theta = normalize_angle(state.pose.theta);
  return state;
}

robot::State accelerate(const robot::Report& report, Duration ahead) noexcept {
  const Duration changing = std::min(ahead, report.until_decision);
  robot::State state = robot::exact_motion(report.state, report.acceleration, to_seconds(changing));
  state.pose = robot::move(state.pose, state.velocity, to_seconds(ahead - changing));
  state.pose.theta = normalize_angle(state.pose.theta);
  return state;
}

}  // namespace forerun::predict
