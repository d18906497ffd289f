// Drives from drive logs of any robot: the truth as recorded, and the reports that the robot could have sent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/learn/drive.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::learn {

// One row of a log, completed by what follows from the rows before it; nothing in it comes from a later one.
struct LogRow {
  double time = 0;  // [s]
  Pose2 truth;
  std::optional<Pose2> believed;  // what the robot would report; none: its localization is silent at this row
  robot::Twist velocity;
  robot::Acceleration acceleration;
  std::optional<Vec2> goal;
  std::optional<Pose2> odometry;  // with whole turns
  std::size_t plan = 0;           // which of the drive's plans is in force
};

// Rows without a break between them.
using Stretch = std::vector<LogRow>;

struct LoggedDrive {
  std::vector<Stretch> stretches;
  bool knows_goals = false;               // the log has columns for them
  std::vector<robot::PlannedPath> plans;  // as reports carry them; the first is none. Empty: the log tells no plans

  [[nodiscard]] double start() const noexcept { return stretches.front().front().time; }
};

inline constexpr double kLongestGap = 1.0;  // rows farther apart than this are a break: nobody saw what was between [s]

// `file` is the name used in messages. A log without times or true poses is an error. Velocities that a row lacks are
// the slope of the true poses over the last half second; they stand for what wheels would have measured. A plan is in
// force until the next one, or until the goal becomes another one to which it does not lead.
[[nodiscard]] Result<LoggedDrive> make_logged_drive(const io::DriveLog& log, const std::string& file,
                                                    const robot::Description& robot);

// When the robot reports: at the first row from each of these times on.
struct ReportTimes {
  double interval_s = 6;
  double phase_s = 0;  // of the first, after the first row
};

// One drive for each stretch. A report holds nothing that is not in its row: what logs do not say (phase of the
// control loop, remaining wait, error of the pose) is zero, and whoever has no goal waits for an unknown one. Which of
// them carry the plan follows from robot::PlanRepeats.
[[nodiscard]] std::vector<Drive> cut_drives(const LoggedDrive& logged, const ReportTimes& times,
                                            const robot::Description& robot);

}  // namespace forerun::learn
