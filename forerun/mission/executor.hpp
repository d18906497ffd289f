// Drives a mission on the robot, link or no link: follows its path, and stops and hands back when reality departs from
// what was rehearsed (DEC-10). A control system like any other, so that loops and servers can run it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "forerun/base/fields.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/mission/motion_check.hpp"
#include "forerun/mission/rehearsed_world.hpp"
#include "forerun/mission/sensor_check.hpp"
#include "forerun/mission/tracker.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/navigate/unmapped.hpp"
#include "forerun/robot/mission_status.hpp"
#include "forerun/robot/reply.hpp"

namespace forerun::mission {

using robot::Departure;
using robot::MissionState;

struct ExecutorParams {
  TrackerParams tracker;
  double off_path_m = 0.3;       // farther to the side of its path, or twice as far along it, it hands back [m]
  double off_heading_rad = 0.8;  // likewise [rad]
  double patience_s = 30;        // something in the way may go away for so long [s]
  double margin_m = 0.08;        // kept free around the footprint, of what is on no map [m]
  double look_ahead_s = 4;       // how far ahead the way is looked at [s]
  double action_limit_s = 120;   // an action that nobody has done by then is given up [s]
};

template <class Visit>
void visit_fields(ExecutorParams& p, Visit&& visit) {
  visit_fields(p.tracker, visit);
  visit("off_path_m", p.off_path_m,
        Field{0.02, 5, "farther to the side of its path, or twice as far along it, it hands back [m]"});
  visit("off_heading_rad", p.off_heading_rad, Field{0.05, 3, "turned farther off, it hands back [rad]"});
  visit("patience_s", p.patience_s, Field{0, 600, "something in the way may go away for so long [s]"});
  visit("margin_m", p.margin_m, Field{0, 1, "kept free around the footprint, of what is on no map [m]"});
  visit("look_ahead_s", p.look_ahead_s, Field{0.5, 30, "how far ahead the way is looked at [s]"});
  visit("action_limit_s", p.action_limit_s, Field{1, 86400, "an action that nobody has done by then is given up [s]"});
}

class MissionExecutor final : public navigate::ControlSystem {
 public:
  // `mission` and `world` must outlive it; the world's robot is the one that drives. Allocates all it will ever need.
  MissionExecutor(const Mission& mission, const RehearsedWorld& world, const ExecutorParams& params = {});

  // Begins, or goes on after it has handed back: nothing else makes it move. It turns on the spot first where it looks
  // elsewhere than its path leads. False where there is nothing to drive.
  bool start() noexcept;
  // The same from where the robot came to rest, which may be farther along its path than where it was told to stop.
  bool start(const Pose2& pose) noexcept;
  // Where it would begin, or go on, from `pose`.
  [[nodiscard]] TimedPoint nearest_start(const Pose2& pose) const noexcept;
  // The operator takes over, or whoever runs it has lost the robot: it stands until it is started again.
  void hold(Departure departure = Departure::none) noexcept;

  [[nodiscard]] MissionState state() const noexcept { return state_; }
  [[nodiscard]] Departure departure() const noexcept { return departure_; }
  // The action that is under way: whoever can do it does it, and says how it went. Nothing: none is.
  struct Doing {
    const Action* action;
    RobotTime since;
  };
  [[nodiscard]] std::optional<Doing> doing() const noexcept;
  // Done: the mission goes on. Failed: it hands back with `why`, and tries again when it is started.
  void end_action(bool done, std::string_view why = {}) noexcept;
  [[nodiscard]] std::span<const Action> done_actions() const noexcept { return actions_.first(n_done_); }

  // One sentence about the departure; empty where there is none.
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const Tracker& tracker() const noexcept { return tracker_; }

  // Goals are not for it: it drives its path.
  bool set_goal(std::optional<Vec2> goal) noexcept override { return !goal; }
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return false; }
  void forget() noexcept override;
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;

 private:
  [[nodiscard]] Departure find_departure(const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool is_bumped(const sense::Readings& readings) const noexcept;
  [[nodiscard]] bool stands_in_vain(const navigate::Percept& percept) noexcept;
  // Time on the path until something is in the way; infinity where nothing is, as far as is looked.
  [[nodiscard]] double free_time(const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool is_taken(const Pose2& ahead_in_robot, const Transform2& world_from_robot) const noexcept;
  [[nodiscard]] robot::Twist follow(const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool is_swept() const noexcept;
  [[nodiscard]] std::optional<robot::Twist> turn_to_path(const navigate::Percept& percept) noexcept;
  navigate::Decision stand(const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool has_stopped(const navigate::Percept& percept, Duration since_last) noexcept;
  [[nodiscard]] bool stands_for_action(const navigate::Percept& percept, Duration since_last) noexcept;
  [[nodiscard]] double off_stop() const noexcept;
  [[nodiscard]] bool takes_too_long(RobotTime now) const noexcept;
  void arrive(RobotTime now) noexcept;
  void count_action() noexcept;
  void hand_back(Departure departure) noexcept;

  const RehearsedWorld& world_;
  const robot::Description& robot_;
  ExecutorParams params_;
  std::span<const Action> actions_;
  std::size_t n_done_ = 0;  // of the actions
  Tracker tracker_;
  SensorCheck sensors_;
  MotionCheck motion_;
  navigate::ObstacleField obstacles_;
  navigate::UnmappedThings unmapped_;
  MissionState state_ = MissionState::ready;
  Departure departure_ = Departure::none;
  MotionCheck::Verdict motion_verdict_ = MotionCheck::Verdict::fine;
  bool bumped_ = false;
  bool turning_ = false;                    // to where its path leads, before it drives
  bool sees_ = true;                        // sensors that can be trusted
  std::optional<RobotTime> last_;           // decision
  std::optional<RobotTime> blocked_since_;  // something is in the way
  std::optional<RobotTime> still_since_;    // it should move, and does not
  std::optional<RobotTime> at_stop_since_;  // at the end, or where an action comes next …
  Duration stood_;                          // … and so long at rest before that action, with nothing in the way
  std::optional<RobotTime> doing_since_;    // the next action
  robot::Words failure_;                    // why it failed
  robot::Twist commanded_;
};

inline constexpr double kDecisionPeriod = 0.05;  // between two decisions, at most [s]

// The robot as a mission drives it: its tracker decides more often than a planner does.
[[nodiscard]] robot::Description for_missions(const robot::Description& robot);

}  // namespace forerun::mission
