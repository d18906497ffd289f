// Recorded drives as `forerun fit` needs them: what the motors did, and reports with what came of them.
#pragma once

#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/learn/forecast.hpp"
#include "forerun/learn/logged_drive.hpp"
#include "forerun/learn/motors.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::learn {

struct NamedDrive {
  std::string path;
  io::DriveLog log;
  learn::LoggedDrive logged;

  [[nodiscard]] double start() const { return logged.start(); }
  [[nodiscard]] double end() const { return logged.stretches.back().back().time; }
};

[[nodiscard]] Result<std::vector<NamedDrive>> load_logs(const std::vector<std::string>& paths,
                                                        const robot::Description& robot);

// A part of a drive, by times; reports count when all of their six seconds lie in it.
struct Span {
  double from = 0;  // [s]
  double to = 0;
};

// Reports that say where the robot was going, every `times.interval_s`.
[[nodiscard]] std::vector<learn::Trial> make_trials(const NamedDrive& log, const Span& span,
                                                    const learn::ReportTimes& times, const robot::Description& robot);

[[nodiscard]] learn::MotorLog make_motor_log(const NamedDrive& log, const Span& span);

}  // namespace forerun::learn
