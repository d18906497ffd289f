// What the sensors said last. Ranges follow REP-117: +infinity is no echo within reach, −infinity is too near to
// measure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::sense {

struct Reading {
  RobotTime time;             // when it was taken
  Pose2 odometry;             // dead-reckoned pose at that time
  std::vector<float> values;  // a range [m] a beam, or 1 where a switch is pressed; sized once, never grown
};

struct Readings {
  std::vector<Reading> sensors;                         // in the order of the robot's list
  std::array<std::int64_t, robot::kMaxWheels> ticks{};  // encoder counts since the start
};

// Readings of the right sizes, in which nothing has been seen yet.
[[nodiscard]] Readings make_readings(const robot::Description& robot);

}  // namespace forerun::sense
