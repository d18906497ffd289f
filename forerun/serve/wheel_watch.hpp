// Learns a robot's wheels from its states while it is served, and lets its reports go by what was learned (DEC-3).
#pragma once

#include <optional>

#include "forerun/estimate/calibrator.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::serve {

class WheelWatch {
 public:
  // Does nothing for drives without a left and a right wheel, or without encoders.
  explicit WheelWatch(const robot::Drive& drive) noexcept;

  // A state as the robot said it, with its ticks. Its pose counts as seen from outside, once a second: localization is
  // often carried on by the wheels in between.
  void take(RobotTime time, const robot::Report& state, const estimate::Ticks& ticks) noexcept;
  // Puts in what was found, and velocities that the wheels measured as the wheels that were found have them, as soon as
  // all of them are known. What the robot says of its wheels itself stays.
  void apply(robot::Report& report) const noexcept;

 private:
  robot::Drive drive_;
  std::optional<estimate::Calibrator> calibrator_;
  RobotTime next_pose_;
  std::optional<Pose2> last_pose_;
};

}  // namespace forerun::serve
