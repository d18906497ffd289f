// The predictive simulation: a copy of the robot that takes over the state of a report and goes on from there, with
// planner, sensors and collision avoidance in the loop (PSS-11).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/base/time.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/predict/goal_memory.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/motors.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/sense/seen_world.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/world/world.hpp"

namespace forerun::predict {

// What all replicas of one robot in one world share. Takes a moment to build. A control system of the user's own is
// made for `robot` and `planning` of this model: its sensors are level scans, so that it costs little.
struct ReplicaModel {
  robot::Description robot;  // as the viewer believes it to be; its sensors measure exactly
  navigate::PlanningModel planning;
  sense::Sensors sensors;
  std::vector<world::Door> doors;      // as they stand in the model, where they are part of `sensors`
  std::optional<sense::Sensors> bare;  // without them, where there are any
};
[[nodiscard]] Result<ReplicaModel> make_replica_model(const world::World& world, const robot::Description& robot);

// What chance does to a robot after its report. A replica without it is the likeliest one.
struct Chance {
  double velocity = 0;  // velocities are off by this share, drawn with each decision
  double position = 0;  // σ of localization, per axis [m] …
  double heading = 0;   // … and in heading [rad]
  double period = 0;    // decisions come up to this much earlier or later [s]
  std::uint64_t seed = 0;
};

class SharedScans;

// What a report does not say and the caller assumes.
struct Circumstances {
  robot::Limits limits;       // how fast the robot truly is; its control system knows
  Pose2 belief_error;         // the robot believes itself off its true pose by this much, less and less …
  double belief_lasts_s = 5;  // … over about this time [s]
  double relax_s = 0;  // something that is not on the map holds the robot up: it drives at most as fast as it was
                       // reported, and takes about this time to come free [s]; 0: nothing does
  std::optional<NextGoal> next;            // after the one of the report
  const sense::SeenWorld* seen = nullptr;  // where the world is not as its model says; must outlive the replica's run
  Chance chance;
};

class Replica {
 public:
  // `model` and `control` must outlive the replica. All that will ever be needed is allocated here. With `scans`, which
  // must outlive it too, it sees what others near it see, off by less than a few centimetres.
  Replica(const ReplicaModel& model, navigate::ControlSystem& control, SharedScans* scans = nullptr);

  // Takes over the state of the report and forgets what came before it.
  void resync(const robot::Report& report, const Circumstances& circumstances) noexcept;
  // The same, of a robot that is as described.
  void resync(const robot::Report& report) noexcept { resync(report, {.limits = model_.robot.limits}); }
  // Runs on up to `until`, which is not before the report. Allocates nothing; the same inputs give the same bits.
  void advance(RobotTime until) noexcept;
  // From the next resync on another control system drives it.
  void drive_by(navigate::ControlSystem& control) noexcept;

  [[nodiscard]] RobotTime time() const noexcept { return time_; }
  [[nodiscard]] const robot::State& state() const noexcept { return state_; }
  [[nodiscard]] robot::TaskState task() const noexcept { return task_; }
  // When it came to the goal of the report, if it did.
  [[nodiscard]] std::optional<RobotTime> arrival() const noexcept { return arrival_; }
  // Since when it waits at a goal after which none is known, if it does.
  [[nodiscard]] std::optional<RobotTime> at_end_since() const noexcept { return at_end_since_; }
  [[nodiscard]] const navigate::Decision& decision() const noexcept { return decision_; }

 private:
  // How far the simulation is: always whole ticks and decisions after the report, however often it is asked.
  struct Run {
    RobotTime time;
    Pose2 pose;
    robot::Motors motors;
    [[nodiscard]] robot::State state() const noexcept { return {pose, motors.velocity}; }
  };
  void move_to(RobotTime time, Run& run) const noexcept;
  void decide() noexcept;
  void follow_task() noexcept;
  [[nodiscard]] const sense::Readings& sense() noexcept;
  [[nodiscard]] const sense::Readings& sense_changed() noexcept;
  [[nodiscard]] const sense::Readings& sense_walls(const sense::Sensors& sensors) noexcept;
  void draw_chance() noexcept;
  [[nodiscard]] robot::Limits limits_at(RobotTime time) const noexcept;
  [[nodiscard]] Pose2 believed_pose() const noexcept;

  const ReplicaModel& model_;
  navigate::ControlSystem* control_;
  SharedScans* scans_;
  sense::Readings readings_;
  Circumstances assumed_;
  Random random_;
  RobotTime reported_;  // when the report was made
  RobotTime next_decision_;
  Run run_;
  RobotTime time_;      // asked for, less than a tick after the run …
  robot::State state_;  // … and the state then
  robot::TaskState task_ = robot::TaskState::idle;
  RobotTime wait_until_;
  std::optional<Vec2> goal_;        // of the report: where it is going, or where it will go when it has waited
  std::optional<Vec2> goal_given_;  // to the control system
  std::optional<RobotTime> arrival_;
  std::optional<RobotTime> at_end_since_;
  bool drives_by_itself_ = false;  // not held, not driven by hand
  double held_speed_ = 0;          // [m/s]
  Pose2 belief_error_;
  double speed_factor_ = 1, turn_factor_ = 1;  // of this period, by chance
  navigate::Decision decision_;
  std::optional<robot::Acceleration> coasting_;  // until the first decision: as reported
};

}  // namespace forerun::predict
