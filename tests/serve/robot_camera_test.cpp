#include "forerun/serve/robot_camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/atlas/setting.hpp"
#include "forerun/serve/served_robot.hpp"

namespace forerun::serve {
namespace {

struct Office {
  sim::Setting setting = *atlas::load_setting("office-scout", "exact");
  std::optional<RobotCamera> camera = RobotCamera::of(setting.world, setting.robot);
  RobotCamera::Stand stand{{1'000'000'000}, {3, 1.25, 0.5}, {3.1, 1.2, 0.52}};
};

TEST(RobotCamera, SaysWhereTheRobotBelievesItToBe) {
  Office office;
  ASSERT_TRUE(office.camera);
  const auto shot = office.camera->take(office.stand, {}, 20'000);
  ASSERT_TRUE(shot);
  const Vec2 lens = office.stand.believed * Vec2{0.2, 0};
  EXPECT_NEAR(shot->info.place.x, lens.x, 1e-9);
  EXPECT_NEAR(shot->info.place.y, lens.y, 1e-9);
  EXPECT_NEAR(shot->info.place.z, 0.45, 1e-9);
  EXPECT_NEAR(shot->info.attitude.yaw, 0.52, 1e-9);
  EXPECT_NEAR(shot->info.attitude.pitch, 0.1, 1e-9);
  EXPECT_EQ(shot->info.taken.ns, 1'000'000'000);
  EXPECT_EQ(shot->jpeg.substr(0, 2), "\xff\xd8");
}

TEST(RobotCamera, TiltsWithARobotOnRoughGround) {
  Office office;
  office.stand.posture = robot::Posture{.height = 0.3, .pitch = -0.4};  // nose up
  const auto shot = office.camera->take(office.stand, {}, 20'000);
  ASSERT_TRUE(shot);
  EXPECT_NEAR(shot->info.attitude.pitch, 0.1 - 0.4, 1e-9);
  EXPECT_NEAR(shot->info.place.z, 0.3 + 0.45 * std::cos(0.4) + 0.2 * std::sin(0.4), 1e-9);
}

TEST(RobotCamera, TheQualityFollowsTheSize) {
  Office office;
  for (const std::size_t largest : {9000u, 3500u}) {
    for (int i = 0; i < 20; ++i) (void)office.camera->take(office.stand, {}, largest);
    EXPECT_LE(office.camera->take(office.stand, {}, largest)->jpeg.size(), largest);
  }
  const int poor = office.camera->quality();
  for (int i = 0; i < 20; ++i) (void)office.camera->take(office.stand, {}, 30'000);
  EXPECT_GT(office.camera->quality(), poor + 10);
}

// People and doors are seen, and stand where they stand.
TEST(RobotCamera, SeesWhatMoves) {
  Office office;
  const auto empty = office.camera->take(office.stand, {}, 30'000);
  const world::Mover person = world::make_disc({4.5, 1.9}, 0.25, 1.7, 0);
  const world::Mover behind = world::make_disc({1.5, 1.25}, 0.25, 1.7, 0);
  EXPECT_NE(office.camera->take(office.stand, std::span(&person, 1), 30'000)->jpeg, empty->jpeg);
  Office again;
  const auto first = again.camera->take(again.stand, std::span(&behind, 1), 30'000);
  EXPECT_EQ(first->jpeg, empty->jpeg);
}

TEST(RobotCamera, ARobotWithoutOneTakesNoImages) {
  const sim::Setting setting = *atlas::load_setting("office-delivery", "exact");
  EXPECT_FALSE(RobotCamera::of(setting.world, setting.robot));
  auto robot = make_simulated_robot(setting, 1, {});
  ASSERT_TRUE(robot);
  EXPECT_FALSE((*robot)->photograph({}, 10'000));
}

TEST(RobotCamera, ASimulatedRobotLooksAhead) {
  Office office;
  auto robot = make_simulated_robot(office.setting, 1, {});
  ASSERT_TRUE(robot);
  const auto shot = (*robot)->photograph({}, 10'000);
  ASSERT_TRUE(shot);
  EXPECT_NEAR(shot->info.place.x, 0.6 + 0.2, 0.02);
}

}  // namespace
}  // namespace forerun::serve
