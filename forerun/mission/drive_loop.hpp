// A mission that drives a simulated robot's loop.
#pragma once

#include "forerun/mission/pilot.hpp"
#include "forerun/mission/pretend_action.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::mission {

// Begins the mission that the command names, or goes on with it.
[[nodiscard]] inline robot::Reply start_on(sim::Loop& loop, const robot::Command& command, Pilot& pilot) noexcept {
  const bool runs = pilot.is_running();
  const robot::Reply reply = pilot.start(command, loop.reported_pose());
  if (reply.state == robot::Reply::State::accepted && !runs) loop.drive_by(*pilot.executor(), kDecisionPeriod);
  return reply;
}

// A mission waits when anybody else drives the loop, and the loop lets go of one that is over. Actions are pretended.
// Call it after commands and steps, when the loop was made anew, and before the pilot is given another mission.
inline void settle(sim::Loop& loop, Pilot& pilot) noexcept {
  if (loop.helm() != sim::Helm::program) return pilot.hold();
  if (pilot.executor() != nullptr) pretend_action(*pilot.executor(), loop.time());
  if (!pilot.is_running()) loop.command({.kind = robot::CommandKind::cancel});
}

}  // namespace forerun::mission
