// How late a robot does what it is told: pure delay and lag of first order, for translation and rotation (LAT-1).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/learn/commanded_drive.hpp"
#include "forerun/learn/response_fit.hpp"

namespace forerun::learn {

struct DeadTimeParams {
  double widest_s = 0.1;           // an interval of the delay that is wider tells too little [s]
  double least_busy_s = 5;         // time in which this axis was commanded to move [s]
  double least_correlation = 0.5;  // of distances commanded and seen
};

template <class Visit>
void visit_fields(DeadTimeParams& p, Visit&& visit) {
  visit("widest_s", p.widest_s, Field{0.001, 2, "an interval of the delay that is wider tells too little [s]"});
  visit("least_busy_s", p.least_busy_s, Field{1, 600, "an axis must be commanded to move for this time [s]"});
  visit("least_correlation", p.least_correlation,
        Field{0, 1, "distances commanded and seen must correlate at least so well"});
}

struct AxisDeadTime {
  bool known = false;
  std::string why;    // it is not known
  Shift shift;        // of the two curves, as the paper measures it
  ResponseFit fit;    // only where it is known, or almost
  double busy_s = 0;  // time that was compared [s]
};

struct DeadTime {
  AxisDeadTime v, w;
  [[nodiscard]] bool enough_excitation() const { return v.known && w.known; }
};

// From commands and poses alone, so that it serves recorded drives and a window of a live one. Stretches in any order;
// `sideways`: what was commanded to the left counts for v too.
[[nodiscard]] DeadTime estimate_dead_time(std::span<const CommandedStretch> stretches, bool sideways,
                                          const DeadTimeParams& params = {});
// All drives of one robot at once.
[[nodiscard]] DeadTime estimate_dead_time(std::span<const CommandedDrive> drives, const DeadTimeParams& params = {});

}  // namespace forerun::learn
