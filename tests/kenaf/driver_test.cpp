// The library's inside over its CAN bus, with a robot of the test's behind a Unix socket.
#include "forerun/kenaf/driver.hpp"

#include <gtest/gtest.h>

#include <future>

#include "forerun/kenaf/can_bus.hpp"
#include "forerun/kenaf/candump.hpp"
#include "forerun/kenaf/moves.hpp"
#include "tests/kenaf/robot_on_a_bus.hpp"
#include "tests/support/source_tree.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::kenaf {
namespace {

class OnABus : public testing::Test {
 protected:
  OnABus() : robot_(folder_.file("bus")) {
    OpenedBus opened = open_can_bus("unix:" + folder_.file("bus"));
    EXPECT_TRUE(robot_.bound());
    EXPECT_EQ(opened.error, "");
    driver_.emplace(std::move(opened.bus), folder_.file("log"));
    EXPECT_TRUE(driver_->await_newer(0, std::chrono::seconds(10)));
  }

  test::TempFolder folder_;
  test::RobotOnABus robot_;
  std::optional<Driver> driver_;
  std::atomic<unsigned> stops_ = 0;
};

TEST_F(OnABus, GoesForwardAndTurns) {
  EXPECT_EQ(go_forward(*driver_, 100, StopSignal(stops_)), "");
  EXPECT_NEAR(robot_.x, 0.1, 0.004);
  EXPECT_NEAR(robot_.y, 0, 0.002);
  EXPECT_EQ(turn(*driver_, 90, StopSignal(stops_)), "");
  EXPECT_NEAR(robot_.yaw_deg, 90, 2);
  EXPECT_EQ(go_forward(*driver_, -50, StopSignal(stops_)), "");
  EXPECT_NEAR(robot_.y, -0.05, 0.004);
  EXPECT_TRUE(test::wait_until([&] { return robot_.left_mm == 0 && robot_.right_mm == 0; }));
}

TEST_F(OnABus, TurnsMoreThanHalfRoundToTheRight) {
  EXPECT_EQ(turn(*driver_, -200, StopSignal(stops_)), "");
  EXPECT_NEAR(robot_.yaw_deg, 160, 2);
}

TEST_F(OnABus, CommandsAreRepeatedAndTheWatchdogStaysQuiet) {
  driver_->set_tracks(50, 50);
  const int before = robot_.n_commands;
  EXPECT_TRUE(test::wait_until([&] { return robot_.n_commands > before + 50 && robot_.x > 0.02; }));
  EXPECT_FALSE(robot_.timed_out);
  driver_.reset();
  EXPECT_TRUE(test::wait_until([&] { return robot_.left_mm == 0; })) << "who leaves stops it";
  EXPECT_TRUE(test::wait_until([&] { return robot_.timed_out.load(); }));
}

TEST_F(OnABus, FlippersMoveOnlyWhenTold) {
  robot_.front_left_deg = 33;
  EXPECT_TRUE(test::wait_until([&] { return robot_.n_commands > 10; }));
  EXPECT_EQ(robot_.front_left_deg, 33);
  driver_->set_flippers({45, 0, 0, -45});
  EXPECT_TRUE(test::wait_until([&] { return driver_->newest()->status.flipper_ticks[0] == 250; }));
}

TEST_F(OnABus, ARobotThatDoesNotGetOnEndsTheMoveWithASentence) {
  robot_.held = true;
  EXPECT_EQ(go_forward(*driver_, 100, StopSignal(stops_)), "the robot does not get on: 0 of 100 mm");
  EXPECT_EQ(turn(*driver_, 90, StopSignal(stops_)), "the robot does not get on: 0 of 90 degrees");
  EXPECT_TRUE(test::wait_until([&] { return robot_.left_mm == 0 && robot_.right_mm == 0; }));
}

TEST_F(OnABus, ARobotThatFallsSilentEndsTheMoveWithASentence) {
  auto move = std::async(std::launch::async, [&] { return go_forward(*driver_, 3000, StopSignal(stops_)); });
  EXPECT_TRUE(test::wait_until([&] { return robot_.x > 0.01; }));
  robot_.silent = true;
  EXPECT_EQ(move.get(), "the robot has said nothing for a second");
  EXPECT_TRUE(test::wait_until([&] { return robot_.left_mm == 0; }));
  EXPECT_EQ(turn(*driver_, 10, StopSignal(stops_)), "the robot has said nothing for a second");
}

TEST_F(OnABus, ARobotThatFallsOverEndsTheMoveWithASentence) {
  auto move = std::async(std::launch::async, [&] { return turn(*driver_, 3000, StopSignal(stops_)); });
  EXPECT_TRUE(test::wait_until([&] { return robot_.yaw_deg > 1; }));
  robot_.fallen = true;
  EXPECT_EQ(move.get(), "the robot has fallen over");
}

TEST_F(OnABus, AMoveCanBeStopped) {
  auto move = std::async(std::launch::async, [&] { return go_forward(*driver_, 3000, StopSignal(stops_)); });
  EXPECT_TRUE(test::wait_until([&] { return robot_.x > 0.01; }));
  ++stops_;
  EXPECT_EQ(move.get(), "it was stopped");
  EXPECT_LT(robot_.x, 2);
}

TEST_F(OnABus, AStopBetweenAskingAndMovingLetsTheRobotStand) {
  const StopSignal stop(stops_);
  ++stops_;
  EXPECT_EQ(go_forward(*driver_, 3000, stop), "it was stopped");
  EXPECT_EQ(turn(*driver_, 90, stop), "it was stopped");
  EXPECT_EQ(robot_.x, 0);
  EXPECT_EQ(robot_.yaw_deg, 0);
}

TEST_F(OnABus, WhatTravelsIsLogged) {
  EXPECT_TRUE(test::wait_until([&] { return driver_->newest()->number > 3; }));
  driver_.reset();
  int n_tracks = 0, n_states = 0;
  for (const std::string& line : test::split_lines(folder_.read("log"))) {
    const auto logged = parse_candump(line);
    ASSERT_TRUE(logged) << line;
    n_tracks += logged->frame.id == kTracksId;
    n_states += logged->frame.id == kStateId;
  }
  EXPECT_GT(n_tracks, 3);
  EXPECT_GT(n_states, 3);
}

TEST(CanBus, WhatCannotBeOpenedIsNamed) {
  EXPECT_NE(open_can_bus("unix:").error.find("unix:"), std::string::npos);
  EXPECT_NE(open_can_bus("unix:/nonexistent/bus").error.find("/nonexistent/bus"), std::string::npos);
  EXPECT_NE(open_can_bus("no-such-bus").error.find("no-such-bus"), std::string::npos);
}

// The same on the kernel's own virtual bus: ip link add vcan0 type vcan && ip link set up vcan0
TEST(CanBus, FramesTravelOverVcan) {
  OpenedBus a = open_can_bus("vcan0"), b = open_can_bus("vcan0");
  if (!a.bus || !b.bus) GTEST_SKIP() << "no vcan0 here: " << a.error;
  const auto frames = encode(Status{.left_ticks = 5, .counter = 9});
  a.bus->send(frames);
  a.bus->send(std::array{encode(TrackSpeeds{})});  // which is not for controllers
  std::vector<CanFrame> received;
  EXPECT_TRUE(test::wait_until([&] {
    b.bus->receive(received);
    return received.size() >= 4;
  }));
  EXPECT_EQ(received, std::vector<CanFrame>(frames.begin(), frames.end()));
}

}  // namespace
}  // namespace forerun::kenaf
