#include "forerun/learn/logged_drive.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "forerun/io/text.hpp"
#include "forerun/learn/log_pace.hpp"
#include "forerun/robot/planned_path.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;

constexpr double kSlopeWindow = 0.5;  // velocities and accelerations are slopes over this time [s]
constexpr double kAtGoal = 0.5;       // a plan that ends so near to a goal leads there [m]

bool has_column(const io::DriveLog& log, Column column) {
  return std::find(log.columns.begin(), log.columns.end(), column) != log.columns.end();
}

bool has_all(const io::DriveRow& row, std::initializer_list<Column> columns) {
  return std::all_of(columns.begin(), columns.end(), [&](Column column) { return row.has(column); });
}

Result<void> check_columns(const io::DriveLog& log, const std::string& file) {
  for (const Column column : {Column::t_s, Column::x_m, Column::y_m, Column::theta_rad}) {
    if (has_column(log, column)) continue;
    return Error{file + ": there is no column " + name_of(column) +
                 ", but a drive can only be scored with times and true poses: t_s, x_m, y_m, theta_rad"};
  }
  return {};
}

// Far beyond any building and any clock: what is larger would not survive the arithmetic.
Result<void> check_values(const io::DriveRow& row, const std::string& file) {
  for (const Column column : {Column::t_s, Column::x_m, Column::y_m, Column::theta_rad, Column::v_mps, Column::w_radps,
                              Column::loc_x_m, Column::loc_y_m, Column::loc_theta_rad, Column::goal_x_m,
                              Column::goal_y_m, Column::odom_x_m, Column::odom_y_m, Column::odom_theta_rad}) {
    const double largest = column == Column::t_s ? 4e9 : 1e6;
    if (!row.has(column) || std::abs(row[column]) <= largest) continue;
    return Error{file + ": " + name_of(column) + " is " + io::show(row[column]) + ", but must lie within ±" +
                 io::show(largest)};
  }
  return {};
}

// The slope of a line through (time, value), least squares; 0 for fewer than two times.
class Slope {
 public:
  void add(double time, double value) noexcept {
    n_ += 1;
    sum_t_ += time;
    sum_v_ += value;
    sum_tt_ += time * time;
    sum_tv_ += time * value;
  }
  [[nodiscard]] double get() const noexcept {
    const double spread = n_ * sum_tt_ - sum_t_ * sum_t_;
    return spread > 1e-12 ? (n_ * sum_tv_ - sum_t_ * sum_v_) / spread : 0;
  }
  [[nodiscard]] double mean() const noexcept { return n_ > 0 ? sum_v_ / n_ : 0; }

 private:
  double n_ = 0, sum_t_ = 0, sum_v_ = 0, sum_tt_ = 0, sum_tv_ = 0;
};

// The newest row and those shortly before it; at least one of these where there is one.
std::span<const LogRow> recent(const Stretch& rows) {
  std::size_t first = rows.size() - 1;
  while (first > 0 && (rows[first - 1].time >= rows.back().time - kSlopeWindow || first + 1 == rows.size())) --first;
  return std::span(rows).subspan(first);
}

// As the last row's poses and those before it have it. Times and headings are taken from the newest ones, so that long
// logs lose no digits.
robot::Twist estimate_velocity(const Stretch& rows, bool can_strafe) {
  const LogRow& now = rows.back();
  Slope x, y, heading;
  for (const LogRow& row : recent(rows)) {
    const double ago = row.time - now.time;
    x.add(ago, row.truth.x - now.truth.x);
    y.add(ago, row.truth.y - now.truth.y);
    heading.add(ago, normalize_angle(row.truth.theta - now.truth.theta));
  }
  // a slope belongs to the middle of its window: so must the heading that it is split along
  const SinCos along = sincos(now.truth.theta + heading.mean());
  return {x.get() * along.cos + y.get() * along.sin, can_strafe ? y.get() * along.cos - x.get() * along.sin : 0,
          heading.get()};
}

