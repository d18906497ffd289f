// The way that a robot means to take, as reports carry it: few points, and not in every report.
#pragma once

#include <span>

#include "forerun/robot/report.hpp"

namespace forerun::robot {

inline constexpr double kPlanTolerance = 0.01;  // points that are not needed for this are left out [m]
inline constexpr double kFarthestPlan = 100e3;  // what is farther from the map's origin is no place of a plan [m]

// A path of any length in at most 15 points, of which the first and the last are its own: where it bends most, points
// are kept first (Douglas, Peucker 1973, splitting the worst piece each time). What is no place is passed over.
[[nodiscard]] PlannedPath thin_path(std::span<const Vec2> points) noexcept;

// Decides which reports of one robot carry its planned path. A path that is new goes into the next three reports, so
// that it survives losses, and then into one a second, for those who come later.
class PlanRepeats {
 public:
  // For each report that is sent, in their order. `report` says the path in force, or nothing of it: then it is as it
  // was. It keeps the path where this report is to carry one.
  void apply(Report& report) noexcept;

 private:
  std::optional<PlannedPath> plan_;  // in force; none: the robot has said nothing of plans so far
  int n_carried_ = 0;                // reports that had it in them
  RobotTime carried_at_;             // the newest of these
};

}  // namespace forerun::robot
