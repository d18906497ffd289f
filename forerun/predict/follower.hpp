// A control system for robots whose own is not known: drives down the value function the way most robots do.
#pragma once

#include <memory>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::predict {

struct FollowerParams {
  double look_ahead_s = 1.4;     // heads for the point of the path that it reaches after this time [s] …
  double look_ahead_m = 0.5;     // … and this much farther on [m]
  double turn_first_rad = 1.2;   // a point farther aside than this: turns on the spot first
  double turn_time_s = 1.0;      // turns so fast that it would face the point after this time [s]
  double slow_turn_share = 0.5;  // of the top speed that the fastest turn costs; slower ones cost far less
  double approach_s = 1.8;       // before the goal its speed is the distance left, divided by this [s] …
  double creep_share = 0.2;      // … but not less than this share of the top speed
};

template <class Visit>
void visit_fields(FollowerParams& p, Visit&& visit) {
  visit("look_ahead_s", p.look_ahead_s,
        Field{0, 100, "heads for the point of the path that it reaches after this time [s]"});
  visit("look_ahead_m", p.look_ahead_m, Field{0, 100, "and this much farther on [m]"});
  visit("turn_first_rad", p.turn_first_rad,
        Field{0, 3.1416, "a point farther aside than this: turns on the spot first [rad]"});
  visit("turn_time_s", p.turn_time_s,
        Field{0.01, 100, "turns so fast that it would face the point after this time [s]"});
  visit("slow_turn_share", p.slow_turn_share, Field{0, 1, "of the top speed that the fastest turn costs"});
  visit("approach_s", p.approach_s,
        Field{0.01, 100, "before the goal its speed is the distance left, divided by this [s]"});
  visit("creep_share", p.creep_share, Field{0, 1, "but not less than this share of the top speed"});
}

// Towards a point of the way, as most robots drive. `left`: how far the goal is [m].
[[nodiscard]] navigate::Decision steer(const navigate::Percept& percept, Vec2 point, double left,
                                       const robot::Limits& limits, const FollowerParams& params) noexcept;

// How far ahead of itself a robot looks at this speed [m].
[[nodiscard]] double look_ahead(const FollowerParams& params, double speed) noexcept;

// Knows nothing of sensors, and remembers nothing but the goal: a replica may start it in any state.
class Follower final : public navigate::ControlSystem {
 public:
  // `model` must outlive the follower. Allocates all it will ever need.
  Follower(const navigate::PlanningModel& model, const robot::Description& robot, const FollowerParams& params = {});
  // Shares the work of planning with control systems that drive to the same goals, one after the other in one thread.
  Follower(const robot::Description& robot, std::shared_ptr<navigate::GoalPlan> plan,
           const FollowerParams& params = {});

  bool set_goal(std::optional<Vec2> goal) noexcept override;
  [[nodiscard]] bool can_reach_goal_from(Vec2 position) const noexcept override;
  [[nodiscard]] bool uses_sensors() const noexcept override { return false; }
  void set_limits(const robot::Limits& limits) noexcept override { limits_ = limits; }
  void set_changes(std::span<const robot::Change> changes) noexcept override { plan_->set_changes(changes); }
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;

 private:
  robot::Limits limits_;
  FollowerParams params_;
  std::shared_ptr<navigate::GoalPlan> plan_;
  std::optional<Vec2> goal_;
};

}  // namespace forerun::predict
