// What motors with a lag of first order make of commands that change in steps, in closed form (LAT-1).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace forerun::learn {

struct CommandStep {
  double time = 0;   // in force from then until the next one [s]
  double value = 0;  // speed or turn rate wanted [m/s], [rad/s]
};

class LaggedCommand {
 public:
  // `steps` in the order of their times, at least one; they must outlive this. The first one is taken to have been in
  // force for ever.
  LaggedCommand(std::span<const CommandStep> steps, double lag);

  struct Motion {
    double speed = 0;      // at that time
    double travelled = 0;  // since the first step; before it negative
  };
  // Fastest when the times asked for rise.
  [[nodiscard]] Motion at(double time) noexcept;

 private:
  struct Corner {
    double speed = 0;      // of the motors when the step comes
    double commanded = 0;  // integral of the command until then
  };

  std::span<const CommandStep> steps_;
  double lag_;
  std::vector<Corner> corners_;  // one a step
  std::size_t now_ = 0;          // the step in force at the time asked for last
};

}  // namespace forerun::learn
