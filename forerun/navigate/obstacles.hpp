// What stands around the robot, as points in its own frame, nearest first. Made from the sensors only (PSS-4).
#pragma once

#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::navigate {

inline constexpr std::size_t kMaxObstacles = 4096;

struct Obstacle {
  Vec2 point_in_robot;
  double range = 0;  // distance from the robot's centre [m]
};

class ObstacleField {
 public:
  // Takes the newest ranges of lasers, sonars and infrared, moved by what the odometry counted since they were taken.
  // Points beyond `reach` are left out.
  void update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
              double reach) noexcept;
  // Takes points as they are.
  void update(std::span<const Vec2> points_in_robot) noexcept;

  [[nodiscard]] std::span<const Obstacle> nearest_first() const noexcept {
    return {obstacles_.data(), obstacles_.size()};
  }

  // How far a disc of this radius can move straight in a direction (unit vector in the robot's frame), up to `limit`.
  [[nodiscard]] double free_way(Vec2 direction, double radius, double limit) const noexcept;

 private:
  // `robot_from_then`: where the robot was when the ranges were taken, seen from where it is.
  void add_laser(const robot::Laser& laser, const sense::Ranges& scan, const Pose2& robot_from_then) noexcept;
  void add_sonar(const robot::SonarRing& ring, const sense::Ranges& echoes, const Pose2& robot_from_then) noexcept;
  void add_infrared(const robot::InfraredRing& ring, const sense::Ranges& ranges,
                    const Pose2& robot_from_then) noexcept;
  void add_bumper(const robot::Description& robot, std::uint64_t pressed) noexcept;
  void add(Vec2 point_in_robot) noexcept;
  void sort() noexcept;

  double reach_ = kInfinity;
  FixedVector<Obstacle, kMaxObstacles> obstacles_;
};

}  // namespace forerun::navigate
