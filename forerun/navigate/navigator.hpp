// Forerun's own control system: value function, target points, dynamic window (PSS-4, PSS-5).
#pragma once

#include <memory>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/detour.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/navigate/near_memory.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/unmapped.hpp"

namespace forerun::navigate {

class Navigator final : public ControlSystem {
 public:
  // `model` must outlive the navigator. Allocates all it will ever need.
  Navigator(const PlanningModel& model, const robot::Description& robot);
  // Navigators that drive to the same goals, one after the other in one thread, can share the work of planning.
  Navigator(const PlanningModel& model, const robot::Description& robot, std::shared_ptr<GoalPlan> plan);

  bool set_goal(std::optional<Vec2> goal) noexcept override;
  [[nodiscard]] bool can_reach_goal_from(Vec2 position) const noexcept override;
  void set_limits(const robot::Limits& limits) noexcept override;
  void set_changes(std::span<const robot::Change> changes) noexcept override { plan_->set_changes(changes); }
  [[nodiscard]] double sensor_reach() const noexcept override;
  void forget() noexcept override;
  [[nodiscard]] Decision decide(const Percept& percept) noexcept override;

  [[nodiscard]] const ValueFunction& values() const noexcept { return plan_->values(); }

 private:
  [[nodiscard]] Decision consider(const Percept& percept) noexcept;
  [[nodiscard]] Vec2 next_target(Vec2 position) const noexcept;
  [[nodiscard]] std::optional<Vec2> way_round(const Percept& percept, const Transform2& world_from_robot,
                                              double radius) noexcept;
  [[nodiscard]] std::optional<Vec2> place_to_wait(const Percept& percept, const Transform2& world_from_robot,
                                                  Vec2 target) noexcept;

  const PlanningModel& model_;
  robot::Description robot_;
  std::shared_ptr<GoalPlan> plan_;
  DynamicWindow window_;
  bool sees_far_;  // has a laser
  Detour detour_;
  std::optional<Vec2> goal_;
  std::optional<Vec2> detour_target_;  // target of the decision before, when it was a way round something
  std::optional<RobotTime> blocked_since_;
  RobotTime last_blocked_;
  std::optional<Vec2> parking_;  // where it lets others pass
  RobotTime park_until_;
  RobotTime give_way_until_;
  int turn_side_ = 0;  // of a recovery under way
  ObstacleField obstacles_;
  UnmappedThings unmapped_;
  NearMemory memory_;
  robot::Twist commanded_;  // by the decision before
  Candidates candidates_;
};

}  // namespace forerun::navigate
