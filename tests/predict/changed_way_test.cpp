// A door on the robot's way is closed, and both sides know: both go the same way round.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/predict/onward.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/two_rooms.hpp"

namespace forerun::predict {
namespace {

// A robot on its way from the left to the right, whose lower door closes at once.
class ClosedDoor : public testing::Test {
 protected:
  ClosedDoor() {
    sim::Scenario scenario;
    scenario.start = {kFromLeft.x, kFromLeft.y, 0};
    scenario.goals = {{"right", kToRight, 0}};
    scenario.doors = {{"lower", 0, 1e6}};
    robot_ =
        std::make_unique<sim::Model>(*sim::make_model({make_two_rooms(), make_hall_robot(), scenario, sim::kExact}, 1));
    control_ = navigate::make_own_control_system(robot_->planning, robot_->robot);
    loop_ = std::make_unique<sim::Loop>(*robot_, *control_);
  }

  void run(double seconds) {
    const RobotTime end = loop_->time() + from_seconds(seconds);
    while (loop_->time() < end) loop_->step();
  }
  [[nodiscard]] robot::Report report(bool tells) const {
    robot::Report report = sim::make_report(*loop_, {});
    if (tells) report.seen = robot::SeenThings{.changes = told(), .moving = {}};
    return report;
  }
  static FixedVector<robot::Change, 12> told() {
    FixedVector<robot::Change, 12> changes;
    changes.push_back(closed_door(0));
    return changes;
  }
  [[nodiscard]] Vec2 truth() const { return loop_->truth().pose.position(); }

  ReplicaModel model_ = *make_replica_model(make_two_rooms(), make_hall_robot());
  std::unique_ptr<sim::Model> robot_;
  std::unique_ptr<navigate::ControlSystem> control_;
  std::unique_ptr<sim::Loop> loop_;
};

TEST_F(ClosedDoor, TheRobotGoesRoundAndItsReplicaToo) {
  const FixedVector<robot::Change, 12> changes = told();
  control_->set_changes(changes);
  run(2);
  LiveRobot live(model_);
  live.take(report(true));
  while (truth().x < 6.5 && to_seconds(loop_->time()) < 60) run(0.5);
  ASSERT_GT(truth().x, 6.5);
  EXPECT_GT(truth().y, 3);
  EXPECT_LT(distance(live.at(loop_->time()).state.pose.position(), truth()), 0.5);
}

TEST_F(ClosedDoor, ARobotThatHasNotFoundItOutGoesThere) {
  run(25);
  EXPECT_LT(truth().x, 6);
  EXPECT_LT(truth().y, 3);
}

TEST_F(ClosedDoor, TheWayAheadLeadsRound) {
  run(2);
  LiveRobot live(model_);
  live.take(report(true));
  std::vector<Pose2> way(60);
  ASSERT_EQ(live.way_ahead(from_seconds(0.5), way), way.size());
  const auto crossing = std::find_if(way.begin(), way.end(), [](const Pose2& pose) { return pose.x > 6; });
  ASSERT_NE(crossing, way.end());
  EXPECT_GT(crossing->y, 3);
}

TEST_F(ClosedDoor, ReportsLeadTheReplicaBackWhenItIsOpenAgain) {
  run(2);
  navigate::Navigator navigator(model_.planning, model_.robot);
  Replica replica(model_, navigator);
  sense::SeenWorld seen(model_.doors, model_.robot.height);
  const auto crosses_at = [&](const robot::Report& report) {
    replica.resync(report, {.limits = model_.robot.limits, .seen = &seen});
    RobotTime time = report.time;
    while (replica.state().pose.x < 6 && time < report.time + from_seconds(60)) {
      time += from_seconds(0.25);
      replica.advance(time);
    }
    return replica.state().pose.y;
  };
  seen.take(report(true));
  EXPECT_GT(crosses_at(report(true)), 3);
  robot::Report open = report(false);
  open.seen.emplace();
  seen.take(open);
  EXPECT_LT(crosses_at(open), 3);
}

// It knows nothing of sensors, and plans with the way behind it closed.
TEST_F(ClosedDoor, TheOnwardPlannerLeadsRound) {
  const auto usual = std::make_shared<navigate::GoalPlan>(model_.planning);
  OnwardPlanner planner(model_.planning, model_.robot, usual);
  const auto crosses_at = [&](const Pose2& from) {
    OnwardPath path;
    planner.plan(from, 0.3, kToRight, path);
    const auto crossing = std::find_if(path.begin(), path.end(), [](Vec2 point) { return point.x > 6; });
    return crossing != path.end() ? crossing->y : kInfinity;
  };
  const FixedVector<robot::Change, 12> changes = told();
  for (const double heading : {0.0, 1.57}) {  // with the usual way before it, and behind it
    const Pose2 from{2, 3, heading};
    planner.set_changes({});
    EXPECT_LT(crosses_at(from), 3) << heading;
    planner.set_changes(changes);
    EXPECT_GT(crosses_at(from), 3) << heading;
  }
}

}  // namespace
}  // namespace forerun::predict
