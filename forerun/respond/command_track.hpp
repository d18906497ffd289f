// What was commanded when: a step function of time that remembers the last changes.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/robot/drive.hpp"

namespace forerun::respond {

class CommandTrack {
 public:
  static constexpr std::size_t kChanges = 512;  // that it remembers
  static constexpr double kFinest = 0.005;      // [s]

  // In force from `time` [s] until the next one. A time before the newest one's is ignored. Of commands within 5 ms the
  // last one counts, so that it remembers two and a half seconds of a robot that is told every millisecond.
  void give(double time, const robot::Twist& velocity) noexcept;

  // In force at this time; nothing was commanded before the first one. What was forgotten counts as the oldest one
  // known.
  [[nodiscard]] robot::Twist at(double time) const noexcept;
  // The mean from one time to a later one.
  [[nodiscard]] robot::Twist mean(double from, double to) const noexcept {
    // what is ahead is asked for most often
    return n_ > 0 && newest().time <= from ? newest().velocity : mean_of_changes(from, to);
  }
  [[nodiscard]] bool empty() const noexcept { return n_ == 0; }

 private:
  struct Change {
    double time = 0;
    robot::Twist velocity;
  };
  [[nodiscard]] const Change& change(std::size_t i) const noexcept { return changes_[(first_ + i) % kChanges]; }
  [[nodiscard]] const Change& newest() const noexcept { return change(n_ - 1); }
  [[nodiscard]] robot::Twist mean_of_changes(double from, double to) const noexcept;
  // How many of the changes are not after this time.
  [[nodiscard]] std::size_t count_until(double time) const noexcept;
  [[nodiscard]] robot::Twist before(std::size_t i) const noexcept;

  std::array<Change, kChanges> changes_{};
  std::size_t first_ = 0;
  std::size_t n_ = 0;
  bool forgot_ = false;  // the oldest one known was not the first
};

}  // namespace forerun::respond
