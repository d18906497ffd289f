// Drive logs as latency needs them: what was commanded, and where the robot was seen (LAT-1, LAT-5).
#pragma once

#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::learn {

struct GivenCommand {
  double time = 0;        // in force from then until the next one [s]
  robot::Twist velocity;  // wanted
};

struct SeenPose {
  double time = 0;  // [s]
  Pose2 pose;       // the heading counts whole turns
};

// A part of a drive without a gap: a command is in force at each of its poses. Both in the order of their times.
struct CommandedStretch {
  std::vector<GivenCommand> commands;
  std::vector<SeenPose> poses;
};

struct CommandedDrive {
  std::string file;
  std::vector<CommandedStretch> stretches;
  bool sideways = false;  // it was commanded to drive sideways too
  double period = 0;      // median time between two poses [s]
};

// Needs t_s, x_m, y_m, theta_rad, and v_cmd_mps or vx_cmd_mps, with w_cmd_radps. Commands and poses may have rows of
// their own; an empty command is the one before. Poses farther apart than 0.2 s or three usual periods are a gap,
// commands farther apart than 1 s or twenty usual periods too: nobody saw what was between. `file` is the name used in
// messages.
[[nodiscard]] Result<CommandedDrive> make_commanded_drive(const io::DriveLog& log, const std::string& file);

[[nodiscard]] Result<std::vector<CommandedDrive>> load_commanded_drives(const std::vector<std::string>& paths);

}  // namespace forerun::learn
