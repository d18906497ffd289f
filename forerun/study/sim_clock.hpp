// Clocks as computers have them: they run a little fast or slow, the rate wanders, and are set now and then.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/base/time.hpp"

namespace forerun::study {

struct TrueClock;
using TrueTime = TimePoint<TrueClock>;  // of the study itself; no one in it can read this one

struct ClockHabits {
  double max_drift = 200e-6;     // runs fast or slow by up to this share
  double wander = 5e-6;          // and by this much more or less as the day goes
  double wander_period_s = 900;  // [s]
  double step_every_s = 0;       // mean time between settings [s]; 0: never
  double step_min_s = 0.001;     // size of a setting, spread evenly over the decades [s]
  double step_max_s = 10;        // [s]
};

class SimClock {
 public:
  SimClock(const ClockHabits& habits, Duration length, Random random);

  // What it shows [ns].
  [[nodiscard]] std::int64_t read(TrueTime now) const noexcept;

 private:
  struct Step {
    TrueTime at;
    Duration by;
  };
  double drift_;
  double wander_;
  double period_;
  double phase_;
  std::int64_t start_;
  std::vector<Step> steps_;
};

}  // namespace forerun::study
