// What a robot's lasers see all round it, as coarsely as a person needs it: beside what a replica expects it shows
// where the two differ.
#pragma once

#include <array>
#include <cstdint>

namespace forerun::robot {

struct LiveScan {
  static constexpr std::size_t kSectors = 56;
  static constexpr std::uint8_t kNothing = 255;

  std::uint8_t unit_cm = 1;  // of the ranges, at least 1 [cm]
  // From the robot's middle to the nearest echo of each sector; kNothing: there is none. The first sector begins
  // straight ahead, the others follow counter-clockwise.
  std::array<std::uint8_t, kSectors> ranges{};
  bool operator==(const LiveScan&) const noexcept = default;
};

}  // namespace forerun::robot
