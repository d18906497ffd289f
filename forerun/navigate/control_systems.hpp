// Control systems and planners by name: a robot's file says which ones it has (`control.system`, `control.planner`).
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/navigate/planning_model.hpp"

namespace forerun::navigate {

// A new one gets its name here, and its row in the table of control_systems.cpp.
inline constexpr std::array<const char*, 1> kControlSystems{"navigator"};
inline constexpr std::array<const char*, 1> kPlanners{"value_iteration"};

// An error where the description names an unknown one; it lists the known ones.
[[nodiscard]] Result<void> check_names(const robot::Description& robot);

// A planner that keeps the plans of up to `n_goals` goals.
[[nodiscard]] Result<std::shared_ptr<GoalPlan>> make_planner(std::string_view name, const PlanningModel& model,
                                                             std::size_t n_goals = 1);

// The control system of this name for this robot, with the planner that the robot's description names. `model` must
// outlive it. Allocates all it will ever need.
[[nodiscard]] Result<std::unique_ptr<ControlSystem>> make_control_system(std::string_view name,
                                                                         const PlanningModel& model,
                                                                         const robot::Description& robot);
// The one that the robot's description names. Its names have been checked: simulations and replicas of other robots
// are not made.
[[nodiscard]] std::unique_ptr<ControlSystem> make_own_control_system(const PlanningModel& model,
                                                                     const robot::Description& robot);

}  // namespace forerun::navigate
