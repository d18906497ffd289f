// The value function of one goal at a time, for several control systems that mostly drive to the same one.
#pragma once

#include <optional>

#include "forerun/geom/vec.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

class GoalPlan {
 public:
  explicit GoalPlan(const PlanningGrid& grid) : values_(grid.frame()) {}

  // Values that lead to this goal; plans only where the last plan was for another one. False where no robot can stand.
  bool lead_to(const PlanningGrid& grid, Vec2 goal) noexcept {
    if (goal_ == goal) return possible_;
    goal_ = goal;
    possible_ = values_.plan(grid, grid.frame().cell_of(goal));
    return possible_;
  }
  [[nodiscard]] const ValueFunction& values() const noexcept { return values_; }

 private:
  ValueFunction values_;
  std::optional<Vec2> goal_;
  bool possible_ = false;
};

}  // namespace forerun::navigate
