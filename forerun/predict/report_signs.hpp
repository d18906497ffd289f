// What two reports of a robot show beside their numbers.
#pragma once

#include <algorithm>
#include <cmath>

#include "forerun/predict/trail.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

inline constexpr double kStanding = 0.1;   // slower than this a robot hardly moves [m/s]
inline constexpr double kUnstated = 0.03;  // of a stranger's localization that does not say what it errs by [m] …
inline constexpr double kMoved = 0.2;      // … unless the robot has moved by less than this [m]

// Whether the robot says when it decides next. One that does not has a control system that we know little about.
[[nodiscard]] inline bool tells_phase(const robot::Report& report) noexcept {
  return report.until_decision > Duration{};
}

// What a pose was off by, as far as one can know, when the robot had come there from `start`: a standard deviation.
[[nodiscard]] inline double blur_of(const robot::Report& report, Vec2 start) noexcept {
  const double said = std::max(report.error.sigma_x, report.error.sigma_y);
  const bool moved = distance(start, report.state.pose.position()) > kMoved;
  return said > 0 || !moved || tells_phase(report) ? said : kUnstated;
}

// Both on the way to the same goal.
[[nodiscard]] inline bool is_same_leg(const robot::Report& a, const robot::Report& b) noexcept {
  return a.task == robot::TaskState::driving && b.task == robot::TaskState::driving && a.goal && a.goal == b.goal;
}

// Slower than expected, and not about to change that.
[[nodiscard]] inline bool is_slow(const robot::Report& report, const TrailPoint& expected) noexcept {
  const bool drives = report.task == robot::TaskState::driving && expected.task == robot::TaskState::driving;
  const double soon = report.state.velocity.vx + report.acceleration.v * to_seconds(report.until_decision);
  return drives && soon < 0.6 * expected.state.velocity.vx - 0.05;
}

// Hardly came forward, though the goal is elsewhere.
[[nodiscard]] inline bool is_stuck(const robot::Report& before, const robot::Report& report) noexcept {
  if (!is_same_leg(before, report) || to_seconds(report.time - before.time) < 2) return false;
  const Vec2 position = report.state.pose.position();
  return std::max(before.state.velocity.vx, report.state.velocity.vx) < kStanding &&
         distance(before.state.pose.position(), position) < 0.3 && distance(position, *report.goal) > 0.5;
}

}  // namespace forerun::predict
