// Whether a drive can be of this robot, in these units: what is wrong is found before anything is fitted to it.
#pragma once

#include "forerun/learn/calibration_drive.hpp"

namespace forerun::learn {

// Diameters and base that no wheel on this earth has are refused, with the unit that they are likely in.
[[nodiscard]] Result<void> check_nominal(const CalibrationRobot& robot, const std::string& where);

// Compares how far the wheels and the external sensor went and turned: refuses other units, and swapped wheels.
[[nodiscard]] Result<void> check_drive(const CalibrationDrive& drive, const CalibrationRobot& robot);

}  // namespace forerun::learn
