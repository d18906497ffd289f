// Recorded paths made by hand, for tests.
#pragma once

#include <cmath>
#include <vector>

#include "forerun/mission/recorded_path.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::mission {

// Drives by velocities from a start, noting a point every 0.05 s.
class HandDrive {
 public:
  explicit HandDrive(const Pose2& start = {}) {
    PathPoint first;
    first.pose = start;
    path_.push_back(first);
  }
  HandDrive& go(const robot::Twist& velocity, double seconds) {
    constexpr double kPeriod = 0.05;
    for (int i = 0; i < static_cast<int>(std::lround(seconds / kPeriod)); ++i) {
      PathPoint point = path_.back();
      point.time += kPeriod;
      point.pose = robot::move(point.pose, velocity, kPeriod);
      point.velocity = velocity;
      point.bumped = false;
      path_.push_back(point);
    }
    return *this;
  }
  HandDrive& forward(double metres) { return go({0.2, 0, 0}, metres / 0.2); }
  HandDrive& back(double metres) { return go({-0.2, 0, 0}, metres / 0.2); }
  HandDrive& turn(double radians) { return go({0, 0, radians > 0 ? 1.0 : -1.0}, std::fabs(radians)); }
  HandDrive& stand(double seconds) { return go({}, seconds); }
  HandDrive& bump() {
    path_.back().bumped = true;
    return *this;
  }
  [[nodiscard]] const RecordedPath& path() const { return path_; }
  [[nodiscard]] std::size_t here() const { return path_.size() - 1; }

 private:
  RecordedPath path_;
};

}  // namespace forerun::mission