robot::Acceleration estimate_acceleration(const Stretch& rows) {
  Slope v, w, vy;
  for (const LogRow& row : recent(rows)) {
    v.add(row.time - rows.back().time, row.velocity.vx);
    w.add(row.time - rows.back().time, row.velocity.w);
    vy.add(row.time - rows.back().time, row.velocity.vy);
  }
  return {.v = v.get(), .w = w.get(), .vy = vy.get()};
}

// Completes the last of `rows`.
void add_velocity(Stretch& rows, const io::DriveRow& row, bool can_strafe) {
  robot::Twist& velocity = rows.back().velocity;
  // no column has the velocity sideways
  if (can_strafe || !has_all(row, {Column::v_mps, Column::w_radps})) velocity = estimate_velocity(rows, can_strafe);
  if (row.has(Column::v_mps)) velocity.vx = row[Column::v_mps];
  if (row.has(Column::w_radps)) velocity.w = row[Column::w_radps];
  rows.back().acceleration = estimate_acceleration(rows);
}

LogRow read_row(const io::DriveRow& row, bool localized) {
  LogRow result;
  result.time = row[Column::t_s];
  result.truth = {row[Column::x_m], row[Column::y_m], normalize_angle(row[Column::theta_rad])};
  if (!localized) {
    result.believed = result.truth;
  } else if (has_all(row, {Column::loc_x_m, Column::loc_y_m, Column::loc_theta_rad})) {
    result.believed = {row[Column::loc_x_m], row[Column::loc_y_m], normalize_angle(row[Column::loc_theta_rad])};
  }
  if (has_all(row, {Column::goal_x_m, Column::goal_y_m})) result.goal = {row[Column::goal_x_m], row[Column::goal_y_m]};
  return result;
}

// Takes the odometry of rows in their order; counts turns where the log keeps headings within one.
class Odometer {
 public:
  [[nodiscard]] std::optional<Pose2> read(const io::DriveRow& row) {
    if (!has_all(row, {Column::odom_x_m, Column::odom_y_m, Column::odom_theta_rad})) return std::nullopt;
    heading_ += normalize_angle(row[Column::odom_theta_rad] - heading_);
    return Pose2{row[Column::odom_x_m], row[Column::odom_y_m], heading_};
  }

 private:
  double heading_ = 0;  // of the row before [rad]
};

// Says for rows in their order which plan is in force: its number, from 1 on, or 0.
class PlansInForce {
 public:
  PlansInForce(std::span<const io::LoggedPlan> plans, bool knows_goals) : plans_(plans), knows_goals_(knows_goals) {}

  [[nodiscard]] std::size_t at(const LogRow& row) {
    if (row.goal != goal_) {
      goal_ = row.goal;
      goal_after_ = before_;
    }
    before_ = row.time;
    while (n_begun_ < plans_.size() && plans_[n_begun_].time <= row.time) ++n_begun_;
    return n_begun_ > 0 && (!knows_goals_ || leads_to_goal(plans_[n_begun_ - 1])) ? n_begun_ : 0;
  }

 private:
  [[nodiscard]] bool leads_to_goal(const io::LoggedPlan& plan) const {
    if (!goal_ || plan.points.empty()) return false;
    return plan.time > goal_after_ || distance(plan.points.back(), *goal_) <= kAtGoal;
  }

  std::span<const io::LoggedPlan> plans_;
  bool knows_goals_;
  std::size_t n_begun_ = 0;
  std::optional<Vec2> goal_;
  double before_ = -INFINITY;      // time of the row before [s]
  double goal_after_ = -INFINITY;  // and of the last one that had another goal
};

std::vector<robot::PlannedPath> thin_plans(std::span<const io::LoggedPlan> plans) {
  std::vector<robot::PlannedPath> thin;
  if (plans.empty()) return thin;
  thin.emplace_back();
  for (const io::LoggedPlan& plan : plans) thin.push_back(robot::thin_path(plan.points));
  return thin;
}

