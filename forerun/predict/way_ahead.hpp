// Where the robot will go from here, if nothing comes in between: one replica, beyond the present.
#pragma once

#include <memory>

#include "forerun/ahead/own_future.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/predict/replica.hpp"

namespace forerun::predict {

class WayAhead {
 public:
  // `model` must outlive it.
  explicit WayAhead(const ReplicaModel& model);
  WayAhead(const WayAhead&) = delete;
  WayAhead& operator=(const WayAhead&) = delete;

  // What is predicted for the present.
  struct Present {
    RobotTime time;
    robot::State state;
    robot::TaskState task = robot::TaskState::idle;
    double speed_scale = 1;                  // of the robot's limits, as learned
    const sense::SeenWorld* seen = nullptr;  // as Circumstances have it
  };
  // Begins at the present, on the way that the newest report tells.
  void start(const robot::Report& newest, const Present& present) noexcept;
  // Times after the present, in their order.
  [[nodiscard]] robot::State state_after(Duration ahead) noexcept;

 private:
  robot::Limits limits_;
  Duration period_;
  RobotTime start_;
  std::unique_ptr<navigate::ControlSystem> control_;
  Replica replica_;
};

// Where it will go that was given a goal of which no report tells.
class WayToGoal final : public ahead::GoalDriver {
 public:
  explicit WayToGoal(const ReplicaModel& model) : way_(model) {}
  // What else is known; both must outlive all that follows.
  void know(const robot::Report& newest, double speed_scale, const sense::SeenWorld& seen) noexcept;
  void start(RobotTime time, const robot::State& state, Vec2 goal) noexcept override;
  robot::State advance(RobotTime time) noexcept override;

 private:
  WayAhead way_;
  const robot::Report* newest_ = nullptr;
  double speed_scale_ = 1;
  const sense::SeenWorld* seen_ = nullptr;
  RobotTime start_;
};

// A robot as reported, but under way to this goal, or, without one, driven by hand.
[[nodiscard]] robot::Report as_told(robot::Report report, std::optional<Vec2> goal) noexcept;

}  // namespace forerun::predict
