// Why a command was refused, for programs and for people.
#pragma once

#include <string>

#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/command_sender.hpp"

namespace forerun::watch {

// One word: the robot's own reason where it gave one, else what the robot side says.
[[nodiscard]] inline std::string refusal_word(const sync::CommandRecord& record) {
  if (record.refusal != robot::Refusal::none) return robot::to_string(record.refusal);
  return sync::to_string(record.outcome);
}

// What the robot side itself says to a command that it does not pass on.
[[nodiscard]] inline const char* explain(sync::Outcome outcome) noexcept {
  switch (outcome) {
    case sync::Outcome::stale:
      return "it was too old when it came.";
    case sync::Outcome::superseded:
      return "a newer command or a stop came before it.";
    case sync::Outcome::not_allowed:
      return "this key may only watch.";
    case sync::Outcome::impossible:
      return "the robot cannot do that.";
    default:
      return sync::to_string(outcome);
  }
}

// In the robot's own words where it has any; goes on after "The robot refused it: ".
[[nodiscard]] inline std::string refusal_text(const sync::CommandRecord& record) {
  if (!record.words.empty()) return std::string(record.words.view());
  if (record.refusal != robot::Refusal::none) return robot::explain(record.refusal);
  return explain(record.outcome);
}

// Why an object that was brought was not taken; a sentence of its own.
[[nodiscard]] inline std::string refusal_text(const sync::Verdict& verdict) {
  switch (verdict.taken) {
    case sync::Taken::not_allowed:
      return "this key may only watch";
    case sync::Taken::too_large:
      return "it is larger than the robot takes";
    case sync::Taken::too_many:
      return "the robot has been brought too many objects; it takes more in a few minutes";
    case sync::Taken::mismatch:
      return "it arrived damaged";
    default:
      break;
  }
  return verdict.words.empty() ? robot::explain(verdict.refusal) : std::string(verdict.words.view());
}

}  // namespace forerun::watch
