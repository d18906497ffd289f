#include "forerun/io/drive_recorder.hpp"

namespace forerun::io {
namespace {

using Column = io::DriveColumn;

io::DriveRow make_row(const sim::Loop& loop, bool has_sides) {
  io::DriveRow row;
  row[Column::t_s] = to_seconds(loop.time());
  if (has_sides) {
    row[Column::ticks_left] = static_cast<double>(loop.readings().ticks[0]);
    row[Column::ticks_right] = static_cast<double>(loop.readings().ticks[1]);
  }
  const robot::State& truth = loop.truth();
  row[Column::x_m] = truth.pose.x;
  row[Column::y_m] = truth.pose.y;
  row[Column::theta_rad] = truth.pose.theta;
  row[Column::v_mps] = truth.velocity.vx;
  row[Column::w_radps] = truth.velocity.w;
  row[Column::v_cmd_mps] = loop.decision().command.vx;
  row[Column::w_cmd_radps] = loop.decision().command.w;
  row[Column::vx_cmd_mps] = loop.decision().command.vx;
  row[Column::vy_cmd_mps] = loop.decision().command.vy;
  const Pose2 believed = loop.reported_pose();
  row[Column::loc_x_m] = believed.x;
  row[Column::loc_y_m] = believed.y;
  row[Column::loc_theta_rad] = believed.theta;
  if (const auto goal = loop.executive().goal()) {
    row[Column::goal_x_m] = goal->x;
    row[Column::goal_y_m] = goal->y;
  }
  return row;
}

}  // namespace

Result<SimRecorder> SimRecorder::open(const std::string& log_path, const std::string& scan_path,
                                      const robot::Description& robot) {
  SimRecorder recorder;
  if (!scan_path.empty()) {
    auto scans = ScanLogWriter::open(scan_path, robot);
    if (!scans) return scans.error();
    recorder.scans_.emplace(std::move(*scans));
  }
  if (log_path.empty()) return recorder;
  recorder.has_sides_ = robot.drive.ticks_per_turn > 0 && robot.drive.has_sides();
  std::vector<Column> columns{Column::t_s};
  if (recorder.has_sides_) columns.insert(columns.end(), {Column::ticks_left, Column::ticks_right});
  columns.insert(columns.end(), {Column::x_m, Column::y_m, Column::theta_rad, Column::v_mps, Column::w_radps,
                                 Column::v_cmd_mps, Column::w_cmd_radps, Column::loc_x_m, Column::loc_y_m,
                                 Column::loc_theta_rad, Column::goal_x_m, Column::goal_y_m});
  if (robot.drive.can_strafe()) columns.insert(columns.end(), {Column::vx_cmd_mps, Column::vy_cmd_mps});
  auto log = io::DriveLogWriter::open(log_path, std::move(columns));
  if (!log) return log.error();
  recorder.log_.emplace(std::move(*log));
  return recorder;
}

void SimRecorder::take(const sim::Loop& loop) {
  if (scans_) scans_->take(loop.readings());
  if (loop.time() < next_) return;
  next_ += from_seconds(kInterval);
  trail_.push_back(loop.truth().pose.position());
  if (log_) log_->add(make_row(loop, has_sides_));
}

Result<void> SimRecorder::close() {
  if (scans_) {
    if (auto closed = scans_->close(); !closed) return closed;
  }
  return log_ ? log_->close() : Result<void>{};
}

}  // namespace forerun::io
