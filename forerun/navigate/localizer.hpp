// The part that says where the robot believes it is. The simulation gives the pose with an error of known size; a
// localization of the user's own takes its place behind this interface.
#pragma once

#include <optional>

#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::navigate {

// What the robot itself knows at a moment.
struct Observation {
  RobotTime time;
  Pose2 odometry;  // where dead reckoning believes it is
  const sense::Readings& readings;
};

class Localizer {
 public:
  virtual ~Localizer() = default;

  // Called after every step. Allocates nothing.
  virtual void observe(const Observation& observation) noexcept = 0;
  // Where the robot believes it is, in the world.
  [[nodiscard]] virtual Pose2 pose() const noexcept = 0;
  // How far off that may be; nothing: as the level of reality says.
  [[nodiscard]] virtual std::optional<robot::PoseError> error() const noexcept { return std::nullopt; }
};

}  // namespace forerun::navigate
