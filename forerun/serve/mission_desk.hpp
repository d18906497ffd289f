// Where a served robot takes missions: whole, readable, and signed by the operator who brings them.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/mission/pilot.hpp"
#include "forerun/sync/command_gate.hpp"

namespace forerun::serve {

class MissionDesk {
 public:
  // Both must outlive it.
  MissionDesk(const world::World& world, const robot::Description& robot) : pilot_(world, robot) {}

  // A mission takes the place of the one before; anything else is refused with a reason.
  robot::Reply take(const sync::BroughtObject& brought);

  [[nodiscard]] mission::Pilot& pilot() noexcept { return pilot_; }
  [[nodiscard]] const mission::Pilot& pilot() const noexcept { return pilot_; }
  // The mission as it was brought, for other viewers, and its number; 0: none so far.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const std::vector<std::uint8_t>& object() const noexcept { return object_; }

 private:
  mission::Pilot pilot_;
  std::uint64_t number_ = 0;
  std::vector<std::uint8_t> object_;
};

}  // namespace forerun::serve
