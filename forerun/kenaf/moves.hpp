// Driving a given way and turning by a given angle, until the robot stands there or cannot.
#pragma once

#include <atomic>
#include <string>

#include "forerun/kenaf/driver.hpp"

namespace forerun::kenaf {

// Ends a move: a stop has been counted since this was made. Made when the move is asked for, it misses none that comes
// before the robot moves.
class StopSignal {
 public:
  explicit StopSignal(const std::atomic<unsigned>& stops) : stops_(stops), before_(stops) {}
  [[nodiscard]] bool given() const { return stops_ != before_; }

 private:
  const std::atomic<unsigned>& stops_;
  unsigned before_;
};

// Nothing: it is there. Else one sentence why not; the tracks stand in every case.
[[nodiscard]] std::string go_forward(Driver& driver, double mm, const StopSignal& stop);
// Left is positive.
[[nodiscard]] std::string turn(Driver& driver, double deg, const StopSignal& stop);

}  // namespace forerun::kenaf
