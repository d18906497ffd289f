// What stands around the robot, as points in its own frame, nearest first. Made from the sensors only (PSS-4).
#pragma once

#include <array>
#include <span>
#include <vector>

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

// Which way each beam of a sensor looks, in the frame of the laser or the ring.
struct BeamDirections {
  std::vector<Vec2> exact;
  std::vector<float> x, y;  // the same, as short numbers
};
// Of one beam, as an angle.
[[nodiscard]] double bearing(const robot::Laser& laser, std::size_t beam) noexcept;

class ObstacleField {
 public:
  // Computes once which way the sensors of this robot look. Without that, every update does.
  void prepare(const robot::Description& robot);
  // Of each sensor, once prepared.
  [[nodiscard]] std::span<const BeamDirections> directions() const noexcept { return directions_; }

  // Takes the newest reading of every sensor, moved by what the odometry counted since they were taken.
  // Points beyond `reach` are left out.
  void update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
              double reach) noexcept;
  // Adds further points, as far as they are within reach.
  void include(std::span<const Vec2> points_in_robot) noexcept;
  // Takes points as they are.
  void update(std::span<const Vec2> points_in_robot) noexcept;

  [[nodiscard]] std::span<const Obstacle> nearest_first() const noexcept { return {sorted_.data(), obstacles_.size()}; }

  // How far a disc of this radius can move straight in a direction (unit vector in the robot's frame), up to `limit`.
  [[nodiscard]] double free_way(Vec2 direction, double radius, double limit) const noexcept;

 private:
  // A reading, and where the robot was when it was taken, seen from where it is.
  struct Seen {
    const std::vector<float>& values;
    std::span<const Vec2> directions;  // in the frame of the laser or the ring
    Pose2 robot_from_then;
  };
  template <class Kind>
  [[nodiscard]] static Vec2 direction(const Kind& kind, const Seen& seen, std::size_t i) noexcept;
  void add(const robot::Laser& laser, const Seen& seen) noexcept;
  void add(const robot::SonarRing& ring, const Seen& seen) noexcept;
  void add(const robot::InfraredRing& ring, const Seen& seen) noexcept;
  void add(const robot::BumperRing& ring, const Seen& seen) noexcept;
  void add(Vec2 point_in_robot) noexcept;
  void sort() noexcept;

  double reach_ = kInfinity;
  double rim_ = 0;                                  // radius of the footprint [m]
  std::size_t n_from_lasers_ = 0;                   // the first of the obstacles
  FixedVector<Obstacle, kMaxObstacles> obstacles_;  // as they came …
  std::array<Obstacle, kMaxObstacles> sorted_;      // … and in order
  std::vector<BeamDirections> directions_;          // of each sensor, once prepared
};

}  // namespace forerun::navigate
