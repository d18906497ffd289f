// Simulated robots drive round a door that they find closed.
#include <gtest/gtest.h>

#include <memory>

#include "forerun/serve/served_robot.hpp"
#include "forerun/serve/touring_robot.hpp"
#include "forerun/study/office_study.hpp"
#include "tests/support/two_rooms.hpp"

namespace forerun::serve {
namespace {

// From the left to the right; the lower door closes at once.
sim::Setting behind_a_closed_door() {
  sim::Scenario scenario;
  scenario.start = {kFromLeft.x, kFromLeft.y, 0};
  scenario.goals = {{"right", kToRight, 0}};
  scenario.doors = {{"lower", 0, 1e6}};
  scenario.time_limit = 60;
  return {make_two_rooms(), make_hall_robot(), scenario, sim::kExact};
}

bool gets_there(ServedRobot& robot) {
  for (double time = 0; time < 60; time += 0.5) {
    const auto report = robot.look(RobotTime{} + from_seconds(time));
    if (report && report->state.pose.x > 7) return true;
  }
  return false;
}

TEST(ClosedDoorOnTheWay, ASimulatedRobotThatIsServedGoesRound) {
  const sim::Setting setting = behind_a_closed_door();
  const auto robot = make_simulated_robot(setting, 1, RobotTime{});
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  EXPECT_TRUE(gets_there(**robot));
}

TEST(ClosedDoorOnTheWay, TheRobotOfTheDemoGoesRound) {
  const sim::Setting setting = behind_a_closed_door();
  const auto robot = TouringRobot::make(setting, 1, RobotTime{});
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  EXPECT_TRUE(gets_there(**robot));
}

TEST(ClosedDoorOnTheWay, OnlyARobotThatLooksForChangesGoesRound) {
  const sim::Setting setting = behind_a_closed_door();
  for (const bool looks : {true, false}) {
    const auto drive = study::simulate_drive(setting, 5, 1, {.localize = false, .changes = looks});
    ASSERT_TRUE(drive.ok());
    EXPECT_EQ(drive->truth.back().pose.x > 7, looks);
  }
}

}  // namespace
}  // namespace forerun::serve
