// What the motors make of the commands, from recordings of both: accelerations, lag and top speeds.
#pragma once

#include <span>
#include <vector>

#include "forerun/robot/description.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::learn {

struct MotorRow {
  double time = 0;        // [s]
  robot::Twist command;   // in force from then on; not a number where the recording does not say
  robot::Twist velocity;  // measured
};

// Rows in the order of their times.
using MotorLog = std::vector<MotorRow>;

struct Motors {
  robot::Limits limits;
  double lag = 0;  // [s]
};

// How far off the velocities are that such motors would have had, as a share of the top speeds: the mean over all rows.
// Rows more than half a second apart are a break, and so are those without a command.
[[nodiscard]] double motor_error(std::span<const MotorLog> logs, const Motors& motors) noexcept;

[[nodiscard]] bool has_commands(std::span<const MotorLog> logs) noexcept;

// Accelerations and lag with the least error; the top speeds stay as they are.
[[nodiscard]] Motors fit_motors(std::span<const MotorLog> logs, const Motors& start);

// The speed that the robot keeps to when nothing is in its way: noise goes above it, starts and stops below. 0 where
// there is no movement.
[[nodiscard]] double cruising_speed(std::vector<double> speeds);

}  // namespace forerun::learn
