#include "forerun/sim/resting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/world/ground.hpp"

namespace forerun::sim {
namespace {

const robot::Crawler kCrawler;
constexpr world::Block kFloor{{0, 0, -0.5}, {40, 40, 1}, {}};

world::Terrain with(const world::Block& block) { return {{kFloor, block}, {}}; }

Resting at(const world::Terrain& terrain, const Pose2& pose, double height = 0.09) {
  const auto rests = rest(terrain, kCrawler, pose, height);
  EXPECT_TRUE(rests);
  return rests.value_or(Resting{});
}

TEST(Ground, IsTheHighestSurfaceBelowTheCeiling) {
  const world::Terrain terrain{{kFloor, {{1, 0, 0.1}, {1, 1, 0.2}, {}}, {{1, 0, 1.5}, {1, 1, 1}, {}}}, {}};
  const world::Ground ground(terrain, {1, 0}, 1);
  EXPECT_NEAR(ground.height({1, 0}, 0.5), 0.2, 1e-12);
  EXPECT_NEAR(ground.height({1, 0}, 9), 2, 1e-12);
  EXPECT_NEAR(ground.height({1.7, 0}, 9), 0, 1e-12) << "beside both";
  EXPECT_EQ(ground.height({1, 0}, -0.2), -INFINITY) << "everything is above";
  EXPECT_EQ(world::Ground({}, {}, 1).height({5, 5}, 0.1), 0) << "level all over";
}

TEST(Ground, SlopesAndMapsAreStraight) {
  const Attitude tilted{0, -0.3, 0};
  const world::Terrain slope{{{rotation(tilted).z * -0.5, {20, 20, 1}, tilted}}, {}};
  EXPECT_NEAR(world::Ground(slope, {}, 3).height({2, 1}, 9), 2 * std::tan(0.3), 1e-9);
  const world::Terrain map{{}, {{{0, 0}, 0.5, 3, 2, {0, 1, 2, 0, 1, 2}}}};
  EXPECT_NEAR(world::Ground(map, {}, 3).height({0.6, 0.2}, 9), 1.2, 1e-6);
  EXPECT_EQ(world::Ground(map, {}, 3).height({1.1, 0.2}, 9), -INFINITY) << "beside it";
}

TEST(Resting, LevelGroundIsLevel) {
  const Resting level = at({}, {3, 2, 1});
  EXPECT_NEAR(level.height, kCrawler.track_radius, 1e-9);
  EXPECT_NEAR(level.pitch, 0, 1e-12);
  EXPECT_NEAR(level.roll, 0, 1e-12);
}

TEST(Resting, ARampTiltsIt) {
  const Attitude tilted{0, -0.3, 0};
  const world::Terrain slope{{{rotation(tilted).z * -0.5, {20, 20, 1}, tilted}}, {}};
  EXPECT_NEAR(at(slope, {0, 0, 0}).pitch, -0.3, 0.01) << "nose up";
  EXPECT_NEAR(at(slope, {0, 0, kPi}).pitch, 0.3, 0.01);
  EXPECT_NEAR(at(slope, {0, 0, kPi / 2}).roll, -0.3, 0.01) << "what is higher is on its right: it leans to the left";
}

TEST(Resting, AStepLiftsItsNose) {
  const world::Terrain step = with({{5.1, 0, 0.05}, {10, 4, 0.1}, {}});  // from x = 0.1 on, 10 cm high
  const Resting on_edge = at(step, {0, 0, 0});
  EXPECT_LT(on_edge.pitch, -0.1);
  EXPECT_NEAR(at(step, {1, 0, 0}).height, 0.19, 1e-9) << "up there it is level";
  EXPECT_NEAR(at(step, {1, 0, 0}).pitch, 0, 1e-9);
}

TEST(Resting, ATrenchIsBridgedAndWallsAreNoGround) {
  world::Terrain trench{{{{-5, 0, -0.5}, {9.8, 40, 1}, {}}, {{5, 0, -0.5}, {9.8, 40, 1}, {}}}, {}};  // 20 cm wide
  EXPECT_NEAR(at(trench, {0, 0, 0}).height, 0.09, 1e-9);
  EXPECT_NEAR(at(trench, {0, 0, 0}).pitch, 0, 1e-9);
  const world::Terrain wall = with({{0.3, 0, 1}, {0.2, 4, 2}, {}});
  EXPECT_NEAR(at(wall, {0, 0, 0}).height, 0.09, 1e-9);
  EXPECT_FALSE(rest(trench, kCrawler, {50, 0, 0}, 0.09));
}

}  // namespace
}  // namespace forerun::sim
