// What the simulated robot says of itself in a sync message.
#pragma once

#include <cstdint>

#include "forerun/robot/report.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::sim {

// What the loop does not know.
struct ReportStamp {
  std::uint32_t robot = 0;
  std::uint64_t model = 0;
  std::uint32_t sequence = 0;
};

// Only what the robot side itself knows: the pose as localized, velocities as measured, limits as believed.
//
// The acceleration is the mean one from now to the next decision, from what the motors were told: until then nothing
// else will be decided. The change of measured velocities over the last period says what was, and is wrong by a whole
// acceleration after each decision that changes it.
[[nodiscard]] robot::Report make_report(const Loop& loop, const ReportStamp& stamp) noexcept;

}  // namespace forerun::sim
