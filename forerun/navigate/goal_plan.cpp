#include "forerun/navigate/goal_plan.hpp"

#include <algorithm>

namespace forerun::navigate {

GoalPlan::GoalPlan(const PlanningGrid& grid, std::size_t n_goals) {
  plans_.reserve(n_goals);
  for (std::size_t i = 0; i < std::max<std::size_t>(n_goals, 1); ++i) plans_.emplace_back(grid.frame());
}

bool GoalPlan::lead_to(const PlanningGrid& grid, Vec2 goal) noexcept {
  ++n_asked_;
  const auto known = std::find_if(plans_.begin(), plans_.end(), [&](const Plan& plan) { return plan.goal == goal; });
  const auto oldest =
      std::min_element(plans_.begin(), plans_.end(), [](const Plan& a, const Plan& b) { return a.asked < b.asked; });
  const auto chosen = known != plans_.end() ? known : oldest;
  Plan& plan = *chosen;
  current_ = static_cast<std::size_t>(chosen - plans_.begin());
  plan.asked = n_asked_;
  if (plan.goal == goal) return plan.possible;
  plan.goal = goal;
  plan.possible = plan.values.plan(grid, grid.frame().cell_of(goal));
  return plan.possible;
}

}  // namespace forerun::navigate
