// What the sensors said last. Ranges follow REP-117: +infinity is no echo within reach, −infinity is too near to
// measure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::sense {

struct Ranges {
  RobotTime time;             // when they were taken
  Pose2 odometry;             // dead-reckoned pose at that time
  std::vector<float> values;  // [m], one a beam; sized once, never grown
};

struct Readings {
  FixedVector<Ranges, robot::kMaxLasers> lasers;
  Ranges sonar;
  Ranges infrared;
  std::uint64_t bumper = 0;                             // bit i: switch i is pressed
  std::array<std::int64_t, robot::kMaxWheels> ticks{};  // encoder counts since the start
};

// Empty readings of the right sizes.
[[nodiscard]] Readings make_readings(const robot::Description& robot);

}  // namespace forerun::sense
