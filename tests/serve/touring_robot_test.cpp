// The demo's robot keeps what it was told when its reality changes.
#include "forerun/serve/touring_robot.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace forerun::serve {
namespace {

using robot::CommandKind;

const Vec2 kPlace{3.0, 1.25};

struct Tour {
  Tour() : inputs(std::move(*atlas::load_setting("office-delivery", "exact"))) {
    auto made = TouringRobot::make(inputs, 1, {});
    EXPECT_TRUE(made) << made.error().message;
    robot = std::move(*made);
    drive(2);
  }
  void drive(double seconds) {
    now += from_seconds(seconds);
    robot->drive_to(now);
  }
  void command(const robot::Command& command) {
    EXPECT_EQ(robot->execute(command, {}).state, robot::Reply::State::accepted);
  }
  void change_reality() { ASSERT_TRUE(robot->set_reality(*sim::find_reality("mismatched"))); }
  [[nodiscard]] bool stays() {
    const Vec2 before = robot->truth().position();
    drive(1.9);
    return distance(robot->truth().position(), before) < 1e-3;
  }

  sim::Setting inputs;
  std::unique_ptr<TouringRobot> robot;
  RobotTime now;
};

TEST(TouringRobot, TellsWhatItsLasersSeeByOptionOnly) {
  Tour without;
  EXPECT_FALSE(without.robot->look(without.now)->scan);
  auto made = TouringRobot::make(without.inputs, 1, {}, {.live_scan = true});
  ASSERT_TRUE(made);
  const auto scan = (*made)->look(RobotTime{} + from_seconds(2))->scan;
  ASSERT_TRUE(scan);
  const auto n_empty = std::count(scan->ranges.begin(), scan->ranges.end(), robot::LiveScan::kNothing);
  EXPECT_LT(n_empty, static_cast<std::ptrdiff_t>(scan->ranges.size()) / 2);
  const auto simulated = make_simulated_robot(without.inputs, 1, {}, {.live_scan = true});
  ASSERT_TRUE(simulated);
  EXPECT_TRUE((*simulated)->look(RobotTime{} + from_seconds(2))->scan);
}

TEST(TouringRobot, WithoutALaserTheOptionIsRefused) {
  Tour tour;
  tour.inputs.robot.sensors.clear();
  const auto touring = TouringRobot::make(tour.inputs, 1, {}, {.live_scan = true});
  const auto simulated = make_simulated_robot(tour.inputs, 1, {}, {.live_scan = true});
  ASSERT_FALSE(touring);
  ASSERT_FALSE(simulated);
  EXPECT_NE(touring.error().message.find("has none"), std::string::npos) << touring.error().message;
  EXPECT_EQ(simulated.error().message, touring.error().message);
}

TEST(TouringRobot, DrivesByItsOwnLocalization) {
  const Tour given;
  auto made = TouringRobot::make(given.inputs, 1, {}, {.pose_source = PoseSource::localized});
  ASSERT_TRUE(made) << made.error().message;
  TouringRobot& robot = **made;
  for (int second = 2; second < 30; second += 2) robot.drive_to(RobotTime{} + from_seconds(second));
  ASSERT_TRUE(robot.set_reality(*sim::find_reality("mismatched")));
  robot.drive_to(RobotTime{} + from_seconds(31));
  const robot::Report report = robot.report();
  const double off = distance(report.state.pose.position(), robot.truth().position());
  EXPECT_GT(off, 0);
  EXPECT_LT(off, 0.2) << "given poses of this level are off by 5 cm on each axis, and this one is not told";
  EXPECT_NE(report.error.sigma_x, report.error.sigma_y);
}

TEST(TouringRobot, AHandIsHeldBackBeforeItTouchesAnythingUnlessTheGuardIsOff) {
  const Tour given;
  for (const bool guard : {true, false}) {
    auto made = TouringRobot::make(given.inputs, 1, {}, {.guards_hand = guard});
    ASSERT_TRUE(made) << made.error().message;
    TouringRobot& robot = **made;
    EXPECT_FALSE(robot.report().hindrance.has_value());
    robot.execute({.kind = CommandKind::drive, .velocity = {1, 0, 0}}, {});
    // to the end of the corridor
    bool held_back = false, touched = false;
    for (int i = 1; i < 1000; ++i) {
      robot.drive_to(RobotTime{} + from_seconds(0.1 * i));
      const auto hindrance = robot.report().hindrance;
      held_back = held_back || (hindrance && hindrance->held_back);
      touched = touched || (hindrance && hindrance->contact);
    }
    EXPECT_EQ(held_back, guard);
    EXPECT_EQ(touched, !guard);
  }
}

TEST(TouringRobot, ANewRealityLeavesItTheGoalThatItHas) {
  Tour tour;
  const auto of_tour = tour.robot->report().goal;
  ASSERT_TRUE(of_tour);
  tour.change_reality();
  EXPECT_EQ(tour.robot->report().goal, of_tour);
  tour.command({.kind = CommandKind::goal, .goal = kPlace});
  tour.change_reality();
  EXPECT_EQ(tour.robot->report().goal, kPlace);
  tour.change_reality();
  EXPECT_EQ(tour.robot->report().goal, kPlace) << "also the second time";
}

TEST(TouringRobot, ANewRealityDoesNotSetItGoing) {
  Tour tour;
  const robot::Command drive{.kind = CommandKind::drive, .velocity = {0.2, 0, 0}};
  tour.command({.kind = CommandKind::goal, .goal = kPlace});
  for (const robot::Command& last :
       {robot::Command{.kind = CommandKind::cancel}, robot::Command{.kind = CommandKind::drive},
        robot::Command{.kind = CommandKind::stop}, drive}) {
    tour.command(drive);
    tour.drive(0.2);
    tour.command(last);
    if (last.velocity == robot::Twist{}) tour.drive(1.9);  // it has come to rest
    tour.change_reality();
    EXPECT_TRUE(tour.stays()) << to_string(last.kind);
    EXPECT_FALSE(tour.robot->report().goal);
    EXPECT_EQ(tour.robot->report().motors == robot::MotorState::stopped, last.kind == CommandKind::stop);
  }
}

}  // namespace
}  // namespace forerun::serve
