// Where things that stand on the floor close a passage, against a slow twin that looks at all of it each time.
#include "forerun/navigate/open_floor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/navigate/planning_twins.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::navigate {
namespace {

using Cells = std::vector<Cell>;

// An open floor in cells instead of nodes.
class Floor {
 public:
  explicit Floor(const world::FreeGrid& free) : grid_(free), floor_(grid_) {}

  void close(const Cells& cells, const OpenFloor::Judgement& judgement) {
    floor_.clear();
    for (const Cell cell : cells) EXPECT_TRUE(floor_.cover(grid_.node(cell)));
    floor_.close(judgement);
  }
  [[nodiscard]] std::size_t n_closed() const { return floor_.closed().size(); }
  [[nodiscard]] world::FreeGrid open() const {
    world::FreeGrid free(grid_.frame(), 0);
    for (std::size_t i = 0; i < free.size(); ++i) {
      free[i] = floor_.is_open(grid_.node(free.frame().cell_at(i))) ? 1 : 0;
    }
    return free;
  }

 private:
  PlanningGrid grid_;
  OpenFloor floor_;
};

TEST(OpenFloor, ClosesAPassageThatHasAWayRoundFarAway) {
  Floor floor(draw_grid(".....#..... ........... .....#..... .....#..... ..........."));
  floor.close({{5, 3}}, {.place = 4, .near = 2});
  EXPECT_EQ(floor.n_closed(), 1u);
  EXPECT_EQ(floor.open()[Cell(5, 3)], 0);
}

TEST(OpenFloor, LeavesOpenWhatHasAWayRoundNearBy) {
  const world::FreeGrid free = draw_grid(".....#..... ........... .....#..... .....#..... ...........");
  Floor floor(free);
  floor.close({{5, 3}}, {.place = 4, .near = 3});
  EXPECT_EQ(floor.open(), free);
}

TEST(OpenFloor, LeavesTheOnlyDoorOpen) {
  const world::FreeGrid free = draw_grid(".....#..... ........... .....#.....");
  Floor floor(free);
  floor.close({{5, 1}}, {.place = 4, .near = 1});
  EXPECT_EQ(floor.open(), free);
}

TEST(OpenFloor, LeavesTheLaterOfTwoDoorsOpen) {
  Floor floor(draw_grid("........... .....#..... .....#..... ..........."));
  floor.close({{5, 3}, {5, 0}}, {.place = 4, .near = 1});
  EXPECT_EQ(floor.open()[Cell(5, 3)], 0);
  EXPECT_EQ(floor.open()[Cell(5, 0)], 1);
}

TEST(OpenFloor, TwoThingsThatTouchCloseAPassageTogether) {
  Floor floor(draw_grid("........... .....#..... .....#..... ........... ..........."));
  floor.close({{5, 0}, {5, 4}, {5, 1}}, {.place = 4, .near = 1});
  EXPECT_EQ(floor.n_closed(), 2u);
  EXPECT_EQ(floor.open()[Cell(5, 0)], 0);
  EXPECT_EQ(floor.open()[Cell(5, 1)], 0);
}

TEST(OpenFloor, ClosesWhatIsOfNoUseBehindAThingThatClosesAPassage) {
  Floor floor(draw_grid("........... ......#.... .....##.... .....#..... ..........."));
  floor.close({{4, 4}, {4, 3}, {5, 4}}, {.place = 4, .near = 1});
  floor.close({{6, 4}, {4, 3}, {4, 4}, {5, 4}}, {.place = 4, .near = 1});
  EXPECT_EQ(floor.n_closed(), 5u);  // and the cell in the corner
  EXPECT_EQ(floor.open()[Cell(5, 3)], 0);
}

TEST(OpenFloor, PlacesThatNothingConnectsAreNotCutOff) {
  const world::FreeGrid free = draw_grid("....#.... ....#.... ....#....");
  Floor floor(free);
  floor.close({{3, 1}, {5, 1}}, {.place = 2, .near = 2});
  EXPECT_EQ(floor.open(), free);
}

// -- the slow twin ----------------------------------------------------------------------------------------------------

struct Box {
  Cell low, high;
  [[nodiscard]] bool contains(Cell c) const { return c.x >= low.x && c.x <= high.x && c.y >= low.y && c.y <= high.y; }
};

Cells reachable_from(const world::FreeGrid& free, Cell start, const Box& window) {
  std::set<std::pair<int, int>> seen{{start.x, start.y}};
  Cells found{start};
  for (std::size_t i = 0; i < found.size(); ++i) {
    visit_moves(free, found[i], [&](Cell next, double) {
      // a diagonal step leaves no window between two cells inside
      if (window.contains(next) && seen.insert({next.x, next.y}).second) found.push_back(next);
    });
  }
  return found;
}

// The parts of the floor beside a patch, within a window.
std::vector<Cells> parts_beside(const world::FreeGrid& free, const Cells& patch, const Box& window) {
  std::vector<Cells> parts;
  Grid<int> known(free.frame(), 0);
  for (const Cell cell : patch) {
    for (unsigned d = 0; d < kDirections; d += 2) {
      const Cell beside = neighbour(cell, d);
      if (!free.frame().contains(beside) || free[beside] == 0 || known[beside] != 0) continue;
      parts.push_back(reachable_from(free, beside, window));
      for (const Cell c : parts.back()) known[c] = 1;
    }
  }
  return parts;
}

bool leaves(const world::FreeGrid& free, const Cells& part, const Box& window) {
  return std::any_of(part.begin(), part.end(), [&](Cell cell) {
    for (unsigned d = 0; d < kDirections; d += 2) {
      const Cell next = neighbour(cell, d);
      if (!window.contains(next) && free.frame().contains(next) && free[next] != 0) return true;
    }
    return false;
  });
}

std::vector<Cells> patches_of(const world::FreeGrid& free, const Cells& covered) {
  std::map<std::pair<int, int>, bool> left;
  for (const Cell cell : covered) left[{cell.x, cell.y}] = free[cell] != 0;
  std::vector<Cells> patches;
  for (const Cell start : covered) {
    if (!std::exchange(left[{start.x, start.y}], false)) continue;
    Cells& patch = patches.emplace_back(Cells{start});
    for (std::size_t i = 0; i < patch.size(); ++i) {
      for (unsigned d = 0; d < kDirections; d += 2) {
        const Cell next = neighbour(patch[i], d);
        const auto found = left.find({next.x, next.y});
        if (found != left.end() && std::exchange(found->second, false)) patch.push_back(next);
      }
    }
  }
  return patches;
}

Box around(const Cells& patch, int margin) {
  Box box{patch[0], patch[0]};
  for (const Cell c : patch) {
    box = {{std::min(box.low.x, c.x), std::min(box.low.y, c.y)},
           {std::max(box.high.x, c.x), std::max(box.high.y, c.y)}};
  }
  return {{box.low.x - margin, box.low.y - margin}, {box.high.x + margin, box.high.y + margin}};
}

// Judges one patch; false where the floor may be left in one of several ways, because all parts are of no use.
bool judge_slowly(world::FreeGrid& free, Cells patch, const OpenFloor::Judgement& judgement) {
  std::erase_if(patch, [&](Cell cell) { return free[cell] == 0; });
  if (patch.empty()) return true;
  world::FreeGrid closed = free;
  for (const Cell cell : patch) closed[cell] = 0;
  const Box window = around(patch, judgement.near), all{{0, 0}, {free.frame().width, free.frame().height}};
  std::size_t n_near = 0;
  for (const Cells& part : parts_beside(closed, patch, window)) {
    n_near += part.size() >= judgement.place || leaves(closed, part, window) ? 1 : 0;
  }
  if (n_near < 2) return true;
  const auto parts = parts_beside(closed, patch, all);
  const auto is_place = [&](const Cells& part) { return part.size() >= judgement.place; };
  const auto n_places = std::count_if(parts.begin(), parts.end(), is_place);
  if (n_places > 1) return true;
  if (n_places == 0 && parts.size() > 1) return false;
  for (const Cells& part : parts) {
    for (const Cell cell : part) closed[cell] = is_place(part) || parts.size() == 1 ? 1 : 0;
  }
  free = closed;
  return true;
}

TEST(OpenFloor, AgreesWithASearchOfTheWholeFloor) {
  Random random(31);
  int n_open = 0, n_closed = 0;
  for (int i = 0; i < 3000; ++i) {
    const world::FreeGrid free = random_grid(24, 18, random.uniform(0.05, 0.45), random);
    Cells covered;
    for (std::uint64_t n_boxes = 1 + random.below(4); n_boxes > 0; --n_boxes) {
      const Cell low = random_free_cell(free, random);
      const int width = 1 + static_cast<int>(random.below(6)), height = 1 + static_cast<int>(random.below(6));
      for (int k = 0; k < width * height; ++k) {
        const Cell cell{low.x + k % width, low.y + k / width};
        if (free.frame().contains(cell)) covered.push_back(cell);
      }
    }
    const OpenFloor::Judgement judgement{1 + random.below(30), 1 + static_cast<int>(random.below(4))};
    world::FreeGrid expected = free;
    bool is_sure = true;
    for (const Cells& patch : patches_of(free, covered)) is_sure = is_sure && judge_slowly(expected, patch, judgement);
    Floor floor(free);
    floor.close(covered, judgement);
    if (!is_sure) continue;
    ASSERT_EQ(floor.open(), expected) << i;
    ++(floor.n_closed() > 0 ? n_closed : n_open);
    floor.close({}, judgement);
    ASSERT_EQ(floor.open(), free) << i;
  }
  EXPECT_GT(n_open, 300);
  EXPECT_GT(n_closed, 300);
}

TEST(OpenFloor, AllocatesNothing) {
  Random random(32);
  const PlanningGrid grid(random_grid(60, 60, 0.2, random));
  OpenFloor floor(grid);
  const AllocationCounter allocations;
  for (int i = 0; i < 50; ++i) {
    floor.clear();
    for (int k = 0; k < 100; ++k) floor.cover(grid.node({static_cast<int>(random.below(60)), 20 + k % 20}));
    floor.close({.place = 10, .near = 3});
  }
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
