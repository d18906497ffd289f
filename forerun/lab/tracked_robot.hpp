// What the commands about tracked robots share.
#pragma once

#include <string>

#include "forerun/base/math.hpp"
#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::lab {

// A file or a bare name, as --robot has it; refused when the robot has no crawler.
[[nodiscard]] Result<robot::Description> load_tracked_robot(const std::string& name);

[[nodiscard]] constexpr double degrees(double radians) noexcept { return radians * 180 / kPi; }

}  // namespace forerun::lab
