// What hinders a robot: a guard that holds the operator's hand back, and things that it touches.
#pragma once

#include <cstddef>
#include <optional>

#include "forerun/base/fixed_vector.hpp"

namespace forerun::robot {

struct HeldBack {
  double share = 0;     // of what the hand asked for, in (0, 1]
  double distance = 0;  // from the footprint to what it was held back for [m]
  double bearing = 0;   // of that, in the robot's frame [rad]
  bool operator==(const HeldBack&) const noexcept = default;
};

// The robot has driven against something, and has not come away from it since.
struct Contact {
  static constexpr std::size_t kMostSides = 4;
  FixedVector<double, kMostSides> bearings;  // of what touches, in the robot's frame [rad]
  double lasts = 0;                          // for so long already [s]
  bool operator==(const Contact&) const noexcept = default;
};

struct Hindrance {
  std::optional<HeldBack> held_back;
  std::optional<Contact> contact;
  bool operator==(const Hindrance&) const noexcept = default;
};

}  // namespace forerun::robot
