#include "forerun/navigate/planning_grid.hpp"

#include <gtest/gtest.h>

#include "forerun/navigate/bucket_queue.hpp"
#include "tests/navigate/planning_twins.hpp"

namespace forerun::navigate {
namespace {

TEST(PlanningGrid, AllowsADiagonalMoveOnlyBetweenFreeCells) {
  EXPECT_EQ(allowed_moves(0), 0);
  EXPECT_EQ(allowed_moves(0xff), 0xff);
  // north-east (1) with east (0) but without north (2)
  EXPECT_EQ(allowed_moves(only(0) | only(1)), only(0));
  EXPECT_EQ(allowed_moves(only(0) | only(1) | only(2)), only(0) | only(1) | only(2));
  // south-east (7) lies between south (6) and east (0)
  EXPECT_EQ(allowed_moves(only(6) | only(7) | only(0)), only(6) | only(7) | only(0));
}

TEST(PlanningGrid, KnowsTheMovesOfEveryCell) {
  Random random(1);
  const world::FreeGrid free = random_grid(23, 17, 0.3, random);
  const PlanningGrid grid(free);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Cell cell = free.frame().cell_at(i);
    EXPECT_EQ(grid.is_free(cell), free[cell] != 0);
    if (free[cell] == 0) continue;
    DirectionSet expected = 0;
    visit_moves(free, cell, [&](Cell to, double length) {
      for (unsigned d = 0; d < kDirections; ++d) {
        if (!(neighbour(cell, d) == to)) continue;
        EXPECT_EQ(step_length(d), length);
        expected |= only(d);
      }
    });
    EXPECT_EQ(grid.moves(grid.node(cell)), expected);
  }
}

TEST(PlanningGrid, IsNotFreeOutside) {
  const PlanningGrid grid(draw_grid(".. .."));
  for (const Cell cell : {Cell{-1, 0}, Cell{0, -1}, Cell{2, 0}, Cell{0, 2}, Cell{-1, -1}}) {
    EXPECT_FALSE(grid.is_free(cell));
  }
}

TEST(PlanningGrid, ChangesLikeAGridThatWasMadeThatWay) {
  Random random(2);
  world::FreeGrid free = random_grid(15, 15, 0.3, random);
  Grid<float> factors = random_factors(free.frame(), true, random);
  PlanningGrid grid(free, &factors);
  for (int i = 0; i < 300; ++i) {
    const Cell cell = free.frame().cell_at(random.below(free.size()));
    const bool is_free = random.below(2) == 0;
    free[cell] = is_free ? 1 : 0;
    factors[cell] = static_cast<float>(random.uniform(1, 10));
    grid.set_free({&cell, 1}, is_free);
    grid.set_factor(cell, factors[cell]);
  }
  const Cell outside{99, 0};
  grid.set_free({&outside, 1}, true);
  const PlanningGrid fresh(free, &factors);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Node node = grid.node(free.frame().cell_at(i));
    EXPECT_EQ(grid.surroundings()[node], fresh.surroundings()[node]);
    EXPECT_EQ(grid.is_free(node), fresh.is_free(node));
    EXPECT_EQ(grid.factor(node), fresh.factor(node));
  }
}

TEST(PlanningGrid, ClearanceCostsFallFromTheObstacleOn) {
  Grid<float> clearance(GridFrame{4, 1, 1, {}}, 0);
  clearance[Cell{1, 0}] = 0.25;
  clearance[Cell{2, 0}] = 0.5;
  clearance[Cell{3, 0}] = 7;
  const Grid<float> factors = clearance_factors(clearance, {.distance = 0.5, .extra = 2});
  EXPECT_EQ(factors[0], 3);
  EXPECT_EQ(factors[1], 2);
  EXPECT_EQ(factors[2], 1);
  EXPECT_EQ(factors[3], 1);
  const Grid<float> none = clearance_factors(clearance, {.distance = 0});
  EXPECT_EQ(none[0], 1);
  const Grid<float> most = clearance_factors(clearance, {.distance = 1, .extra = 1000});
  EXPECT_EQ(most[0], kMaxFactor);
}

TEST(BucketQueue, GivesEverythingBackInTheOrderOfTheBuckets) {
  Random random(3);
  BucketQueue queue(20000);
  // more than a chunk in some buckets, and several turns of the ring
  std::vector<std::int64_t> bucket_of_node;
  std::int64_t n_returned = 0;
  const auto push_some = [&](std::int64_t from) {
    for (std::uint64_t i = random.below(60); i > 0 && bucket_of_node.size() < 15000; --i) {
      const auto bucket = from + 1 + static_cast<std::int64_t>(random.below(random.below(2) == 0 ? 3 : 200));
      queue.push(bucket, static_cast<std::uint32_t>(bucket_of_node.size()));
      bucket_of_node.push_back(bucket);
    }
  };
  push_some(0);
  for (std::int64_t bucket = 0; !queue.empty(); ++bucket) {
    queue.drain(bucket, [&](std::uint32_t node) {
      EXPECT_EQ(bucket_of_node[node], bucket);
      bucket_of_node[node] = -1;
      ++n_returned;
      if (n_returned % 20 == 0) push_some(bucket);
    });
  }
  EXPECT_GT(n_returned, 14000);
  EXPECT_EQ(n_returned, static_cast<std::int64_t>(bucket_of_node.size()));
}

TEST(BucketQueue, HasRoomForWhatItPromises) {
  BucketQueue queue(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) queue.push(i % 250, i);
  std::size_t n = 0;
  for (std::int64_t bucket = 0; bucket < 250; ++bucket) queue.drain(bucket, [&](std::uint32_t) { ++n; });
  EXPECT_EQ(n, 1000u);
  EXPECT_TRUE(queue.empty());
}

TEST(BucketQueue, ForgetsAll) {
  BucketQueue queue(100);
  for (std::uint32_t i = 0; i < 100; ++i) queue.push(5, i);
  queue.clear();
  EXPECT_TRUE(queue.empty());
  queue.drain(5, [](std::uint32_t) { FAIL(); });
}

TEST(ScratchList, HasAFixedRoomAndCopiesOnlyThat) {
  ScratchList<int> list(2);
  EXPECT_TRUE(list.push_back(7));
  EXPECT_TRUE(list.push_back(8));
  EXPECT_FALSE(list.push_back(9));
  EXPECT_EQ(list.size(), 2u);
  ScratchList<int> copy = list;
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_EQ(copy.capacity(), 2u);
  list.shrink(1);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0], 7);
}

}  // namespace
}  // namespace forerun::navigate
