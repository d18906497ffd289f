// The part that decides. Forerun brings `Navigator`; a user's own control system takes its place behind this interface.
#pragma once

#include <optional>
#include <span>

#include "forerun/base/hash.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/navigate/dynamic_window.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/robot/seen_things.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::navigate {

// What the control system knows when it decides.
struct Percept {
  RobotTime time;
  Pose2 pose;             // where localization believes the robot is, in the world
  Pose2 odometry;         // where dead reckoning believes it is
  robot::Twist velocity;  // measured
  const sense::Readings& readings;
};

struct Decision {
  robot::Twist command;  // velocities wanted from now on
  Vec2 target;           // where it is heading at the moment, in the world
  Motion motion = Motion::braking;
};

class ControlSystem {
 public:
  virtual ~ControlSystem() = default;

  // Drive there from now on; nothing: stop. False where no robot can stand.
  virtual bool set_goal(std::optional<Vec2> goal) noexcept = 0;
  // Whether the goal can be reached from here.
  [[nodiscard]] virtual bool can_reach_goal_from(Vec2 position) const noexcept = 0;
  // The robot is faster or slower than it was made for.
  virtual void set_limits(const robot::Limits& limits) noexcept { static_cast<void>(limits); }
  // The way that the robot has said it will take; empty: it has not. Those with a planner of their own need no telling.
  virtual void set_path(std::span<const Vec2> path) noexcept { static_cast<void>(path); }
  // From here on the world is otherwise than its model by these and by nothing else, as far as is known. The same list
  // once more costs next to nothing. Allocates nothing.
  virtual void set_changes(std::span<const robot::Change> changes) noexcept { static_cast<void>(changes); }
  // Whether its decisions depend on what the sensors read.
  [[nodiscard]] virtual bool uses_sensors() const noexcept { return true; }
  // It never looks at what they show farther from the robot's centre than this [m].
  [[nodiscard]] virtual double sensor_reach() const noexcept { return kInfinity; }
  // What it remembers of the past, apart from the goal, is no longer true: a replica starts from another state.
  virtual void forget() noexcept {}
  // Allocates nothing.
  [[nodiscard]] virtual Decision decide(const Percept& percept) noexcept = 0;
};

}  // namespace forerun::navigate
