// The planner's grid in a world that is not as its model says: passages that were found to be closed are taken
// (PSS-15).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/open_floor.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/seen_things.hpp"
#include "forerun/world/mover.hpp"

namespace forerun::navigate {

// Boxes and the leaves of doors, widened as the planner widens walls, are taken where they close a passage and there is
// another way. Past whatever leaves room beside it the robot finds its way by what it sees. What would cut a place off
// is left out, of several such things the later one: a plan through a closed door is better than none. What free cells
// cost stays as it was. The same list gives the same grid, whatever was before it. Nothing allocates after
// construction.
class ChangedGrid {
 public:
  static constexpr std::size_t kMostChanges = 256;  // of more, the later ones are left out

  // `model` must outlive it.
  explicit ChangedGrid(const PlanningModel& model);
  ChangedGrid(const ChangedGrid&) = delete;
  ChangedGrid& operator=(const ChangedGrid&) = delete;

  // From here on the world has these changes and no others. False where that makes no difference to the grid.
  bool set(std::span<const robot::Change> changes) noexcept;

  [[nodiscard]] const PlanningGrid& grid() const noexcept { return taken_.size() > 0 ? grid_ : model_.grid; }
  // What became taken or free when the grid was changed for the last time.
  [[nodiscard]] std::span<const Cell> differing() const noexcept { return {differing_.begin(), differing_.size()}; }
  // How many times the grid was changed.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

 private:
  void cover(const world::Mover& thing) noexcept;
  void change_grid() noexcept;
  [[nodiscard]] Cell cell_of(Node node) const noexcept;

  const PlanningModel& model_;
  PlanningGrid grid_;
  OpenFloor floor_;  // the same
  FixedVector<robot::Change, kMostChanges> changes_;
  ScratchList<Node> taken_;
  ScratchList<Cell> differing_;  // those that are free again first
  std::uint64_t version_ = 0;
};

}  // namespace forerun::navigate
