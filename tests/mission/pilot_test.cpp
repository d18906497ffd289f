// A mission between an operator's commands and the robot's loop.
#include "forerun/mission/pilot.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/drive_loop.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/report.hpp"
#include "tests/mission/hall_mission.hpp"

namespace forerun::mission {
namespace {

using robot::CommandKind;
using robot::Reply;

constexpr std::uint64_t kNumber = 7;

struct Robot {
  explicit Robot(double turned = 0) {
    sim::Scenario scenario;
    scenario.start = mission.path.front().pose;
    scenario.start.theta += turned;
    model = *sim::make_model({world, robot, scenario, sim::kNoisy}, 1);
    control = navigate::make_own_control_system(model->planning, model->robot);
    loop.emplace(*model, *control);
  }
  Reply start(std::uint64_t number = kNumber, std::uint16_t starts = robot::kAnyStart) {
    return start_on(*loop, {.kind = CommandKind::start, .mission = number, .starts = starts}, pilot);
  }
  void drive(double seconds) {
    const RobotTime end = loop->time() + from_seconds(seconds);
    while (loop->time() < end) loop->step();
  }
  void command(const robot::Command& command) {
    loop->command(command);
    settle(*loop, pilot);
  }
  [[nodiscard]] MissionState state() const { return pilot.status()->state; }
  [[nodiscard]] double off_end() const {
    return distance(loop->truth().pose.position(), mission.path.back().pose.position());
  }
  void begin() {
    ASSERT_EQ(pilot.give(kNumber, mission).state, Reply::State::accepted);
    ASSERT_EQ(start().state, Reply::State::accepted);
  }

