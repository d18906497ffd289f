#include "forerun/navigate/control_systems.hpp"

#include <gtest/gtest.h>

#include "tests/support/outings.hpp"

namespace forerun::navigate {
namespace {

TEST(ControlSystems, EveryNameIsMade) {
  const robot::Description robot = make_hall_robot();
  const auto planning = make_planning_model(make_hall(), robot);
  ASSERT_TRUE(planning);
  for (const char* name : kControlSystems) {
    const auto control = make_control_system(name, *planning, robot);
    ASSERT_TRUE(control) << name;
    EXPECT_TRUE((*control)->set_goal(Vec2{3, 3})) << name;
    EXPECT_TRUE((*control)->can_reach_goal_from({1.5, 1.5})) << name;
  }
  for (const char* name : kPlanners) EXPECT_TRUE(make_planner(name, *planning)) << name;
}

TEST(ControlSystems, UnknownNamesAreRefusedWithTheKnownOnes) {
  robot::Description robot = make_hall_robot();
  const auto planning = make_planning_model(make_hall(), robot);
  ASSERT_TRUE(planning);
  EXPECT_EQ(make_control_system("magic", *planning, robot).error().message,
            "there is no control system \"magic\": known are navigator");
  robot.planner = "dice";
  EXPECT_EQ(make_control_system("navigator", *planning, robot).error().message,
            "there is no planner \"dice\": known are value_iteration");
  EXPECT_EQ(check_names(robot).error().message, "there is no planner \"dice\": known are value_iteration");
  EXPECT_TRUE(check_names(make_hall_robot()));
}

}  // namespace
}  // namespace forerun::navigate
