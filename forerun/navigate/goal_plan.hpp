// Value functions of the goals of the moment, for several control systems that mostly drive to the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/geom/vec.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

class GoalPlan {
 public:
  // Keeps the plans of up to `n_goals` goals; the one that was not asked for longest gives way.
  explicit GoalPlan(const PlanningGrid& grid, std::size_t n_goals = 1);

  // From here on `values` leads to this goal; plans only where that was not done before. False where no robot can
  // stand.
  bool lead_to(const PlanningGrid& grid, Vec2 goal) noexcept;
  [[nodiscard]] const ValueFunction& values() const noexcept { return plans_[current_].values; }

 private:
  struct Plan {
    explicit Plan(const GridFrame& frame) : values(frame) {}
    ValueFunction values;
    std::optional<Vec2> goal;
    bool possible = false;
    std::uint64_t asked = 0;
  };
  std::vector<Plan> plans_;
  std::size_t current_ = 0;
  std::uint64_t n_asked_ = 0;
};

}  // namespace forerun::navigate
