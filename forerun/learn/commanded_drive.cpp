#include "forerun/learn/commanded_drive.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "forerun/base/math.hpp"
#include "forerun/io/text.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;

constexpr double kLargest = 1e6;  // far beyond any building and any speed [m, m/s, rad/s]

bool has_column(const io::DriveLog& log, Column column) {
  return std::find(log.columns.begin(), log.columns.end(), column) != log.columns.end();
}

Result<void> check_columns(const io::DriveLog& log, const std::string& file) {
  for (const Column column : {Column::t_s, Column::x_m, Column::y_m, Column::theta_rad, Column::w_cmd_radps}) {
    if (has_column(log, column)) continue;
    return Error{file + ": there is no column " + name_of(column) +
                 ", but a response needs t_s, x_m, y_m, theta_rad, v_cmd_mps (or vx_cmd_mps) and w_cmd_radps"};
  }
  if (has_column(log, Column::v_cmd_mps) || has_column(log, Column::vx_cmd_mps)) return {};
  return Error{file + ": there is no column v_cmd_mps or vx_cmd_mps, but a response needs the commands"};
}

Result<void> check_rows(const io::DriveLog& log, const std::string& file) {
  double before = -kInfinity;
  for (const io::DriveRow& row : log.rows) {
    if (!row.has(Column::t_s)) return Error{file + ": there is a row without t_s, but every row needs its time"};
    const double time = row[Column::t_s];
    if (!(time > before)) {
      return Error{file + ": t_s goes from " + io::show(before) + " to " + io::show(time) + ", but times must rise"};
    }
    for (const Column column : {Column::x_m, Column::y_m, Column::theta_rad, Column::v_cmd_mps, Column::vx_cmd_mps,
                                Column::vy_cmd_mps, Column::w_cmd_radps}) {
      if (!row.has(column) || std::fabs(row[column]) <= kLargest) continue;
      return Error{file + ": " + name_of(column) + " is " + io::show(row[column]) + ", but must lie within ±" +
                   io::show(kLargest)};
    }
    before = time;
  }
  return {};
}

struct Columns {
  Column speed;
  bool sideways;
};

// What the row commands; what it leaves out is as before.
bool take_command(const io::DriveRow& row, const Columns& columns, robot::Twist& now) {
  const bool any =
      row.has(columns.speed) || row.has(Column::w_cmd_radps) || (columns.sideways && row.has(Column::vy_cmd_mps));
  if (row.has(columns.speed)) now.vx = row[columns.speed];
  if (row.has(Column::w_cmd_radps)) now.w = row[Column::w_cmd_radps];
  if (columns.sideways && row.has(Column::vy_cmd_mps)) now.vy = row[Column::vy_cmd_mps];
  return any;
}

template <class Entry>
double usual_period(const std::vector<Entry>& entries) {
  std::vector<double> periods;
  for (std::size_t i = 1; i < entries.size(); ++i) periods.push_back(entries[i].time - entries[i - 1].time);
  if (periods.empty()) return 0;
  const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
  std::nth_element(periods.begin(), middle, periods.end());
  return *middle;
}

// The times from one gap to the next.
template <class Entry>
std::vector<std::pair<double, double>> spans_of(const std::vector<Entry>& entries, double longest_gap) {
  std::vector<std::pair<double, double>> spans;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double time = entries[i].time;
    if (i == 0 || time - entries[i - 1].time > longest_gap) spans.emplace_back(time, time);
    spans.back().second = time;
  }
  return spans;
}

// Entries from one time to the other.
template <class Entry>
std::vector<Entry> cut(const std::vector<Entry>& entries, double from, double to) {
  const auto earlier = [](const Entry& entry, double time) { return entry.time < time; };
  const auto first = std::lower_bound(entries.begin(), entries.end(), from, earlier);
  const auto last = std::find_if(first, entries.end(), [to](const Entry& entry) { return entry.time > to; });
  return {first, last};
}

void cut_stretches(const CommandedStretch& whole, CommandedDrive& drive) {
  const double pose_gap = std::max(0.2, 3 * drive.period);
  const double command_gap = std::max(1.0, 20 * usual_period(whole.commands));
  for (const auto& [first_pose, last_pose] : spans_of(whole.poses, pose_gap)) {
    for (const auto& [first_command, last_command] : spans_of(whole.commands, command_gap)) {
      // the last command of a span is in force for a while; how long nobody wrote down
      const double from = std::max(first_pose, first_command);
      const double to = std::min(last_pose, last_command + usual_period(whole.commands));
      CommandedStretch stretch{cut(whole.commands, first_command, to), cut(whole.poses, from, to)};
      if (stretch.poses.size() > 1) drive.stretches.push_back(std::move(stretch));
    }
  }
}

}  // namespace

Result<CommandedDrive> make_commanded_drive(const io::DriveLog& log, const std::string& file) {
  if (auto checked = check_columns(log, file); !checked) return checked.error();
  if (auto checked = check_rows(log, file); !checked) return checked.error();
  const Columns columns{has_column(log, Column::vx_cmd_mps) ? Column::vx_cmd_mps : Column::v_cmd_mps,
                        has_column(log, Column::vx_cmd_mps) && has_column(log, Column::vy_cmd_mps)};
  CommandedStretch whole;
  robot::Twist command;
  double heading = 0;
  for (const io::DriveRow& row : log.rows) {
    const double time = row[Column::t_s];
    if (take_command(row, columns, command)) whole.commands.push_back({time, command});
    if (!row.has(Column::x_m) || !row.has(Column::y_m) || !row.has(Column::theta_rad)) continue;
    heading += normalize_angle(row[Column::theta_rad] - heading);
    whole.poses.push_back({time, {row[Column::x_m], row[Column::y_m], heading}});
  }
  if (whole.poses.size() < 2) return Error{file + ": there are fewer than two poses"};
  if (whole.commands.empty()) return Error{file + ": there is no command in any row"};
  CommandedDrive drive{.file = file, .sideways = columns.sideways, .period = usual_period(whole.poses)};
  cut_stretches(whole, drive);
  if (drive.stretches.empty()) return Error{file + ": there is no time at which both commands and poses are known"};
  return drive;
}

Result<std::vector<CommandedDrive>> load_commanded_drives(const std::vector<std::string>& paths) {
  std::vector<CommandedDrive> drives;
  for (const std::string& path : paths) {
    const auto log = io::load_drive_log(path);
    if (!log) return log.error();
    auto drive = make_commanded_drive(*log, path);
    if (!drive) return drive.error();
    drives.push_back(std::move(*drive));
  }
  return drives;
}

}  // namespace forerun::learn
