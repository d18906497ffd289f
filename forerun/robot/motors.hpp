// Motors between a command and the velocities that follow from it: limits of acceleration first, then a lag of first
// order. The simulated body, the replica and the fit to recorded drives have the same ones.
#pragma once

#include "forerun/base/math.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::robot {

// How much of the way to what is wanted motors of this lag [s] go within `dt`.
[[nodiscard]] inline double lag_share(double lag, double dt) noexcept { return lag > 0 ? 1 - exp(-dt / lag) : 1; }

struct Motors {
  Twist ramped;    // after the limits, before the lag
  Twist velocity;  // after the lag

  // Runs at this velocity already.
  void begin(const Twist& at) noexcept { ramped = velocity = at; }

  // Something holds the robot: it stands, and may go on turning.
  void hold(bool may_turn) noexcept {
    for (Twist* v : {&ramped, &velocity}) *v = {0, 0, may_turn ? v->w : 0};
  }

  // One step of `dt`; `share` of it is the lag's.
  void step(const Twist& command, const Limits& limits, double dt, double share) noexcept {
    ramped = approach(ramped, command, limits, dt);
    velocity = {velocity.vx + (ramped.vx - velocity.vx) * share, velocity.vy + (ramped.vy - velocity.vy) * share,
                velocity.w + (ramped.w - velocity.w) * share};
  }
};

}  // namespace forerun::robot