  world::World world = make_hall();
  robot::Description robot = make_hall_robot();
  Mission mission = make_hall_mission();
  Pilot pilot{world, robot};
  std::optional<sim::Model> model;
  std::unique_ptr<navigate::ControlSystem> control;
  std::optional<sim::Loop> loop;
};

TEST(Pilot, DrivesAMissionToItsEndAndReportsIt) {
  Robot robot;
  EXPECT_FALSE(robot.pilot.status());
  robot.begin();
  robot.drive(3);
  robot::Report report = sim::make_report(*robot.loop, {});
  robot.pilot.apply(report);
  ASSERT_TRUE(report.mission);
  EXPECT_EQ(report.mission->number, kNumber);
  EXPECT_EQ(report.mission->state, MissionState::running);
  EXPECT_NEAR(report.mission->time, 3, 0.5);
  EXPECT_EQ(report.task, robot::TaskState::driving);
  EXPECT_EQ(report.goal, robot.mission.path.back().pose.position());
  ASSERT_TRUE(report.planned_path);
  robot.drive(robot.mission.path.back().time + 10);
  EXPECT_EQ(robot.state(), MissionState::done);
  EXPECT_LT(robot.off_end(), 0.1);
  EXPECT_EQ(robot.start().words.view(), "the mission is done");
}

TEST(Pilot, WhoeverTakesOverHasTheRobotUntilItIsToldToGoOn) {
  for (const CommandKind kind : {CommandKind::stop, CommandKind::cancel, CommandKind::drive, CommandKind::goal}) {
    Robot robot;
    robot.begin();
    robot.drive(4);
    robot.command({.kind = kind, .goal = robot.loop->reported_pose().position()});
    EXPECT_EQ(robot.state(), MissionState::handed_back) << to_string(kind);
    EXPECT_EQ(robot.pilot.status()->departure, Departure::none);
    robot.drive(2);
    const Vec2 rest = robot.loop->truth().pose.position();
    robot.drive(5);
    EXPECT_LT(distance(robot.loop->truth().pose.position(), rest), 0.02) << "nothing but a start makes it move";
    ASSERT_EQ(robot.start().state, Reply::State::accepted) << to_string(kind);
    robot.drive(robot.mission.path.back().time + 10);
    EXPECT_EQ(robot.state(), MissionState::done) << robot.pilot.describe();
    EXPECT_LT(robot.off_end(), 0.1);
  }
}

TEST(Pilot, TurnsToItsPathFirst) {
  for (const double turned : {kPi, -2.0, 0.5}) {
    Robot robot(turned);
    robot.begin();
    robot.drive(robot.mission.path.back().time + 20);
    EXPECT_EQ(robot.state(), MissionState::done) << turned << ": " << robot.pilot.describe();
    EXPECT_LT(robot.off_end(), 0.1);
  }
}

TEST(Pilot, RefusesWithAReason) {
  Robot robot;
  EXPECT_EQ(robot.start().words.view(), "it does not have this mission");
  Mission others = robot.mission;
  others.fingerprint ^= 1;
  EXPECT_EQ(robot.pilot.give(kNumber, others).words.view(), "the mission was made for another robot");
  Mission leaping = robot.mission;
  leaping.path.back().pose.x += 1;
  EXPECT_EQ(robot.pilot.give(kNumber, leaping).words.view(), "the mission asks for more speed than it has");
  Mission racing = robot.mission;
  racing.path[40].velocity.w = 30;
  EXPECT_EQ(robot.pilot.give(kNumber, racing).words.view(), "the mission asks for more speed than it has");
  Mission outside = robot.mission;
  for (TimedPoint& point : outside.path) point.pose.x += 100;
  EXPECT_EQ(robot.pilot.give(kNumber, outside).words.view().substr(0, 35), "its path leads through something at");
  Mission through = robot.mission;
  for (TimedPoint& point : through.path) point.pose.y -= 1.5;
  const Reply walled = robot.pilot.give(kNumber, through);
  EXPECT_EQ(walled.words.view().substr(0, 35), "its path leads through something at");
  EXPECT_FALSE(robot.pilot.status()) << "nothing of it stays";

  robot.begin();
  robot.drive(2);
  EXPECT_EQ(robot.pilot.give(kNumber + 1, robot.mission).words.view(), "another mission is under way");
  EXPECT_EQ(robot.pilot.give(kNumber, robot.mission).state, Reply::State::accepted) << "the same one once more";
  EXPECT_EQ(robot.state(), MissionState::running);
  EXPECT_EQ(robot.start().state, Reply::State::accepted) << "a start that came twice";
  EXPECT_EQ(robot.start(kNumber + 1).words.view(), "it does not have this mission");
}

// The answer to a start was lost, somebody stopped the robot, and the start is given once more.
TEST(Pilot, AStartThatWasGivenBeforeAnotherOneMovesNothing) {
  Robot robot;
  ASSERT_EQ(robot.pilot.give(kNumber, robot.mission).state, Reply::State::accepted);
  ASSERT_EQ(robot.start(kNumber, 0).state, Reply::State::accepted);
  EXPECT_EQ(robot.pilot.status()->starts, 1);
  EXPECT_EQ(robot.start(kNumber, 0).state, Reply::State::accepted) << "while it runs, it is the same one";
  EXPECT_EQ(robot.start(kNumber, 1).state, Reply::State::accepted) << "it runs already";
  EXPECT_EQ(robot.pilot.status()->starts, 1);
  robot.drive(2);
  robot.command({.kind = CommandKind::stop});
  EXPECT_EQ(robot.start(kNumber, 0).words.view(), "it has been started since");
  robot.drive(2);
  EXPECT_EQ(robot.state(), MissionState::handed_back);
  EXPECT_LT(std::fabs(robot.loop->truth().velocity.vx), 0.01);
  EXPECT_EQ(robot.start(kNumber, 1).state, Reply::State::accepted);
  EXPECT_EQ(robot.pilot.status()->starts, 2);
}

TEST(Pilot, AnotherMissionMayFollowOneThatIsOver) {
  Robot robot;
  robot.begin();
  robot.drive(robot.mission.path.back().time + 10);
  ASSERT_EQ(robot.state(), MissionState::done);
  settle(*robot.loop, robot.pilot);
  EXPECT_EQ(robot.loop->helm(), sim::Helm::goals) << "nothing of the old one is asked any more";
  ASSERT_EQ(robot.pilot.give(kNumber + 1, robot.mission).state, Reply::State::accepted);
  robot.drive(1);
  EXPECT_EQ(robot.state(), MissionState::ready);
}

// It runs on while it brakes, farther than a start allows for.
TEST(Pilot, GoesOnFromWhereAFastRobotCameToRest) {
  Robot robot;
  robot.begin();
  robot.drive(4);
  robot.loop->command({.kind = CommandKind::drive, .velocity = {0.5, 0, 0}});
  settle(*robot.loop, robot.pilot);
  robot.drive(1.2);
  robot.command({.kind = CommandKind::stop});
  robot.drive(1);
  const double stopped = robot.pilot.status()->time;
  ASSERT_EQ(robot.start().state, Reply::State::accepted) << robot.start().words.view();
  EXPECT_GT(robot.pilot.status()->time, stopped + 0.5);
  robot.drive(robot.mission.path.back().time + 10);
  EXPECT_EQ(robot.state(), MissionState::done) << robot.pilot.describe();
}

TEST(Pilot, LooksBetweenThePointsToo) {
  Robot robot;
  Mission sparse = robot.mission;  // straight through the wall, without a point in it
  const Pose2 from = sparse.path.front().pose, to = sparse.path.back().pose;
  const double time = 4 * distance(from.position(), to.position()) / robot.robot.limits.max_speed;
  sparse.path = {{0, from, {}}, {time, {to.x, to.y, from.theta}, {}}};
  EXPECT_EQ(robot.pilot.give(kNumber, sparse).words.view().substr(0, 35), "its path leads through something at");
  Mission endless = robot.mission;
  endless.path.push_back({2 * kLongestMission, endless.path.back().pose, {}});
  EXPECT_EQ(robot.pilot.give(kNumber, endless).words.view(), "the mission takes longer than an hour");
}

TEST(Pilot, StartsOnlyNearWhereThePathBegins) {
  Robot robot;
  ASSERT_EQ(robot.pilot.give(kNumber, robot.mission).state, Reply::State::accepted);
  robot.command({.kind = CommandKind::drive, .velocity = {0.3, 0, 0}});
  robot.drive(3);
  robot.command({.kind = CommandKind::stop});
  robot.drive(1);
  const std::string words(robot.start().words.view());
  EXPECT_NE(words.find("m from where the mission begins"), words.npos) << words;
  EXPECT_EQ(robot.state(), MissionState::ready);
}

}  // namespace
}  // namespace forerun::mission
