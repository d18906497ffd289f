#include "forerun/learn/fit_drives.hpp"

#include <limits>
#include <utility>

namespace forerun::learn {

Result<std::vector<NamedDrive>> load_logs(const std::vector<std::string>& paths, const robot::Description& robot) {
  std::vector<NamedDrive> logs;
  for (const std::string& path : paths) {
    auto log = io::load_drive_log(path);
    if (!log) return log.error();
    auto logged = learn::make_logged_drive(*log, path, robot);
    if (!logged) return logged.error();
    logs.push_back({path, std::move(*log), std::move(*logged)});
  }
  return logs;
}

std::vector<learn::Trial> make_trials(const NamedDrive& log, const Span& span, const learn::ReportTimes& times,
                                      const robot::Description& robot) {
  std::vector<learn::Trial> trials;
  const double ahead = to_seconds(learn::kAhead);
  for (const learn::Drive& drive : learn::cut_drives(log.logged, times, robot)) {
    for (const robot::Report& report : drive.reports) {
      const double time = to_seconds(report.time);
      // without a goal no parameter helps: the next one is not known
      if (!report.goal || time < span.from || time + ahead > span.to) continue;
      const auto then = drive.at(time), later = drive.at(time + ahead);
      if (then && later) trials.push_back({report, later->pose.position() - then->pose.position()});
    }
  }
  return trials;
}

learn::MotorLog make_motor_log(const NamedDrive& log, const Span& span) {
  using Column = io::DriveColumn;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  learn::MotorLog rows;
  std::size_t next = 0;
  // commands stand in the log, velocities in what was made of it, where those that the log lacks are estimated
  for (const learn::Stretch& stretch : log.logged.stretches) {
    for (const learn::LogRow& row : stretch) {
      while (next < log.log.rows.size() && !(log.log.rows[next][Column::t_s] >= row.time)) ++next;
      if (row.time < span.from || row.time > span.to) continue;
      robot::Twist command{kUnknown, 0, kUnknown};
      if (next < log.log.rows.size()) {
        const io::DriveRow& said = log.log.rows[next];
        // robots that drive sideways have columns of their own
        const bool has_both = said.has(Column::vx_cmd_mps) && said.has(Column::vy_cmd_mps);
        command = {said[has_both ? Column::vx_cmd_mps : Column::v_cmd_mps], has_both ? said[Column::vy_cmd_mps] : 0,
                   said[Column::w_cmd_radps]};
      }
      rows.push_back({row.time, command, row.velocity});
    }
  }
  return rows;
}

}  // namespace forerun::learn
