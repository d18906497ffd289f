// What is uploaded: a timed path for one robot, and what it does on its way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forerun/mission/action.hpp"
#include "forerun/mission/control.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::mission {

inline constexpr double kLongestMission = 3600;  // [s]

struct Mission {
  std::string name = "mission";
  std::string world;              // where it was tried out, by name
  std::string robot;              // that it fits, by name …
  std::uint64_t fingerprint = 0;  // … and by what it is
  TimedPath path;                 // at least two points, from rest to rest
  std::vector<Action> actions;    // as check_actions wants them
};

// Of all that a mission relies on: name, kind of drive, footprint and limits. A robot that was calibrated anew is still
// the same.
[[nodiscard]] std::uint64_t fingerprint_of(const robot::Description& robot) noexcept;

}  // namespace forerun::mission
