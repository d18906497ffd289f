// Where a robot is that simply goes on: the papers' baseline, and the best there is for the next moment.
#pragma once

#include "forerun/base/time.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::robot {

// At the velocities of the report: an arc without end.
[[nodiscard]] State extrapolate(const Report& report, Duration ahead) noexcept;

// The velocities change at the reported accelerations until the next decision, and stay as they are from then on.
[[nodiscard]] State accelerate(const Report& report, Duration ahead) noexcept;

}  // namespace forerun::robot
