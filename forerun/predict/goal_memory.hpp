// Where a robot usually goes after a goal, and how long it waits there: for robots that do not say so.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/survival.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

struct NextGoal {
  Vec2 goal;
  Duration wait;  // before it leaves for there
};

class GoalMemory {
 public:
  // `stays`: a robot waits about so long, at first [s].
  explicit GoalMemory(double stays = 60) noexcept : waiting_(stays) {}

  // The next report. `arrival`: when the replica arrived at the goal of the report before, if it did. `speed`: at which
  // the robot drives where nothing slows it down [m/s].
  void take_in(const robot::Report& report, std::optional<RobotTime> arrival, double speed) noexcept;

  // What has been seen to come after this goal.
  [[nodiscard]] std::optional<NextGoal> after(Vec2 goal) const noexcept;
  // Goals that it has been given, each once; the robot may go to any of them.
  [[nodiscard]] const FixedVector<Vec2, 16>& known() const noexcept { return known_; }
  // How long the robot usually waits at a goal; nothing before it has waited.
  [[nodiscard]] std::optional<Duration> usual_wait() const noexcept;
  // How long it waits.
  [[nodiscard]] const SurvivalCurve& waiting() const noexcept { return waiting_; }
  // Since when it waits, if it does.
  [[nodiscard]] std::optional<RobotTime> arrived() const noexcept { return arrived_; }
  // A robot that waits and does not say for what is given a goal and a time, where they are known.
  [[nodiscard]] robot::Report completed(const robot::Report& report) const noexcept;

 private:
  struct Step {
    Vec2 from, to;
  };
  void remember_step(Vec2 from, Vec2 to) noexcept;

  static constexpr std::size_t kSteps = 64;
  static constexpr std::size_t kWaits = 9;

  FixedVector<Step, kSteps> steps_;
  std::size_t next_step_ = 0;  // to be forgotten when all places are taken
  FixedVector<Duration, kWaits> waits_;
  std::size_t next_wait_ = 0;
  SurvivalCurve waiting_;
  FixedVector<Vec2, 16> known_;
  std::size_t next_known_ = 0;
  std::optional<Vec2> goal_;  // that the robot drives to or waits at
  std::optional<RobotTime> arrived_;
  std::optional<RobotTime> before_;  // when the report before was made
};

}  // namespace forerun::predict
