// An object from an operator to the robot over real sockets.
#include <gtest/gtest.h>

#include <chrono>

#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/viewer.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::net {
namespace {

TEST(Bring, AMissionReachesTheRobotAndItsAnswerTheOperator) {
  SodiumCipher cipher;
  const sync::KeyPair robot_keys = sync::make_key_pair(cipher), desk_keys = sync::make_key_pair(cipher);
  test::NotingRobot robot;
  auto server = RobotServer::open(
      {.listen = *resolve("127.0.0.1:0"), .keys = robot_keys, .allowed = {{desk_keys.open, sync::Role::operate}}},
      robot);
  ASSERT_TRUE(server.ok()) << server.error().message;
  auto viewer =
      Viewer::open({.server = to_string(server->local_address()), .server_key = robot_keys.open, .keys = desk_keys});
  ASSERT_TRUE(viewer.ok()) << viewer.error().message;

  const std::vector<std::uint8_t> mission(200'000, 42);
  viewer->bring(sync::ObjectKind::mission, mission);
  sync::Delivery& delivery = viewer->client().delivery();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!delivery.verdict() && std::chrono::steady_clock::now() < end) {
    server->poll(0.002);
    viewer->poll(0.002);
  }
  ASSERT_TRUE(delivery.verdict());
  EXPECT_EQ(delivery.verdict()->taken, sync::Taken::yes);
  ASSERT_EQ(robot.objects.size(), 1u);
  EXPECT_EQ(robot.objects[0].bytes, mission);
  EXPECT_EQ(server->counts().objects_taken, 1u);
}

}  // namespace
}  // namespace forerun::net
