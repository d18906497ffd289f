#include "forerun/serve/describe_drive.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/drive_loop.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "tests/mission/hall_mission.hpp"

namespace forerun::serve {
namespace {

TEST(DescribeDrive, SaysWhichActionsASimulatedRobotPretends) {
  const world::World world = make_hall();
  const robot::Description robot = make_hall_robot();
  mission::Mission mission = mission::make_hall_mission();
  mission.actions = {{mission.path.back().time, "photo"}};
  sim::Scenario scenario;
  scenario.start = mission.path.front().pose;
  const auto model = sim::make_model({world, robot, scenario, sim::kExact}, 1);
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control);
  mission::Pilot pilot(world, robot);
  EXPECT_EQ(describe_drive(loop, pilot).find("pretend"), std::string::npos);
  ASSERT_EQ(pilot.give(7, mission).state, robot::Reply::State::accepted);
  const robot::Command start{.kind = robot::CommandKind::start, .mission = 7};
  ASSERT_EQ(start_on(loop, start, pilot).state, robot::Reply::State::accepted);
  std::string meanwhile;
  for (int i = 0; i < 20000 && pilot.is_running(); ++i) {
    loop.step();
    mission::settle(loop, pilot);
    if (pilot.executor()->doing()) meanwhile = describe_drive(loop, pilot);
  }
  EXPECT_NE(meanwhile.find(", pretends photo"), std::string::npos) << meanwhile;
  EXPECT_NE(describe_drive(loop, pilot).find(", has pretended photo"), std::string::npos);
}

}  // namespace
}  // namespace forerun::serve
