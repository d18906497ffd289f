// What a simulated robot's loop makes of a command, in the words of the link.
#pragma once

#include "forerun/robot/reply.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::sim {

[[nodiscard]] inline robot::Reply reply_of(CommandOutcome outcome) noexcept {
  switch (outcome) {
    case CommandOutcome::accepted:
      return robot::accept();
    case CommandOutcome::not_a_number:
      return robot::refuse(robot::Refusal::malformed);
    case CommandOutcome::cannot_stand:
      return robot::refuse(robot::Refusal::cannot_stand);
    case CommandOutcome::cannot_get_there:
      return robot::refuse(robot::Refusal::cannot_get_there);
    case CommandOutcome::not_able:
      return robot::refuse(robot::Refusal::not_able);
  }
  return robot::refuse(robot::Refusal::other);
}

}  // namespace forerun::sim
