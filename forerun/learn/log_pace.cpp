#include "forerun/learn/log_pace.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/io/text.hpp"

namespace forerun::learn {
namespace {

constexpr double kWindow = 0.25;      // noise of single rows is no motion [s]
constexpr double kMostly = 0.8;       // of the windows
constexpr double kMuchFaster = 5;     // than the robot can
constexpr std::size_t kFewRows = 20;  // say nothing

struct Pace {
  std::vector<double> speeds, turn_rates;
};

void add_pace(const Stretch& rows, Pace& pace) {
  const LogRow* before = &rows.front();
  for (const LogRow& row : rows) {
    const double dt = row.time - before->time;
    if (dt < kWindow) continue;
    pace.speeds.push_back(distance(row.truth.position(), before->truth.position()) / dt);
    // logs may count whole turns or not
    pace.turn_rates.push_back(std::fabs(normalize_angle(row.truth.theta - before->truth.theta)) / dt);
    before = &row;
  }
}

double mostly_below(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(kMostly * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Result<void> check_pace(const LoggedDrive& logged, const std::string& file, const robot::Limits& limits) {
  std::size_t n_rows = 0;
  Pace pace;
  for (const Stretch& rows : logged.stretches) {
    n_rows += rows.size();
    if (!rows.empty()) add_pace(rows, pace);
  }
  if (n_rows >= kFewRows && logged.stretches.size() > n_rows / 2) {
    return Error{file + ": most rows are more than " + io::show(kLongestGap) +
                 " s apart, so that nobody knows the drive between them; is t_s in milliseconds?"};
  }
  const double speed = mostly_below(pace.speeds), turn_rate = mostly_below(pace.turn_rates);
  if (speed > kMuchFaster * limits.max_speed) {
    return Error{file + ": x_m and y_m move by " + io::show(speed) + " m/s, but the robot by at most " +
                 io::show(limits.max_speed) + "; are they in metres, and is this its log?"};
  }
  if (turn_rate > kMuchFaster * limits.max_turn_rate) {
    return Error{file + ": theta_rad turns by " + io::show(turn_rate) + " rad/s, but the robot by at most " +
                 io::show(limits.max_turn_rate) + "; is it in degrees?"};
  }
  return {};
}

}  // namespace forerun::learn
