// The robot of the link study: drives in a circle, and writes down what it was told and when that truly was.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "forerun/robot/report.hpp"
#include "forerun/study/sim_clock.hpp"
#include "forerun/sync/command_gate.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::study {

struct ExecutedCommand {
  robot::CommandKind kind = robot::CommandKind::stop;
  sync::CommandInfo info;
  TrueTime at;
};

class LinkRobot final : public sync::RobotSide {
 public:
  LinkRobot();

  void set_time(TrueTime now) noexcept { now_ = now; }
  // The next report, and a note of it.
  [[nodiscard]] robot::Report report(RobotTime time);
  // Whether it said exactly this lately.
  [[nodiscard]] bool has_said(const robot::Report& report) const noexcept;

  robot::Reply execute(const robot::Command& command, const sync::CommandInfo& info) noexcept override;
  void end_hand_driving() noexcept override;
  // The robot side has gone: a control system whose connection closes comes to rest (docs/robot-interface.md).
  void lose_robot_side() noexcept { driven_at_.reset(); }

  [[nodiscard]] const std::vector<ExecutedCommand>& executed() const noexcept { return executed_; }
  // Times that hand driving outlived its commands.
  [[nodiscard]] std::uint64_t n_overruns() const noexcept { return n_overruns_; }

 private:
  void note_end_of_driving() noexcept;

  TrueTime now_;
  std::uint32_t n_reports_ = 0;
  std::vector<sync::SyncBody> said_;  // in a ring
  std::vector<ExecutedCommand> executed_;
  std::optional<TrueTime> driven_at_;  // last command of hand driving
  std::uint64_t n_overruns_ = 0;
};

}  // namespace forerun::study
