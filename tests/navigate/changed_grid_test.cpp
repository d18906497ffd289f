// What was found to stand somewhere, in the planner's grid.
#include "forerun/navigate/changed_grid.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "forerun/base/random.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/two_rooms.hpp"

namespace forerun::navigate {
namespace {

using Changes = std::vector<robot::Change>;

struct TwoRooms {
  PlanningModel model = *make_planning_model(make_two_rooms(), make_hall_robot());
  ChangedGrid changed{model};

  [[nodiscard]] world::FreeGrid free() const {
    world::FreeGrid free(model.grid.frame(), 0);
    for (std::size_t i = 0; i < free.size(); ++i) free[i] = changed.grid().is_free(free.frame().cell_at(i)) ? 1 : 0;
    return free;
  }
  // The model's, less what is nearer to the thing than the robot's middle may come.
  [[nodiscard]] world::FreeGrid free_without(const world::Mover& thing) const {
    world::FreeGrid free(model.grid.frame(), 0);
    for (std::size_t i = 0; i < free.size(); ++i) {
      const Cell cell = free.frame().cell_at(i);
      const bool covered = world::plan_distance(thing, free.frame().center(cell)) < model.radius;
      free[i] = model.grid.is_free(cell) && !covered ? 1 : 0;
    }
    return free;
  }
};

TEST(ChangedGrid, TakesWhereAClosedLeafStands) {
  TwoRooms rooms;
  EXPECT_TRUE(rooms.changed.set(Changes{closed_door(0)}));
  EXPECT_EQ(rooms.free(), rooms.free_without(world::make_leaf(rooms.model.doors[0], 0)));
}

TEST(ChangedGrid, TakesWhereATurnedBoxClosesAPassage) {
  TwoRooms rooms;
  EXPECT_TRUE(rooms.changed.set(Changes{box_at({6, 1.5, 0.6}, {0.8, 0.3})}));
  EXPECT_EQ(rooms.free(), rooms.free_without(world::make_box({6, 1.5, 0.6}, {0.8, 0.3}, 1, 0)));
}

TEST(ChangedGrid, LeavesABoxToTheSensorsThatHasRoomBesideIt) {
  TwoRooms rooms;
  EXPECT_FALSE(rooms.changed.set(Changes{box_at({3, 3, 0.6}, {0.8, 0.3})}));
}

TEST(ChangedGrid, TwoBoxesSideBySideCloseAPassage) {
  TwoRooms rooms;
  const robot::Change one = box_at({5.3, 1.2, 0}, {0.2, 0.3}, 1), other = box_at({5.3, 1.9, 0}, {0.2, 0.3}, 2);
  EXPECT_TRUE(rooms.changed.set(Changes{one, other}));
}

TEST(ChangedGrid, IsTheModelsAgainWhenNothingIsChanged) {
  TwoRooms rooms;
  rooms.changed.set(Changes{closed_door(0), box_at({3, 3, 0}, {0.5, 0.5})});
  EXPECT_NE(&rooms.changed.grid(), &rooms.model.grid);
  EXPECT_TRUE(rooms.changed.set({}));
  EXPECT_EQ(&rooms.changed.grid(), &rooms.model.grid);
}

TEST(ChangedGrid, SaysWhetherAnythingIsOther) {
  TwoRooms rooms;
  EXPECT_FALSE(rooms.changed.set({}));
  EXPECT_TRUE(rooms.changed.set(Changes{closed_door(0)}));
  EXPECT_FALSE(rooms.changed.set(Changes{closed_door(0)}));
  EXPECT_FALSE(rooms.changed.set(Changes{closed_door(0), box_at({50, 50, 0}, {1, 1})}));
  EXPECT_EQ(rooms.changed.version(), 1u);
}

TEST(ChangedGrid, ListsTheCellsThatDiffer) {
  TwoRooms rooms;
  Random random(3);
  int n_changed = 0;
  for (int i = 0; i < 60; ++i) {
    const world::FreeGrid before = rooms.free();
    const bool is_other = rooms.changed.set(
        Changes{box_at({random.uniform(5, 7), random.uniform(1, 5), random.uniform(0, 3)}, {0.6, 0.4})});
    const world::FreeGrid after = rooms.free();
    std::size_t n_other = 0;
    for (std::size_t cell = 0; cell < after.size(); ++cell) n_other += before[cell] != after[cell] ? 1 : 0;
    ASSERT_EQ(is_other, n_other > 0);
    if (!is_other) continue;
    ++n_changed;
    ASSERT_EQ(rooms.changed.differing().size(), n_other);
    for (const Cell cell : rooms.changed.differing()) ASSERT_NE(before[cell], after[cell]);
  }
  EXPECT_GT(n_changed, 20);
}

TEST(ChangedGrid, LeavesOutTheDoorThatWouldCutARoomOff) {
  TwoRooms rooms;
  rooms.changed.set(Changes{closed_door(1, 1), closed_door(0, 2)});
  EXPECT_EQ(rooms.free(), rooms.free_without(world::make_leaf(rooms.model.doors[1], 0)));
}

TEST(ChangedGrid, DependsOnTheListAloneAndNotOnWhatWasBefore) {
  Random random(5);
  TwoRooms rooms;
  for (int i = 0; i < 60; ++i) {
    Changes changes;
    if (random.below(2) == 0) changes.push_back(closed_door(static_cast<std::uint16_t>(random.below(2))));
    for (std::uint64_t n = random.below(5); n > 0; --n) {
      changes.push_back(box_at({random.uniform(4, 8), random.uniform(0, 6), random.uniform(0, 3)},
                               {random.uniform(0.1, 2), random.uniform(0.1, 1)}));
    }
    rooms.changed.set(changes);
    TwoRooms fresh;
    fresh.changed.set(changes);
    ASSERT_EQ(rooms.free(), fresh.free()) << i;
  }
}

TEST(ChangedGrid, IgnoresWhatIsNoThingOfThisWorld) {
  TwoRooms rooms;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Changes changes{closed_door(2),
                  closed_door(0xffff),
                  box_at({nan, 1, 0}, {1, 1}),
                  box_at({3, inf, 0}, {1, 1}),
                  box_at({3, 3, nan}, {1, 1}),
                  box_at({3, 3, 0}, {-2, 1}),
                  box_at({3, 3, 0}, {1e9, 1e9})};
  changes.push_back(closed_door(0));
  changes.back().opening = nan;
  EXPECT_FALSE(rooms.changed.set(changes));
}

TEST(ChangedGrid, TakesListsOfAnyLength) {
  TwoRooms rooms;
  Changes changes;
  for (int i = 0; i < 1000; ++i) changes.push_back(box_at({6, 1 + 0.004 * i, 0}, {0.1, 0.1}));
  EXPECT_TRUE(rooms.changed.set(changes));
  EXPECT_FALSE(rooms.changed.set(changes));
}

TEST(ChangedGrid, AllocatesNothing) {
  TwoRooms rooms;
  const Changes many{closed_door(0), box_at({3, 3, 0.6}, {1.8, 0.3}), box_at({7, 3, 0.6}, {0.8, 2.3})};
  const Changes all{closed_door(0), closed_door(1), box_at({9, 3, 0}, {0.2, 8})};
  const AllocationCounter allocations;
  rooms.changed.set(many);
  rooms.changed.set(all);
  rooms.changed.set({});
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
