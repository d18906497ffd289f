#include "bench/reference_planners.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>

#include "forerun/base/random.hpp"

namespace forerun::bench {

using navigate::DirectionSet;
using navigate::Node;
using navigate::PlanningGrid;

namespace {

struct Area {
  int x, y, width, height;
};

void fill(world::FreeGrid& grid, const Area& area, std::uint8_t value) {
  for (int y = area.y; y < area.y + area.height; ++y) {
    for (int x = area.x; x < area.x + area.width; ++x) {
      if (grid.frame().contains({x, y})) grid[Cell{x, y}] = value;
    }
  }
}

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low)));
}

constexpr int kRoom = 98, kWall = 2, kCorridor = 40, kDoor = 18;  // [cells]

// Walls around a room, a door towards the corridor, four pieces of furniture.
void add_room(world::FreeGrid& grid, Cell low, bool door_on_top, Random& random) {
  const int side = kRoom + 2 * kWall;
  fill(grid, {low.x, low.y, side, side}, 0);
  fill(grid, {low.x + kWall, low.y + kWall, kRoom, kRoom}, 1);
  const int door_x = low.x + between(random, 20, 60);
  fill(grid, {door_x, door_on_top ? low.y + side - kWall : low.y, kDoor, kWall}, 1);
  for (int i = 0; i < 4; ++i) {
    const int x = low.x + between(random, 10, 75), y = low.y + between(random, 12, 70);
    const int width = between(random, 8, 22), height = between(random, 6, 20);
    fill(grid, {x, y, width, height}, 0);
  }
}

std::vector<DirectionSet> all_moves(const PlanningGrid& grid) {
  std::vector<DirectionSet> moves(grid.n_nodes(), 0);
  for (Node node = 0; node < moves.size(); ++node) {
    if (grid.is_free(node)) moves[node] = grid.moves(node);
  }
  return moves;
}

}  // namespace

world::FreeGrid make_office_grid(int side) {
  world::FreeGrid grid(GridFrame{side, side, 0.05, {}}, 1);
  Random random(7);
  const int pitch = kRoom + kWall;  // neighbours share a wall
  for (int y = 0; y < side; y += 2 * pitch + kCorridor) {
    for (int x = 0; x < side; x += pitch) {
      add_room(grid, {x, y}, true, random);
      add_room(grid, {x, y + pitch + kCorridor}, false, random);
    }
  }
  // one corridor joins the others, and the building has an outer wall
  fill(grid, {side / 2, 0, kCorridor, side}, 1);
  for (const Area& wall : {Area{0, 0, side, kWall}, Area{0, 0, kWall, side}, Area{0, side - kWall, side, kWall},
                           Area{side - kWall, 0, kWall, side}}) {
    fill(grid, wall, 0);
  }
  return grid;
}

TextbookSweeps::TextbookSweeps(const PlanningGrid& grid)
    : grid_(grid), moves_(all_moves(grid)), values_(grid.n_nodes()), next_(grid.n_nodes()) {}

int TextbookSweeps::plan(Cell goal) {
  std::fill(values_.begin(), values_.end(), kInfinity);
  std::fill(next_.begin(), next_.end(), kInfinity);
  values_[grid_.node(goal)] = 0;
  next_[grid_.node(goal)] = 0;
  int n_sweeps = 1;
  while (sweep(grid_.node(goal))) ++n_sweeps;
  return n_sweeps;
}

// True when a value has changed.
bool TextbookSweeps::sweep(Node goal) {
  const auto offsets = grid_.offsets();
  bool changed = false;
  for (Node node = 0; node < values_.size(); ++node) {
    if (node == goal) continue;
    double least = kInfinity;
    for (unsigned moves = moves_[node]; moves != 0; moves &= moves - 1) {
      const auto d = static_cast<unsigned>(std::countr_zero(moves));
      const Node to = node + offsets[d];
      least = std::min(least, values_[to] + navigate::step_length(d) * grid_.factor(to));
    }
    changed = changed || least != values_[node];
    next_[node] = least;
  }
  std::swap(values_, next_);
  return changed;
}

HeapDijkstra::HeapDijkstra(const PlanningGrid& grid) : grid_(grid), moves_(all_moves(grid)), values_(grid.n_nodes()) {
  storage_.reserve(grid.n_nodes());
}

void HeapDijkstra::plan(Cell goal) {
  std::fill(values_.begin(), values_.end(), kInfinity);
  storage_.clear();
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>(), std::move(storage_));
  const auto offsets = grid_.offsets();
  values_[grid_.node(goal)] = 0;
  queue.push({0.0, grid_.node(goal)});
  while (!queue.empty()) {
    const double value = queue.top().first;
    const Node node = queue.top().second;
    queue.pop();
    if (value > values_[node]) continue;
    const double factor = grid_.factor(node);
    for (unsigned moves = moves_[node]; moves != 0; moves &= moves - 1) {
      const auto d = static_cast<unsigned>(std::countr_zero(moves));
      const Node to = node + offsets[d];
      const double label = value + navigate::step_length(d) * factor;
      if (label >= values_[to]) continue;
      values_[to] = label;
      queue.push({label, to});
    }
  }
  // the queue has taken the memory with it; give it back outside of the next measurement
  storage_.reserve(grid_.n_nodes());
}

}  // namespace forerun::bench
