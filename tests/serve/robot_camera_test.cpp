#include "forerun/serve/robot_camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/atlas/setting.hpp"
#include "forerun/serve/served_robot.hpp"

namespace forerun::serve {
namespace {

struct Office {
  sim::Setting setting = *atlas::load_setting("office-scout", "exact");
  std::vector<RobotCamera> cameras = RobotCamera::all(setting.world, setting.robot);
  RobotCamera* camera = &cameras.at(0);
  RobotCamera::Stand stand{{1'000'000'000}, {3, 1.25, 0.5}, {3.1, 1.2, 0.52}};
};

TEST(RobotCamera, SaysWhereTheRobotBelievesItToBe) {
  Office office;
  ASSERT_EQ(office.cameras.size(), 1u);
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
  EXPECT_TRUE(RobotCamera::all(setting.world, setting.robot).empty());
  auto robot = make_simulated_robot(setting, 1, {});
  ASSERT_TRUE(robot);
  EXPECT_FALSE((*robot)->photograph({}, {.largest = 10'000}));
}

TEST(RobotCamera, ASimulatedRobotLooksAhead) {
  Office office;
  auto robot = make_simulated_robot(office.setting, 1, {});
  ASSERT_TRUE(robot);
  const auto shot = (*robot)->photograph({}, {.largest = 10'000});
  ASSERT_TRUE(shot);
  EXPECT_NEAR(shot->info.place.x, 0.6 + 0.2, 0.02);
}

// The camera over a tracked robot sees the robot itself, with its flippers as they are; the one ahead does not.
TEST(RobotCamera, TheOneAboveSeesTheRobot) {
  const sim::Setting course = *atlas::load_setting("kenaf-course", "exact");
  const RobotCamera::Stand level{{}, {-0.75, 0, 0}, {-0.75, 0, 0}, robot::Posture{.height = 0.09}};
  RobotCamera::Stand raised = level;
  raised.posture->flippers = {1, 1, 1, 1};
  const auto look = [&](std::size_t camera, const RobotCamera::Stand& stand) {
    return *RobotCamera::all(course.world, course.robot).at(camera).take(stand, {}, 30'000);
  };
  ASSERT_EQ(RobotCamera::all(course.world, course.robot).size(), 2u);
  EXPECT_EQ(look(0, level).jpeg, look(0, raised).jpeg);
  EXPECT_NE(look(1, level).jpeg, look(1, raised).jpeg);
  const image::Info info = look(1, level).info;
  EXPECT_EQ(info.camera, 1);
  EXPECT_NEAR(info.place.x, -0.75 - 0.35, 1e-9);
  EXPECT_NEAR(info.place.z, 0.09 + 0.75, 1e-9);
  EXPECT_NEAR(info.attitude.pitch, 0.7, 1e-9);
}

TEST(RobotCamera, ATrackedRobotHasTwo) {
  const sim::Setting course = *atlas::load_setting("kenaf-course", "exact");
  auto robot = make_simulated_robot(course, 1, {});
  ASSERT_TRUE(robot);
  const auto front = (*robot)->photograph({}, {.camera = 0, .largest = 10'000});
  const auto above = (*robot)->photograph({}, {.camera = 1, .largest = 10'000});
  ASSERT_TRUE(front && above);
  EXPECT_EQ(above->info.camera, 1);
  EXPECT_GT(above->info.place.z, front->info.place.z + 0.5);
  EXPECT_FALSE((*robot)->photograph({}, {.camera = 2, .largest = 10'000}));
}

}  // namespace
}  // namespace forerun::serve
