#include "forerun/bridge/square_trial.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/setting.hpp"
#include "forerun/atlas/world_yaml.hpp"
#include "forerun/geom/box.hpp"

namespace forerun::bridge {
namespace {

TEST(SquareTrial, EndsWhereItBeganWithSomebodyWatching) {
  const auto trial = drive_square(*atlas::load_named_world("kenaf-course"), *atlas::load_named_robot("kenaf"));
  ASSERT_TRUE(trial) << trial.error().message;
  EXPECT_LT(trial->closure_mm, 30);
  EXPECT_LT(std::abs(trial->heading_deg), 3);
  Box2 driven;
  for (const Vec2 place : trial->way) driven.include(place);
  EXPECT_NEAR(driven.size().x, 0.1, 0.08) << "a square of 100 mm, and what turns about the tracks move the middle by";
  EXPECT_NEAR(driven.size().y, 0.1, 0.08);
  EXPECT_GT(trial->bridge_delay_ms_p99, 0);
  EXPECT_GE(trial->bridge_delay_ms_p99, trial->bridge_delay_ms_p50);
  EXPECT_GT(trial->camera_fps, 1);
}

TEST(SquareTrial, ARobotThatCannotBePutDownIsAnError) {
  const auto world = atlas::parse_world_yaml(
      "name: full\nrooms: [{from: [-2, -2], to: [2, 2]}]\nblocks: [{at: [0.4, 0], size_m: [0.2, 1], height_m: 0.5}]\n",
      "full.world.yaml");
  ASSERT_TRUE(world) << world.error().message;
  const auto trial = drive_square(*world, *atlas::load_named_robot("kenaf"));
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().message,
            "no status of the robot within five seconds; the simulator says: Kenaf would stand inside something");
}

}  // namespace
}  // namespace forerun::bridge
