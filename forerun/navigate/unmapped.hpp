// What the sensors see and the map does not have: where it is, and how it moves. From that, whether a command is safe
// among things that move: the robot must be able to stop before it touches any of them.
#pragma once

#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::navigate {

// A point of something that is on no map.
struct UnmappedThing {
  Vec2 point_in_robot;
  Vec2 velocity_in_robot;  // over ground [m/s]
  bool known = false;      // a wall or the like, which matters to a robot that evades others
};

// Whether something seen there cannot be part of what is on the map: it is farther from all that than localization may
// err.
[[nodiscard]] bool is_off_map(const PlanningModel& model, Vec2 point_in_world, double error) noexcept;

class UnmappedThings {
 public:
  static constexpr std::size_t kMost = 512;

  // Takes the newest scans of the lasers. `odometry` is where dead reckoning believes the robot is, `world_from_robot`
  // where localization does. `directions` of the beams, where they are known. Allocates nothing.
  void update(const robot::Description& robot, const PlanningModel& model, const sense::Readings& readings,
              const Pose2& odometry, const Transform2& world_from_robot,
              std::span<const BeamDirections> directions = {}) noexcept;
  // Adds what stands there.
  void include(std::span<const Vec2> points_in_robot) noexcept;
  // Adds the nearest of all obstacles, where there is anything unmapped at all.
  void include_near(const ObstacleField& obstacles) noexcept;
  void forget() noexcept;

  [[nodiscard]] std::span<const UnmappedThing> seen() const noexcept { return {seen_.data(), seen_.size()}; }
  // From the robot's middle [m].
  [[nodiscard]] double nearest() const noexcept;

 private:
  // Neighbouring points of one scan, in the odometry's frame.
  struct Cluster {
    Vec2 sum;
    std::size_t first = 0, n = 0;
    [[nodiscard]] Vec2 middle() const noexcept { return sum * (1.0 / static_cast<double>(n)); }
  };
  struct Track {
    Vec2 position;
    Vec2 velocity;
    RobotTime time;
  };
  struct Scan {
    const robot::Laser& laser;
    const sense::Reading& reading;
    const BeamDirections* directions;  // null: not known
  };
  void look(const Scan& looked, const PlanningModel& model, const Pose2& odometry,
            const Transform2& world_from_robot) noexcept;
  [[nodiscard]] Vec2 follow(Vec2 middle, RobotTime time) noexcept;
  void close(const Cluster& cluster, RobotTime time, const Transform2& odometry_from_robot) noexcept;

  FixedVector<UnmappedThing, kMost> seen_;
  FixedVector<Track, 32> tracks_;
};

// How the robot goes at the moment.
struct Going {
  robot::Twist velocity;   // measured
  robot::Twist commanded;  // by the decision before
  Transform2 world_from_robot;
  const PlanningModel* map = nullptr;  // of a robot that sees too little to do without
};

// The command, or a slower one that leaves the robot time to stop before it touches anything that moves on as it does:
// the motors follow with their lag, and brake from the next decision on. A command to stand where nothing else is safe.
[[nodiscard]] robot::Twist safe_command(const robot::Description& robot, const Going& going,
                                        const robot::Twist& command, std::span<const UnmappedThing> unmapped) noexcept;

}  // namespace forerun::navigate
