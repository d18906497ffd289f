// A left and a right wheel: what calibration knows of a drive, and reports of what it found.
#pragma once

#include <optional>

#include "forerun/robot/report.hpp"

namespace forerun::robot {

// The wheels of a drive that has a left and a right one and encoders on both; tracks count with the base that they seem
// to have. Nothing for others.
[[nodiscard]] std::optional<DifferentialGeometry> wheel_pair(const Drive& drive) noexcept;
// The same drive with other wheels.
[[nodiscard]] Drive with_wheel_pair(const Drive& drive, const DifferentialGeometry& wheels) noexcept;

// Decides which reports of one robot carry what was found of its wheels and its response: one in five seconds.
class FindingRepeats {
 public:
  // For each report that is sent, in their order.
  void apply(Report& report) noexcept;

 private:
  std::optional<RobotTime> carried_at_;
};

}  // namespace forerun::robot
