#include "forerun/learn/calibration_drive.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "forerun/estimate/encoders.hpp"
#include "forerun/io/text.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;

constexpr double kLongestTickGap = 1.0;  // nobody saw what the wheels did in a longer one [s] …
constexpr double kGapInRows = 3;         // … unless all rows are that far apart
constexpr double kSlowestRows = 3;       // rows farther apart than this have other units [s]
constexpr double kFastestWheel = 5.0;    // ticks that say more are a wrap, a reset or a fault [m/s]
constexpr double kLargest = 1e6;         // far beyond any building [m]

bool has_column(const io::DriveLog& log, Column column) {
  return std::find(log.columns.begin(), log.columns.end(), column) != log.columns.end();
}

bool has_columns(const io::DriveLog& log, std::initializer_list<Column> columns) {
  return std::all_of(columns.begin(), columns.end(), [&](Column column) { return has_column(log, column); });
}

bool has_ticks(const io::DriveRow& row) { return row.has(Column::ticks_left) && row.has(Column::ticks_right); }

Result<void> check_columns(const io::DriveLog& log, const std::string& file) {
  for (const Column column : {Column::t_s, Column::ticks_left, Column::ticks_right}) {
    if (has_column(log, column)) continue;
    return Error{file + ": there is no column " + name_of(column) +
                 ", but wheels are calibrated from t_s, ticks_left and ticks_right"};
  }
  if (log.rows.empty()) return Error{file + " has a header but no rows, so there is nothing to calibrate from"};
  return {};
}

Result<void> check_external(const io::DriveLog& log, const std::string& file) {
  if (has_columns(log, {Column::x_m, Column::y_m}) ||
      has_columns(log, {Column::dx_m, Column::dy_m, Column::dtheta_rad})) {
    return {};
  }
  return Error{file +
               ": there is no external pose, but wheels are calibrated against one: x_m, y_m and theta_rad, or "
               "dx_m, dy_m and dtheta_rad"};
}

Result<void> check_times(const io::DriveLog& log, const std::string& file) {
  double before = -kInfinity;
  for (const io::DriveRow& row : log.rows) {
    if (!row.has(Column::t_s)) return Error{file + ": there is a row without t_s, but every row needs its time"};
    const double time = row[Column::t_s];
    if (time == before) return Error{file + ": t_s is " + io::show(time) + " in two rows, but times must rise"};
    if (time < before) {
      return Error{file + ": t_s falls from " + io::show(before) + " to " + io::show(time) + ", but times must rise"};
    }
    for (const Column column : {Column::x_m, Column::y_m, Column::theta_rad}) {
      if (!row.has(column) || std::fabs(row[column]) <= kLargest) continue;
      return Error{file + ": " + name_of(column) + " is " + io::show(row[column]) + ", but must lie within ±" +
                   io::show(kLargest)};
    }
    before = time;
  }
  return {};
}

// The median time between two rows with ticks.
double usual_interval(const io::DriveLog& log) {
  std::vector<double> intervals;
  const io::DriveRow* before = nullptr;
  for (const io::DriveRow& row : log.rows) {
    if (!has_ticks(row)) continue;
    if (before != nullptr) intervals.push_back(row[Column::t_s] - (*before)[Column::t_s]);
    before = &row;
  }
  if (intervals.empty()) return 0;
  const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  return *middle;
}

void put_external(const io::DriveRow& row, const CalibrationDrive& drive, CalibrationRow& into) {
  if (drive.absolute) {
    const bool complete = row.has(Column::x_m) && row.has(Column::y_m);
    if (!complete || (drive.has_heading && !row.has(Column::theta_rad))) return;
    const double heading = drive.has_heading ? row[Column::theta_rad] : 0;
    into.pose = estimate::ExternalPose{{row[Column::x_m], row[Column::y_m], heading}, drive.has_heading};
  } else if (row.has(Column::dx_m) && row.has(Column::dy_m) && row.has(Column::dtheta_rad)) {
    into.displacement = Pose2{row[Column::dx_m], row[Column::dy_m], row[Column::dtheta_rad]};
  }
}

// Rows of poses between two rows of ticks, each with its share of the turns.
void share_turns(std::span<CalibrationRow> rows, double from, const estimate::WheelTurns& turns) {
  const double whole = rows.back().time - from;
  for (CalibrationRow& row : rows) {
    const double share = (row.time - from) / whole;
    row.turns = {turns.left * share, turns.right * share};
    from = row.time;
  }
}

bool has_external(const CalibrationDrive& drive) {
  const auto is_seen = [](const CalibrationRow& row) { return row.pose || row.displacement; };
  return std::any_of(drive.stretches.begin(), drive.stretches.end(), [&](const CalibrationStretch& stretch) {
    return std::any_of(stretch.begin(), stretch.end(), is_seen);
  });
}

