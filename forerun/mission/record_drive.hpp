// Drives the copy of a robot and writes its path down: by goals, by a program, or by an operator's velocities (DEC-5).
#pragma once

#include <span>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/mission/recorded_path.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::mission {

// A waypoint with an action is waited at for so long at least: the robot comes to rest there [s].
inline constexpr double kActionWait = 1;

// Through the tasks of the model, by its own control system. An error where it does not get there within `limit_s`.
// `actions`: what is done at each of them, where it is anything.
[[nodiscard]] Result<RecordedPath> record_goals(const sim::Model& model, double limit_s,
                                                std::span<const std::string> actions = {});

// As the program decides, for this long.
[[nodiscard]] RecordedPath record_program(const sim::Model& model, navigate::ControlSystem& program, double duration_s);

// From this time on the operator wants these velocities.
struct HandCommand {
  double time = 0;  // since the beginning [s]
  robot::Twist velocity;
};
// In the order of their times; the last one is held for a moment, and then the robot comes to rest.
[[nodiscard]] RecordedPath record_commands(const sim::Model& model, std::span<const HandCommand> commands);

}  // namespace forerun::mission
