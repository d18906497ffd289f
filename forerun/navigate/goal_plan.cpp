#include "forerun/navigate/goal_plan.hpp"

#include <algorithm>

#include "forerun/navigate/line_of_sight.hpp"

namespace forerun::navigate {
namespace {

constexpr double kOffGrid = 1.0;   // [m]
constexpr double kInThings = 3.5;  // more than the largest box that can be told is deep [m]

}  // namespace

GoalPlan::GoalPlan(const PlanningModel& model, std::size_t n_goals) : model_(model), changed_(model) {
  plans_.reserve(n_goals);
  for (std::size_t i = 0; i < std::max<std::size_t>(n_goals, 1); ++i) plans_.emplace_back(model.grid.frame());
}

bool GoalPlan::lead_to(Vec2 goal) noexcept {
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
  plan_anew(plan);
  return plan.possible;
}

// Something stands there that the model does not have.
bool GoalPlan::is_covered(Vec2 place) const noexcept {
  const Cell cell = model_.grid.frame().cell_of(place);
  return model_.grid.is_free(cell) && !changed_.grid().is_free(cell);
}

void GoalPlan::plan_anew(Plan& plan) noexcept {
  plan.as_modelled = is_covered(*plan.goal);
  const PlanningGrid& grid = plan.as_modelled ? model_.grid : changed_.grid();
  plan.possible = plan.values.plan(grid, grid.frame().cell_of(*plan.goal));
}

bool GoalPlan::set_changes(std::span<const robot::Change> changes) noexcept {
  if (!changed_.set(changes)) return false;
  for (Plan& plan : plans_) {
    if (!plan.goal) continue;
    const bool covered = is_covered(*plan.goal);
    if (covered != plan.as_modelled) {
      plan_anew(plan);
    } else if (!covered) {
      plan.values.repair(changed_.grid(), changed_.differing());
    }
  }
  return true;
}

double GoalPlan::start_reach(Vec2 position) const noexcept {
  return covers(model_.grid.frame(), position) && is_covered(position) ? kInThings : kOffGrid;
}

}  // namespace forerun::navigate