std::vector<DrivePoint> even_truth(const Stretch& rows) {
  std::vector<DrivePoint> truth;
  DrivePoint before{rows.front().truth, 0};
  double before_time = rows.front().time;
  for (const LogRow& row : rows) {
    const DrivePoint now{row.truth, before.driven + distance(before.pose.position(), row.truth.position())};
    for (double t; (t = rows.front().time + static_cast<double>(truth.size()) * kTruthStep) <= row.time;) {
      truth.push_back(row.time > before_time ? between(before, now, (t - before_time) / (row.time - before_time))
                                             : now);
    }
    before = now;
    before_time = row.time;
  }
  return truth;
}

robot::Report make_report(const LogRow& row, const LoggedDrive& logged, const robot::Limits& limits) {
  robot::Report report;
  report.time = {from_seconds(row.time).ns};
  report.state = {*row.believed, row.velocity};
  report.acceleration = row.acceleration;
  report.goal = row.goal;
  report.task = row.goal ? robot::TaskState::driving : robot::TaskState::waiting;
  report.odometry = row.odometry;
  if (!logged.plans.empty()) report.planned_path = logged.plans[row.plan];
  if (!logged.knows_goals) {
    // nobody says where it is going: as good as driven by hand
    report.task = robot::TaskState::idle;
    report.hand_driven = true;
  }
  report.limits = {limits.max_speed, limits.max_turn_rate};
  return report;
}

}  // namespace

Result<LoggedDrive> make_logged_drive(const io::DriveLog& log, const std::string& file,
                                      const robot::Description& robot) {
  if (auto checked = check_columns(log, file); !checked) return checked.error();
  LoggedDrive logged;
  logged.knows_goals = has_column(log, Column::goal_x_m) && has_column(log, Column::goal_y_m);
  logged.plans = thin_plans(log.plans);
  PlansInForce plans(log.plans, logged.knows_goals);
  Odometer odometer;
  bool localized = false;  // from the first row on that says so: before it nobody could know
  double before = -INFINITY;
  for (const io::DriveRow& row : log.rows) {
    if (!has_all(row, {Column::t_s, Column::x_m, Column::y_m, Column::theta_rad})) continue;
    if (auto checked = check_values(row, file); !checked) return checked.error();
    const double time = row[Column::t_s];
    if (time < before) {
      return Error{file + ": t_s falls from " + io::show(before) + " to " + io::show(time) + ", but must rise"};
    }
    if (time == before) continue;
    if (time - before > kLongestGap) logged.stretches.emplace_back();
    before = time;
    localized = localized || has_all(row, {Column::loc_x_m, Column::loc_y_m, Column::loc_theta_rad});
    LogRow& read = logged.stretches.back().emplace_back(read_row(row, localized));
    read.odometry = odometer.read(row);
    read.plan = plans.at(read);
    add_velocity(logged.stretches.back(), row, robot.drive.can_strafe());
  }
  if (logged.stretches.empty()) {
    return Error{file +
                 ": no row has a time and a true pose, but a drive has t_s, x_m, y_m and theta_rad in most rows"};
  }
  if (auto checked = check_pace(logged, file, robot.limits); !checked) return checked.error();
  return logged;
}

std::vector<Drive> cut_drives(const LoggedDrive& logged, const ReportTimes& times, const robot::Description& robot) {
  std::vector<Drive> drives;
  double next = logged.start() + times.phase_s;
  std::uint32_t sequence = 0;
  robot::PlanRepeats plans;
  for (const Stretch& rows : logged.stretches) {
    Drive& drive = drives.emplace_back();
    drive.start = rows.front().time;
    drive.truth = even_truth(rows);
    for (const LogRow& row : rows) {
      if (row.time < next || !row.believed) continue;
      drive.reports.push_back(make_report(row, logged, robot.limits));
      drive.reports.back().sequence = sequence++;
      plans.apply(drive.reports.back());
      next += times.interval_s * (std::floor((row.time - next) / times.interval_s) + 1);
    }
  }
  return drives;
}

}  // namespace forerun::learn
