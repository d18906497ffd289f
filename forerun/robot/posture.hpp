// How a robot on rough ground stands: what a pose in the plan view does not say.
#pragma once

#include <cstdint>

#include "forerun/robot/crawler.hpp"

namespace forerun::robot {

enum class Standing : std::uint8_t {
  upright,
  on_its_side,
  upside_down,
  lost,  // below everything, or its numbers are none
};
inline constexpr std::uint8_t kStandings = 4;
[[nodiscard]] const char* to_string(Standing standing) noexcept;

struct Posture {
  double height = 0;  // of the robot's frame above the floor [m]
  double roll = 0;    // to the right [rad]
  double pitch = 0;   // nose down [rad]
  FlipperAngles flippers{};
  double left_speed = 0, right_speed = 0;  // of the belts [m/s]
  Standing standing = Standing::upright;
  bool operator==(const Posture&) const noexcept = default;
};

}  // namespace forerun::robot
