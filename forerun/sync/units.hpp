// The units in which commands travel (docs/protocol.md); those of reports are in robot/report_fields.hpp.
#pragma once

namespace forerun::sync {

inline constexpr double kFarthest = 100e3;  // no robot or goal is farther from its map's origin [m]

inline constexpr double kGoalUnit = 1e-3;      // [m]
inline constexpr double kSpeedUnit = 5e-4;     // [m/s]; ±16 m/s
inline constexpr double kTurnRateUnit = 1e-3;  // [rad/s]; ±32 rad/s

}  // namespace forerun::sync
