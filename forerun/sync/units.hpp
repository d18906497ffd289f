// The units in which quantities travel (docs/protocol.md).
#pragma once

#include "forerun/base/math.hpp"

namespace forerun::sync {

inline constexpr double kFarthest = 100e3;  // no robot or goal is farther from its map's origin [m]

inline constexpr double kPositionUnit = 1e-4;               // [m]; with 32 bits ±214 km
inline constexpr double kGoalUnit = 1e-3;                   // [m]
inline constexpr double kTargetUnit = 2e-3;                 // [m]; relative to the robot, ±65 m
inline constexpr double kSpeedUnit = 5e-4;                  // [m/s]; ±16 m/s
inline constexpr double kTurnRateUnit = 1e-3;               // [rad/s]; ±32 rad/s
inline constexpr double kAccelerationUnit = 1e-3;           // [m/s²]
inline constexpr double kTurnAccelerationUnit = 4e-3;       // [rad/s²]
inline constexpr double kSigmaUnit = 5e-4;                  // [m]; up to 32 m
inline constexpr double kSigmaHeadingUnit = 1e-4;           // [rad]
inline constexpr double kOdometryUnit = 1e-3;               // [m]; 24 bits, then it begins anew
inline constexpr double kOdometryTurnUnit = kTwoPi / 4096;  // [rad]; 16 turns, then it begins anew
inline constexpr double kCorrelationUnit = 1.0 / 127;       // −1 … 1

}  // namespace forerun::sync
