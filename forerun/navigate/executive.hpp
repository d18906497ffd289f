// Drives the robot through a list of goals, with a wait at each (PSS-6).
#pragma once

#include <optional>
#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::navigate {

struct Task {
  Vec2 goal;
  double wait = 0;  // stays this long after arriving [s]
};

inline constexpr std::size_t kMaxTasks = 64;

using robot::TaskState;

class Executive {
 public:
  // Replaces whatever it was doing. False, and nothing changes, when there are more than kMaxTasks.
  [[nodiscard]] bool start(std::span<const Task> tasks) noexcept;
  void cancel() noexcept;
  void give_up() noexcept;  // the current goal cannot be reached

  // Looks where the robot is: arrives within `tolerance`, waits, moves on to the next goal.
  void update(RobotTime now, const Pose2& pose, double tolerance) noexcept;

  [[nodiscard]] TaskState state() const noexcept { return state_; }
  // The goal to drive to, or nothing while there is nowhere to go.
  [[nodiscard]] std::optional<Vec2> goal() const noexcept;
  // The goal that it will drive to when it has waited; nothing while it does not wait, or waits at the last one.
  [[nodiscard]] std::optional<Vec2> next_goal() const noexcept;
  // Which goal of the list comes next, is driven to or waited at; the number of goals when all are done.
  [[nodiscard]] std::size_t current() const noexcept { return current_; }
  [[nodiscard]] std::size_t n_reached() const noexcept { return n_reached_; }
  [[nodiscard]] Duration remaining_wait(RobotTime now) const noexcept;

 private:
  FixedVector<Task, kMaxTasks> tasks_;
  std::size_t current_ = 0;
  std::size_t n_reached_ = 0;
  TaskState state_ = TaskState::idle;
  RobotTime wait_until_;
};

}  // namespace forerun::navigate
