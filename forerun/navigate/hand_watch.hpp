// The guard of a hand-driven robot with all that it goes by: what the sensors show, what they showed where they do not
// look now, and there also the walls that are known. It needs no link and no goal.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/hand_guard.hpp"
#include "forerun/navigate/near_memory.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/world/outline.hpp"

namespace forerun::navigate {

// Where lasers have seen something that is not in their view any more, where dead reckoning says it is.
class OutOfView {
 public:
  explicit OutOfView(const robot::Description& robot) : taken_(robot.sensors.size(), kNever) {}

  // Takes scans that are new.
  void update(const robot::Description& robot, const sense::Readings& readings, const Pose2& odometry,
              std::span<const BeamDirections> directions) noexcept;
  // As seen from where the robot is now.
  [[nodiscard]] std::span<const Vec2> points_in_robot() const noexcept { return {points_.data(), points_.size()}; }

 private:
  static constexpr int kCells = 64;  // each way; beyond that the same ones are used again
  static constexpr RobotTime kNever{INT64_MIN / 2};
  struct Trace {
    Vec2 place;  // in the odometry's frame
    RobotTime seen = kNever;
  };
  void take(const robot::Laser& laser, const sense::Reading& scan, std::span<const Vec2> directions) noexcept;
  void clear_in_view(const robot::Laser& laser, const sense::Reading& scan) noexcept;

  std::array<Trace, kCells * kCells> traces_;
  std::vector<RobotTime> taken_;  // of each sensor, the newest scan
  FixedVector<Vec2, 1024> points_;
};

class HandWatch {
 public:
  // Both must outlive it. Allocates all it will ever need.
  HandWatch(const PlanningModel& model, const world::Outline& known, const robot::Description& robot);

  // Takes what the robot perceives: also while nobody drives it by hand, so that it knows what is behind it.
  void observe(const Percept& percept) noexcept;
  // By what was observed last. Allocates nothing, as all of this.
  [[nodiscard]] AllowedHand allow(const robot::Twist& velocity, const robot::Twist& wanted) noexcept;

 private:
  void look_up(const Transform2& world_from_robot) noexcept;
  [[nodiscard]] bool is_in_view(Vec2 point_in_robot) const noexcept;

  const PlanningModel& model_;
  const world::Outline& known_;
  robot::Description robot_;
  HandGuard guard_;
  bool sees_far_;  // has a laser
  ObstacleField obstacles_;
  OutOfView out_of_view_;
  NearMemory memory_;
  KnownPoints points_;  // where no laser looks
  robot::Twist commanded_;
};

}  // namespace forerun::navigate
