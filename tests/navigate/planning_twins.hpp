// Small grids for tests of the planner, and slow but obvious roads to the same values.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <queue>
#include <string_view>
#include <tuple>
#include <vector>

#include "forerun/base/hash.hpp"
#include "forerun/base/random.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

// '#' is taken, everything else free. Rows are separated by spaces; the first one is the top, the highest y.
inline world::FreeGrid draw_grid(std::string_view rows, double cell_size = 1) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < rows.size();) {
    const std::size_t end = std::min(rows.find(' ', begin), rows.size());
    if (end > begin) lines.push_back(rows.substr(begin, end - begin));
    begin = end + 1;
  }
  const GridFrame frame{static_cast<int>(lines[0].size()), static_cast<int>(lines.size()), cell_size, {}};
  world::FreeGrid free(frame, 1);
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const std::string_view line = lines[static_cast<std::size_t>(frame.height - 1 - y)];
      free[Cell{x, y}] = line[static_cast<std::size_t>(x)] == '#' ? 0 : 1;
    }
  }
  return free;
}

inline world::FreeGrid random_grid(int width, int height, double share_taken, Random& random) {
  world::FreeGrid free(GridFrame{width, height, 1, {}}, 1);
  for (std::size_t i = 0; i < free.size(); ++i) free[i] = random.uniform() < share_taken ? 0 : 1;
  return free;
}

// Wild: every cell another factor. Else neighbours differ little, as clearance makes it.
inline Grid<float> random_factors(const GridFrame& frame, bool wild, Random& random) {
  Grid<float> factors(frame, 1);
  const double fx = random.uniform(0.1, 0.5), fy = random.uniform(0.1, 0.5);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Cell c = frame.cell_at(i);
    const double smooth = 2 + std::fabs(std::fmod(fx * c.x + fy * c.y, 2.0) - 1);
    factors[i] = static_cast<float>(wild ? random.uniform(1, static_cast<double>(kMaxFactor)) : smooth);
  }
  return factors;
}

inline Cell random_free_cell(const world::FreeGrid& free, Random& random) {
  for (int i = 0; i < 10000; ++i) {
    const Cell cell = free.frame().cell_at(random.below(free.size()));
    if (free[cell] != 0) return cell;
  }
  return {0, 0};
}

// The definition of a move, cell by cell: calls visit(next, length).
template <class Visit>
void visit_moves(const world::FreeGrid& free, Cell cell, Visit&& visit) {
  const auto open = [&](int x, int y) { return free.frame().contains({x, y}) && free[Cell{x, y}] != 0; };
  if (!open(cell.x, cell.y)) return;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || !open(cell.x + dx, cell.y + dy)) continue;
      const bool diagonal = dx != 0 && dy != 0;
      if (diagonal && !(open(cell.x + dx, cell.y) && open(cell.x, cell.y + dy))) continue;
      visit(Cell{cell.x + dx, cell.y + dy}, diagonal ? 1.4142135623730951 : 1.0);
    }
  }
}

// Textbook value iteration: every cell from the values of the sweep before, until nothing changes.
inline Grid<double> sweep_until_nothing_changes(const world::FreeGrid& free, const Grid<float>* factors, Cell goal) {
  Grid<double> values(free.frame(), kInfinity);
  values[goal] = 0;
  while (true) {
    Grid<double> next = values;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const Cell cell = free.frame().cell_at(i);
      if (cell == goal) continue;
      next[i] = kInfinity;
      visit_moves(free, cell, [&](Cell to, double length) {
        const double factor = factors != nullptr ? static_cast<double>((*factors)[to]) : 1.0;
        next[i] = std::min(next[i], values[to] + length * factor);
      });
    }
    if (next == values) return values;
    values = std::move(next);
  }
}

// Dijkstra's algorithm with a binary heap.
inline Grid<double> dijkstra(const world::FreeGrid& free, const Grid<float>* factors, Cell goal) {
  Grid<double> values(free.frame(), kInfinity);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  values[goal] = 0;
  queue.push({0.0, free.frame().index(goal)});
  while (!queue.empty()) {
    const double value = queue.top().first;
    const std::size_t from = queue.top().second;
    queue.pop();
    if (value > values[from]) continue;
    const double factor = factors != nullptr ? static_cast<double>((*factors)[from]) : 1.0;
    visit_moves(free, free.frame().cell_at(from), [&](Cell to, double length) {
      if (value + length * factor >= values[to]) return;
      values[to] = value + length * factor;
      queue.push({values[to], free.frame().index(to)});
    });
  }
  return values;
}

inline Grid<double> to_grid(const ValueFunction& values) {
  Grid<double> grid(values.frame());
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = values.value(grid.frame().cell_at(i));
  return grid;
}

}  // namespace forerun::navigate
