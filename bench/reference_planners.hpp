// What value iteration is measured against: textbook sweeps and Dijkstra's algorithm with a binary heap, both as fast
// as they get with ordinary care, on the same padded grid with the same costs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "forerun/navigate/planning_grid.hpp"

namespace forerun::bench {

// An office floor of square rooms along corridors, with doors and furniture.
[[nodiscard]] world::FreeGrid make_office_grid(int side);

class TextbookSweeps {
 public:
  explicit TextbookSweeps(const navigate::PlanningGrid& grid);
  // Every cell from the values of the sweep before, until nothing changes. Returns the number of sweeps.
  int plan(Cell goal);
  [[nodiscard]] double value(Cell cell) const { return values_[grid_.node(cell)]; }

 private:
  bool sweep(navigate::Node goal);

  const navigate::PlanningGrid& grid_;
  std::vector<navigate::DirectionSet> moves_;
  std::vector<double> values_, next_;
};

class HeapDijkstra {
 public:
  explicit HeapDijkstra(const navigate::PlanningGrid& grid);
  void plan(Cell goal);
  [[nodiscard]] double value(Cell cell) const { return values_[grid_.node(cell)]; }

 private:
  using Entry = std::pair<double, navigate::Node>;

  const navigate::PlanningGrid& grid_;
  std::vector<navigate::DirectionSet> moves_;
  std::vector<double> values_;
  std::vector<Entry> storage_;
};

}  // namespace forerun::bench
