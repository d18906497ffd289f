// The cost from every free cell to one goal (PSS-5): the fixed point of value iteration, to the last bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/navigate/bucket_queue.hpp"
#include "forerun/navigate/planning_grid.hpp"

namespace forerun::navigate {

// Values are in cells: times the cell size they are metres. The goal has 0; cells that are taken or cut off have
// infinity. After construction nothing allocates. Copies are independent of each other.
class ValueFunction {
 public:
  // Ready for any grid of this frame; until the first plan every value is infinite.
  explicit ValueFunction(const GridFrame& frame);

  // Exactly what sweeps over all cells reach that set each free cell to the least value + cost of its neighbours, until
  // nothing changes. False, and every value is infinite, where the goal is outside or not free.
  bool plan(const PlanningGrid& grid, Cell goal) noexcept;

  // Like `plan`, but stops as soon as the value of `start` is certain. Other values may be too high.
  bool plan_until(const PlanningGrid& grid, Cell goal, Cell start) noexcept;

  // Cells became free or taken, or changed their factor, since the last plan or repair. Ends with the same bits as a
  // new plan for the same goal and costs less when few values change. Listing a cell in vain does no harm.
  void repair(const PlanningGrid& grid, std::span<const Cell> changed) noexcept;

  [[nodiscard]] const GridFrame& frame() const noexcept { return frame_; }
  [[nodiscard]] Cell goal() const noexcept { return goal_; }
  // Cells outside have infinity.
  [[nodiscard]] double value(Cell cell) const noexcept {
    if (!frame_.contains(cell)) return kInfinity;
    return values_[static_cast<std::size_t>(cell.y + 1) * static_cast<std::size_t>(frame_.width + 2) +
                   static_cast<std::size_t>(cell.x + 1)];
  }
  // Of a node of any grid of this frame.
  [[nodiscard]] double value(Node node) const noexcept { return values_[node]; }
  [[nodiscard]] bool is_reachable(Cell cell) const noexcept { return value(cell) < kInfinity; }
  // How many cells the last plan or repair worked on.
  [[nodiscard]] std::size_t n_expanded() const noexcept { return n_expanded_; }

 private:
  // A node that waits for its turn.
  struct Seed {
    double value;
    Node node;
    std::uint32_t arrival;
  };

  template <bool kRepair>
  void lower(const PlanningGrid& grid, Node until) noexcept;
  template <class Done, class Work>
  Work work_in_order(Done done, Work work) noexcept;

  [[nodiscard]] bool seed_suspects(const PlanningGrid& grid, std::span<const Cell> changed) noexcept;
  [[nodiscard]] bool raise_unsupported(const PlanningGrid& grid) noexcept;
  [[nodiscard]] bool seed_lowered(const PlanningGrid& grid, std::span<const Cell> changed) noexcept;
  [[nodiscard]] Seed best_label(const PlanningGrid& grid, Node node) const noexcept;
  void sort_seeds() noexcept;

  GridFrame frame_;
  Cell goal_{-1, -1};
  bool complete_ = false;  // every value is certain
  std::size_t n_expanded_ = 0;
  std::vector<double> values_;
  std::vector<std::uint8_t> arrivals_;  // direction of the step, away from the goal, that gave the value
  BucketQueue queue_;
  ScratchList<Seed> seeds_;   // in the order of their values
  ScratchList<Node> raised_;  // nodes whose value a repair has withdrawn
};

}  // namespace forerun::navigate