struct Cutter {
  CalibrationDrive& drive;
  estimate::Encoders encoders;
  double longest_gap;
  CalibrationStretch stretch{};
  std::vector<CalibrationRow> pending{};  // since the last ticks
  double tick_time = -kInfinity;

  void end_stretch() {
    if (stretch.size() > 1) drive.stretches.push_back(std::move(stretch));
    stretch.clear();
  }

  void add(const io::DriveRow& row) {
    CalibrationRow next{.time = row[Column::t_s]};
    put_external(row, drive, next);
    const bool first = stretch.empty();
    if (!has_ticks(row)) {
      // before the first ticks nothing is known of the wheels; a displacement must begin and end with ticks
      next.displacement.reset();
      if (!first) pending.push_back(next);
      return;
    }
    pending.push_back(next);
    const double elapsed = next.time - tick_time;
    const auto turns = encoders.advance({row[Column::ticks_left], row[Column::ticks_right]}, first ? 1 : elapsed);
    if (!first && turns && elapsed <= longest_gap) {
      if (pending.size() > 1) pending.back().displacement.reset();
      share_turns(pending, tick_time, *turns);
      stretch.insert(stretch.end(), pending.begin(), pending.end());
    } else {
      if (!first) ++drive.n_breaks;
      end_stretch();
      stretch.push_back(next);
    }
    pending.clear();
    tick_time = next.time;
  }
};

// The log's rows between its breaks.
Result<CalibrationDrive> cut(const io::DriveLog& log, CalibrationDrive drive, const CalibrationRobot& robot) {
  const std::string& file = drive.file;
  if (auto checked = check_times(log, file); !checked) return checked.error();
  const double interval = usual_interval(log);
  if (interval > kSlowestRows) {
    return Error{file + ": rows are " + io::show(interval) +
                 " s apart, but the wheels must be read more often; t_s is likely in milliseconds"};
  }
  const double smaller = std::min(robot.nominal.left_diameter, robot.nominal.right_diameter);
  Cutter cutter{drive, estimate::Encoders({robot.ticks_per_turn, kFastestWheel / (kPi * smaller)}),
                std::max(kLongestTickGap, kGapInRows * interval)};
  for (const io::DriveRow& row : log.rows) cutter.add(row);
  cutter.end_stretch();
  if (drive.stretches.empty()) {
    return Error{file + ": no two rows with ticks follow on each other, so there is nothing to calibrate from"};
  }
  return drive;
}

// Ticks and nothing else, with empty rows between them at `times`.
io::DriveLog with_times(const io::DriveLog& log, std::span<const double> times) {
  io::DriveLog result{.columns = {Column::t_s, Column::ticks_left, Column::ticks_right}};
  auto next = times.begin();
  const auto add_until = [&](double time) {
    for (; next != times.end() && *next < time; ++next) {
      io::DriveRow row;
      row[Column::t_s] = *next;
      result.rows.push_back(row);
    }
    if (next != times.end() && *next == time) ++next;
  };
  for (const io::DriveRow& row : log.rows) {
    add_until(row[Column::t_s]);
    io::DriveRow& copied = result.rows.emplace_back();
    for (const Column column : result.columns) copied[column] = row[column];
  }
  return result;
}

}  // namespace

Result<CalibrationDrive> make_calibration_drive(const io::DriveLog& log, const std::string& file,
                                                const CalibrationRobot& robot) {
  if (auto checked = check_columns(log, file); !checked) return checked.error();
  if (auto checked = check_external(log, file); !checked) return checked.error();
  CalibrationDrive empty{.file = file};
  empty.absolute = has_columns(log, {Column::x_m, Column::y_m});
  empty.has_heading = !empty.absolute || has_column(log, Column::theta_rad);
  auto drive = cut(log, std::move(empty), robot);
  if (!drive) return drive.error();
  if (!has_external(*drive)) {
    return Error{file +
                 ": no row between the first and the last ticks has an external pose, so there is nothing to "
                 "calibrate against"};
  }
  return drive;
}

Result<CalibrationDrive> make_wheel_drive(const io::DriveLog& log, const std::string& file,
                                          const CalibrationRobot& robot, std::span<const double> times) {
  if (auto checked = check_columns(log, file); !checked) return checked.error();
  // before rows are added, whose times would hide what is wrong with those of the log
  if (auto checked = check_times(log, file); !checked) return checked.error();
  return cut(with_times(log, times), {.file = file, .absolute = false}, robot);
}

}  // namespace forerun::learn
