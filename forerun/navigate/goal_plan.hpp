// Value functions of the goals of the moment, for several control systems that mostly drive to the same ones, in a
// world that may change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/geom/vec.hpp"
#include "forerun/navigate/changed_grid.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

class GoalPlan {
 public:
  // Keeps the plans of up to `n_goals` goals; the one that was not asked for longest gives way. `model` must outlive
  // it.
  explicit GoalPlan(const PlanningModel& model, std::size_t n_goals = 1);

  // From here on `values` leads to this goal; plans only where that was not done before. False where no robot can
  // stand.
  bool lead_to(Vec2 goal) noexcept;
  // From here on the world is otherwise than its model by these and by nothing else. Repairs all plans. False where the
  // grid stays as it was; the same list once more is no work. Allocates nothing.
  bool set_changes(std::span<const robot::Change> changes) noexcept;

  [[nodiscard]] const ValueFunction& values() const noexcept { return plans_[current_].values; }
  // On which they were planned: as the world is now; as in its model where something stands on the goal, so that the
  // robot goes there and waits.
  [[nodiscard]] const PlanningGrid& grid() const noexcept {
    return plans_[current_].as_modelled ? model_.grid : changed_.grid();
  }
  // Another number for another grid.
  [[nodiscard]] std::uint64_t grid_version() const noexcept {
    return plans_[current_].as_modelled ? 0 : changed_.version();
  }
  // So far a robot looks for a way out that believes itself inside an obstacle [m]; farther where the model has none.
  [[nodiscard]] double start_reach(Vec2 position) const noexcept;

 private:
  struct Plan {
    explicit Plan(const GridFrame& frame) : values(frame) {}
    ValueFunction values;
    std::optional<Vec2> goal;
    bool possible = false;
    bool as_modelled = false;
    std::uint64_t asked = 0;
  };
  [[nodiscard]] bool is_covered(Vec2 place) const noexcept;
  void plan_anew(Plan& plan) noexcept;

  const PlanningModel& model_;
  ChangedGrid changed_;
  std::vector<Plan> plans_;
  std::size_t current_ = 0;
  std::uint64_t n_asked_ = 0;
};

}  // namespace forerun::navigate
