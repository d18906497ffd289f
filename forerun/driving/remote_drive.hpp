// Somebody drives a simulated robot along a course by hand, over a link that is slow and loses messages (BEY-10).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/driving/course.hpp"
#include "forerun/driving/human_driver.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::driving {

// What the driver sees.
enum class Display : std::uint8_t {
  reported,      // where the newest report has the robot
  extrapolated,  // had it gone on since as it moved then
  predicted,     // where it will be when what the hand does now lands
};
[[nodiscard]] const char* to_string(Display display) noexcept;

struct DriveSetup {
  double delay_s = 0;       // each way; jitter comes on top
  double loss = 0;          // share of all messages, each way
  double interval_s = 0.1;  // of reports [s]
  Display display = Display::predicted;
  bool guard = true;
  double dead_time_s = 0;                       // of the robot, of which its description says nothing [s]
  bool learns = false;                          // it measures how it answers commands, and says so
  std::optional<robot::FoundResponse> found{};  // what it has measured before
  DriverParams driver;
};

struct DriveOutcome {
  double time_s = 0;
  bool failed = false;  // too slow, or at rest in the wrong place
  int contacts = 0;
  double squares = 0;                           // of distances from the line [m²] …
  int n = 0;                                    // … of so many moments
  std::vector<Vec2> track;                      // truly driven, some of it
  std::optional<robot::FoundResponse> found{};  // what it measured, if it learns
};

// `setting` holds the course's world and start, `replica` the same world and robot as the driver's side knows them.
[[nodiscard]] Result<DriveOutcome> drive_course(const Course& course, const sim::Setting& setting,
                                                const predict::ReplicaModel& replica, const DriveSetup& setup,
                                                std::uint64_t seed);

}  // namespace forerun::driving
