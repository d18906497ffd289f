// How fast to go towards a place that is some way off, when it is reached, and when it never will be. For lengths and
// for angles; without a clock.
#pragma once

#include <optional>

namespace forerun::kenaf {

// In units of the way (mm or degrees) and seconds.
struct MotionLimits {
  double fastest = 1, slowest = 0.1;  // [1/s]
  double acceleration = 1;            // [1/s²]
  double gain = 2;                    // speed for each unit that is left [1/s]
  double tolerance = 0.1;             // so near is there
  double progress = 0.1;              // less than that, for `patience`, is none
  double patience_s = 2;
  double settling_s = 0.2;  // it must have stood there so long
};

inline constexpr MotionLimits kForwardMotion{
    .fastest = 200, .slowest = 8, .acceleration = 200, .gain = 2.5, .tolerance = 1, .progress = 1};
inline constexpr MotionLimits kTurningMotion{
    .fastest = 45, .slowest = 2.5, .acceleration = 60, .gain = 2, .tolerance = 0.4, .progress = 0.5};

class Motion {
 public:
  Motion(double way, const MotionLimits& limits) : way_(way), limits_(limits) {}

  enum class State { going, there, stalled };
  struct Step {
    State state = State::going;
    double speed = 0;  // [1/s], with the way's sign
  };
  // `done` of the way at this time [s], which never goes back.
  [[nodiscard]] Step step(double done, double now_s);

 private:
  double way_;
  MotionLimits limits_;
  std::optional<double> begin_s_, there_since_s_;
  double nearest_ = 0, nearer_at_s_ = 0;  // when it last came nearer
};

}  // namespace forerun::kenaf
