// The predictive simulation: a copy of the robot that takes over the state of a report and goes on from there, with
// planner, sensors and collision avoidance in the loop (PSS-11).
#pragma once

#include <optional>

#include "forerun/base/result.hpp"
#include "forerun/base/time.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/world/world.hpp"

namespace forerun::predict {

// What all replicas of one robot in one world share. Takes a moment to build. A control system of the user's own is
// made for `robot` and `planning` of this model: its sensors are level scans, so that it costs little.
struct ReplicaModel {
  robot::Description robot;  // as the viewer believes it to be; its sensors measure exactly
  navigate::PlanningModel planning;
  sense::Sensors sensors;
};
[[nodiscard]] Result<ReplicaModel> make_replica_model(const world::World& world, const robot::Description& robot);

class Replica {
 public:
  // `model` and `control` must outlive the replica. All that will ever be needed is allocated here.
  Replica(const ReplicaModel& model, navigate::ControlSystem& control);

  // Takes over the state of the report and forgets what came before it.
  void resync(const robot::Report& report) noexcept;
  // Runs on up to `until`, which is not before the report. Allocates nothing; the same inputs give the same bits.
  void advance(RobotTime until) noexcept;
  // The robot drives at most this fast, whatever its description says.
  void set_limits(const robot::Limits& limits) noexcept { limits_ = limits; }

  // Something holds the robot up that is not on the map: from the report on it drives at most at `speed`, and takes
  // about `relax_s` to come free.
  void hold_up(double speed, double relax_s) noexcept;

  [[nodiscard]] RobotTime time() const noexcept { return time_; }
  [[nodiscard]] const robot::State& state() const noexcept { return state_; }
  [[nodiscard]] robot::TaskState task() const noexcept { return task_; }
  [[nodiscard]] const navigate::Decision& decision() const noexcept { return decision_; }

 private:
  void move_to(RobotTime time) noexcept;
  void decide() noexcept;
  void follow_task() noexcept;
  void sense() noexcept;
  [[nodiscard]] robot::Limits limits_now() const noexcept;

  const ReplicaModel& model_;
  navigate::ControlSystem& control_;
  robot::Limits limits_;
  sense::Readings readings_;
  Random random_;  // sensors ask for one; they measure exactly here
  RobotTime time_;
  RobotTime next_decision_;
  robot::State state_;
  robot::Twist ramped_;  // what the motors are at, before their lag
  robot::TaskState task_ = robot::TaskState::idle;
  RobotTime wait_until_;
  std::optional<Vec2> goal_;        // of the report: where it is going, or where it will go when it has waited
  std::optional<Vec2> goal_given_;  // to the control system
  bool drives_by_itself_ = false;   // not held, not driven by hand
  RobotTime held_since_;
  double held_speed_ = 0;  // [m/s]
  double relax_ = 0;       // [s]; 0: nothing holds it up
  navigate::Decision decision_;
  std::optional<robot::Acceleration> coasting_;  // until the first decision: as reported
};

}  // namespace forerun::predict
