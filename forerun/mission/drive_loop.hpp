// A mission that drives a simulated robot's loop.
#pragma once

#include "forerun/mission/pilot.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::mission {

// Begins the mission of this number, or goes on with it.
[[nodiscard]] inline robot::Reply start_on(sim::Loop& loop, std::uint64_t number, Pilot& pilot) noexcept {
  const bool runs = pilot.is_running();
  const robot::Reply reply = pilot.start(number, loop.reported_pose());
  if (reply.state == robot::Reply::State::accepted && !runs) loop.drive_by(*pilot.executor(), kDecisionPeriod);
  return reply;
}

// The mission waits when anybody else drives the loop; call it after commands, and when the loop was made anew.
inline void hold_unless_driving(const sim::Loop& loop, Pilot& pilot) noexcept {
  if (loop.helm() != sim::Helm::program) pilot.hold();
}

}  // namespace forerun::mission
