// Drive logs: CSV with a header and any subset of the columns below, empty where there is no value.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/io/file.hpp"

namespace forerun::io {

// What each column means is said in docs/formats.md.
enum class DriveColumn {
  t_s,
  ticks_left,
  ticks_right,
  x_m,
  y_m,
  theta_rad,
  dx_m,
  dy_m,
  dtheta_rad,
  v_cmd_mps,
  w_cmd_radps,
  vx_cmd_mps,
  vy_cmd_mps,
  v_mps,
  w_radps,
  loc_x_m,
  loc_y_m,
  loc_theta_rad,
  goal_x_m,
  goal_y_m,
  odom_x_m,
  odom_y_m,
  odom_theta_rad,
};
inline constexpr std::size_t kDriveColumns = 23;

[[nodiscard]] const char* name_of(DriveColumn column);

class DriveRow {
 public:
  DriveRow() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
  double& operator[](DriveColumn column) { return values_[static_cast<std::size_t>(column)]; }
  double operator[](DriveColumn column) const { return values_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] bool has(DriveColumn column) const { return (*this)[column] == (*this)[column]; }

 private:
  std::array<double, kDriveColumns> values_;  // NaN: no value
};

// Writes row by row; the file appears under its name when it is closed.
class DriveLogWriter {
 public:
  static Result<DriveLogWriter> open(const std::string& path, std::vector<DriveColumn> columns);

  // Values that are not finite become empty.
  void add(const DriveRow& row);
  [[nodiscard]] Result<void> close() { return file_.commit(); }

 private:
  DriveLogWriter(PendingFile file, std::vector<DriveColumn> columns);

  PendingFile file_;
  std::vector<DriveColumn> columns_;
  std::string line_;
};

// The way that the robot meant to take from this time on.
struct LoggedPlan {
  double time = 0;           // [s]
  std::vector<Vec2> points;  // [m]; none: it had no plan any more
};

struct DriveLog {
  std::vector<DriveColumn> columns;  // that the file has, in its order
  std::vector<DriveRow> rows;
  std::vector<LoggedPlan> plans;  // from a file of their own (io/plan_log.hpp), in the order of their times
};

// May be packed with gzip. Columns of other names are ignored.
[[nodiscard]] Result<DriveLog> load_drive_log(const std::string& path);
[[nodiscard]] Result<DriveLog> parse_drive_log(std::string_view text, const std::string& file);

}  // namespace forerun::io
