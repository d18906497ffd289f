#include "forerun/atlas/live_robot.hpp"

#include <gtest/gtest.h>

namespace forerun::atlas {
namespace {

TEST(LoadLiveRobot, PredictsFromTheFirstReportOn) {
  auto robot = load_live_robot("bonn-office", "rhino");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->at(RobotTime{}).status, predict::Status::none);
  robot::Report report;
  report.state.pose = {0.6, 1.25, 0};
  report.goal = Vec2{25.1, 5.4};
  report.task = robot::TaskState::driving;
  report.limits = {0.5, 1.0};
  EXPECT_EQ(robot->take(report), predict::Taken::newer);
  const auto later = robot->at(report.time + from_seconds(6));
  EXPECT_EQ(later.status, predict::Status::predicted);
  EXPECT_GT(later.state.pose.x, 1.6);  // under way along the corridor
}

TEST(LoadLiveRobot, NamesWhatIsUnknown) {
  EXPECT_NE(load_live_robot("no-such-world", "rhino").error().message.find("no-such-world"), std::string::npos);
  EXPECT_NE(load_live_robot("bonn-office", "no-such-robot").error().message.find("no-such-robot"), std::string::npos);
}

}  // namespace
}  // namespace forerun::atlas
