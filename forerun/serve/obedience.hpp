// When a report is due because the robot has just obeyed: viewers predict by what it was told, as soon as it says so.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/time.hpp"

namespace forerun::serve {

class Obedience {
 public:
  // `n_executed`: commands that the robot has executed so far. True for a report that shows what came of them.
  [[nodiscard]] bool wants_report(RobotTime now, std::uint64_t n_executed) noexcept {
    if (n_executed != n_executed_ && !since_) since_ = now;
    n_executed_ = n_executed;
    return since_ && now - *since_ >= kSettling;
  }
  void on_sent() noexcept { since_.reset(); }

 private:
  static constexpr Duration kSettling = from_seconds(0.15);  // until the robot's own state shows the command
  std::uint64_t n_executed_ = 0;
  std::optional<RobotTime> since_;  // the first command that no report has shown yet
};

}  // namespace forerun::serve
