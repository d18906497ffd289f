// The coarse scan that reports carry, from the newest readings of a robot's lasers.
#pragma once

#include <optional>

#include "forerun/robot/description.hpp"
#include "forerun/robot/live_scan.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::sense {

// As seen from where dead reckoning has the robot now: readings are older than that. Nothing without a laser.
[[nodiscard]] std::optional<robot::LiveScan> live_scan(const robot::Description& robot, const Readings& readings,
                                                       const Pose2& odometry) noexcept;

}  // namespace forerun::sense
