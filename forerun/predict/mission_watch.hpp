// A robot on a mission whose path is known drives where the path leads, at about the times that it names: no replica
// can know better (DEC-10).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "forerun/robot/motion.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/robot/timed_path.hpp"

namespace forerun::predict {

// How it goes on from a report.
struct MissionCourse {
  std::span<const robot::TimedPoint> path;
  double time = 0;   // on the path, at the report [s]
  double pace = 1;   // of the path's clock
  double waits = 0;  // the clock stands for so long first [s]
  Pose2 off;         // where the robot is, seen from where it should be; its tracker brings that to zero

  // `gap` seconds after the report.
  [[nodiscard]] robot::State state_after(double gap) const noexcept;
  [[nodiscard]] bool is_over(double gap) const noexcept;
};

class MissionWatch {
 public:
  // The path of the mission of this number; null: of none.
  void set(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path) noexcept;

  // Learns how fast the path's clock goes: a robot that is slower than it should be is waited for.
  void take_in(const robot::Report& before, const robot::Report& report) noexcept;
  // Of a robot that is at `pose`, and that, where its path's clock stood, is held up for about so long; nothing where
  // its mission is not known, or does not run.
  [[nodiscard]] std::optional<MissionCourse> course(const robot::Report& report, const Pose2& pose,
                                                    double held_up_s) const noexcept;
  [[nodiscard]] double pace() const noexcept { return pace_; }

 private:
  [[nodiscard]] bool is_running(const robot::Report& report) const noexcept;

  std::uint64_t number_ = 0;
  std::shared_ptr<const robot::TimedPath> path_;
  double pace_ = 1;
  bool stood_ = false;  // the path's clock, between the last two reports: something holds the robot up
};

}  // namespace forerun::predict
