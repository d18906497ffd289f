#include "forerun/navigate/roomy_blocks.hpp"

#include <gtest/gtest.h>

#include <array>

#include "forerun/base/random.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::navigate {
namespace {

// Clearances of a room with blocks at random, off the origin by some metres.
Grid<float> make_clearance(Random& random) {
  world::FreeGrid free({101, 83, 0.05, {-3.2, 7.1}}, 1);
  for (int i = 0; i < 12; ++i) {
    const int x = static_cast<int>(random.below(90)), y = static_cast<int>(random.below(70));
    for (int k = 0; k < 100; ++k) free[Cell{x + k % 10, y + k / 10}] = 0;
  }
  return world::clearance(free);
}

// Two roads: what the map says of the cell where a beam ends.
TEST(RoomyBlocks, LeaveOutNothingThatIsFarFromAllOnTheMap) {
  constexpr RoomyBlocks::Doubt kDoubt{0.3F, 0.03F, 4};
  Random random(2);
  const Grid<float> clearance = make_clearance(random);
  const RoomyBlocks blocks(clearance);
  int n_far = 0, n_left_out = 0;
  for (int i = 0; i < 20000; ++i) {
    const Transform2 laser(Pose2{random.uniform(-4, 3), random.uniform(6, 12), random.uniform(-kPi, kPi)});
    std::array<float, 4> x{}, y{}, ranges{};
    std::array<bool, 4> far{};
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec2 direction = unit_vector(random.uniform(-kPi, kPi));
      x[k] = static_cast<float>(direction.x);
      y[k] = static_cast<float>(direction.y);
      ranges[k] = static_cast<float>(i % 50 == 0 ? kInfinity : random.uniform(-0.5, 4.5));
      const auto range = static_cast<double>(ranges[k]);
      if (!(range > 0 && range < 4)) continue;
      const Cell cell = clearance.frame().cell_of(laser * (direction * range));
      far[k] = clearance.frame().contains(cell) && static_cast<double>(clearance[cell]) > 0.3 + 0.03 * range;
    }
    const std::uint32_t bits = blocks.roomy(blocks.look_from(laser), x.data(), y.data(), ranges.data(), kDoubt);
    for (std::size_t k = 0; k < 4; ++k) {
      n_far += far[k] ? 1 : 0;
      n_left_out += (bits >> k & 1) == 0 ? 1 : 0;
      ASSERT_TRUE(!far[k] || (bits >> k & 1) == 1) << i;
    }
  }
  EXPECT_GT(n_far, 5000);
  EXPECT_GT(n_left_out, 20000);
}

TEST(RoomyBlocks, WithoutAMapLeaveOutNothing) {
  const std::array<float, 4> one{1, 1, 1, 1};
  EXPECT_EQ(RoomyBlocks().roomy({}, one.data(), one.data(), one.data(), {0.3F, 0.03F, 4}), 0xfU);
}

}  // namespace
}  // namespace forerun::navigate
