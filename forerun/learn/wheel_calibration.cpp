#include "forerun/learn/wheel_calibration.hpp"

#include <algorithm>
#include <utility>

#include "forerun/io/drive_log.hpp"
#include "forerun/learn/calibration_check.hpp"
#include "forerun/robot/wheel_pair.hpp"

namespace forerun::learn {

Result<std::vector<CalibrationDrive>> load_drives(const std::vector<std::string>& paths,
                                                  const CalibrationRobot& robot) {
  std::vector<CalibrationDrive> drives;
  for (const std::string& path : paths) {
    const auto log = io::load_drive_log(path);
    if (!log) return log.error();
    auto drive = make_calibration_drive(*log, path, robot);
    if (!drive) return drive.error();
    if (auto checked = check_drive(*drive, robot); !checked) return checked.error();
    if (!drives.empty() && drives.front().absolute != drive->absolute) {
      return Error{path + ": has " + (drive->absolute ? "external poses" : "external displacements") + ", but " +
                   drives.front().file + " has " + (drive->absolute ? "displacements" : "poses") +
                   "; calibrate from each kind by itself"};
    }
    drives.push_back(std::move(*drive));
  }
  return drives;
}

namespace {

robot::DifferentialGeometry reported_geometry(const estimate::GeometryBelief& belief,
                                              const robot::DifferentialGeometry& nominal) {
  return {belief.observable[0] ? belief.geometry.left_diameter : nominal.left_diameter,
          belief.observable[1] ? belief.geometry.right_diameter : nominal.right_diameter,
          belief.observable[2] ? belief.geometry.base : nominal.base};
}

// The sensor is where and when the calibration says, before and after: it is not the wheels' fault.
void test_wheels(const std::vector<CalibrationDrive>& drives, const Calibration& sensor, WheelResult& result) {
  const auto with = [&](const robot::DifferentialGeometry& wheels) {
    return CalibrationGuess{wheels, sensor.belief.mount, sensor.delay, sensor.noise};
  };
  std::vector<ReckonedPath> before, after;
  for (const CalibrationDrive& drive : drives) {
    WheelTest test{drive.file, reckon(drive, with(result.robot.nominal)), reckon(drive, with(result.reported))};
    before.insert(before.end(), test.before.begin(), test.before.end());
    after.insert(after.end(), test.after.begin(), test.after.end());
    result.tests.push_back(std::move(test));
  }
  result.before = error_of(before);
  result.after = error_of(after);
}

// Where and when a sensor sees, by wheels that are known.
Calibration find_sensor(const std::vector<CalibrationDrive>& drives, const robot::DifferentialGeometry& wheels) {
  constexpr double kKnown = 1e-6;  // share by which they may be off
  return calibrate(drives, wheels, {.share = kKnown});
}

}  // namespace

Result<CalibrationRobot> wheels_of(const robot::Drive& drive, const std::string& file) {
  if (drive.ticks_per_turn <= 0) {
    return Error{file + ": ticks_per_turn is 0, but wheels are calibrated from their encoders' ticks"};
  }
  if (const auto pair = robot::wheel_pair(drive)) return CalibrationRobot{*pair, drive.ticks_per_turn};
  return Error{file + ": the drive is " + robot::kDriveNames[static_cast<std::size_t>(drive.kind)] +
               ", but only differential and tracked ones have a left and a right wheel to calibrate"};
}

Result<WheelResult> calibrate_wheels(const WheelInputs& inputs, const std::function<void(double)>& on_progress) {
  const std::vector<CalibrationDrive>&drives = inputs.drives, &tests = inputs.tests;
  WheelResult result{.robot = inputs.robot};
  result.calibration = calibrate(drives, inputs.robot.nominal, {}, on_progress);
  for (const CalibrationDrive& drive : drives) result.n_breaks += drive.n_breaks;
  const auto& belief = result.calibration.belief;
  if (std::none_of(belief.observable.begin(), belief.observable.end(), [](bool seen) { return seen; })) {
    return Error{
        drives.front().file +
            ": the drive shows neither diameters nor base to 2 %; drive some metres, straight and round curves "
            "to both sides",
        ErrorKind::impossible};
  }
  result.reported = reported_geometry(belief, inputs.robot.nominal);
  if (tests.empty()) {
    test_wheels(drives, result.calibration, result);
  } else {
    const bool same_sensor = drives.front().absolute == tests.front().absolute;
    test_wheels(tests, same_sensor ? result.calibration : find_sensor(tests, result.reported), result);
  }
  return result;
}

}  // namespace forerun::learn
