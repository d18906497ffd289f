// Drives against moves of a sensor that has a clock of its own: laser scans matched to each other (DEC-2).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "forerun/learn/calibration_drive.hpp"

namespace forerun::learn {

// How the sensor moved between two moments, in its own frame at the first.
struct TimedMove {
  double from = 0;  // [s]
  double to = 0;
  Pose2 moved;
};

// By how much the moves' stamps are late, as far as their turns show it: those of the wheels are most like them then
// [s]. 0 where no delay is clearly better than none.
[[nodiscard]] double find_delay(const CalibrationDrive& wheels, const robot::DifferentialGeometry& nominal,
                                std::span<const TimedMove> moves);

// Moves that follow on each other, put together until each takes `spacing_s` or turns by a radian. An error of a stamp
// or a pose is one of both moves that meet there, and matters the less, the longer they are.
[[nodiscard]] std::vector<TimedMove> join_moves(std::span<const TimedMove> moves, double spacing_s);

// The log's wheels with the moves put where they belong if they are late by `delay`; those over a break are left out.
// Moves follow on each other: none begins before the one before ends.
[[nodiscard]] Result<CalibrationDrive> make_moved_drive(const io::DriveLog& log, const std::string& file,
                                                        const CalibrationRobot& robot, std::span<const TimedMove> moves,
                                                        double delay);

}  // namespace forerun::learn
