// Actions at waypoints: the robot stands there until they are done, and hands back where they are not.
#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/mission/drive_loop.hpp"
#include "forerun/mission/executor.hpp"
#include "forerun/mission/make_mission.hpp"
#include "forerun/mission/trial.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "tests/mission/hall_mission.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::mission {
namespace {

// Something is done half way, and something at the end.
Mission make_acting_mission(const std::string& first, const std::string& last) {
  RecordedPath path = record_in_hall({{"there", {8.5, 4}, 1}, {"on", {11, 4.5}, 0}});
  const auto half = std::find_if(path.begin(), path.end(), [](const PathPoint& p) { return p.waypoint; });
  half->action = first;
  path.back().action = last;
  const robot::Description robot = make_hall_robot();
  auto made = make_mission("acts", apply_cuts(path, {}), make_hall(), robot);
  EXPECT_TRUE(made) << made.error().message;
  return made->mission;
}

struct Drive {
  explicit Drive(const std::string& first = "photo", const ExecutorParams& params = {})
      : mission(make_acting_mission(first, "open-gripper")), executor(mission, *known, params) {
    sim::Scenario scenario;
    scenario.start = mission.path.front().pose;
    model = *sim::make_model({make_hall(), robot, scenario, sim::kExact}, 1);
    loop.emplace(*model, executor);
    executor.start();
  }
  void run(double seconds) {
    for (const RobotTime end = loop->time() + from_seconds(seconds); loop->time() < end;) loop->step();
  }
  // Until it is about an action, or stops.
  void run_to_action() {
    for (int i = 0; i < 3000 && !executor.doing() && executor.state() == MissionState::running; ++i) run(0.05);
  }
  [[nodiscard]] std::string doing() const { return executor.doing() ? executor.doing()->action->name : ""; }

  robot::Description robot = for_missions(make_hall_robot());
  Result<RehearsedWorld> known = make_rehearsed_world(make_hall(), robot);
  Mission mission;
  std::optional<sim::Model> model;
  MissionExecutor executor;
  std::optional<sim::Loop> loop;
};

TEST(ExecutorActions, TheRobotStandsUntilTheyAreDone) {
  Drive drive;
  ASSERT_EQ(drive.mission.actions.size(), 2u);
  drive.run_to_action();
  ASSERT_EQ(drive.doing(), "photo");
  EXPECT_LT(drive.loop->truth().velocity.vx, 0.03);
  const TimedPoint planned = point_at(drive.mission.path, drive.mission.actions[0].time);
  EXPECT_LT(distance(drive.loop->truth().pose.position(), planned.pose.position()), 0.05);
  const double before = drive.loop->plant().path_length();
  drive.run(60);
  EXPECT_EQ(drive.doing(), "photo");
  EXPECT_NEAR(drive.loop->plant().path_length(), before, 0.01);
  EXPECT_EQ(action_at(drive.mission.actions, drive.executor.tracker().time()), &drive.mission.actions[0]);
  drive.executor.end_action(true);
  EXPECT_EQ(action_at(drive.mission.actions, drive.executor.tracker().time()), nullptr);
  drive.run_to_action();
  EXPECT_EQ(drive.doing(), "open-gripper");
  drive.executor.end_action(true);
  EXPECT_EQ(action_at(drive.mission.actions, drive.executor.tracker().time()), nullptr);
  drive.run(1);
  EXPECT_EQ(drive.executor.state(), MissionState::done) << drive.executor.describe();
  EXPECT_EQ(drive.executor.done_actions().size(), 2u);
}

TEST(ExecutorActions, AFailureHandsBackAndIsTriedAgain) {
  Drive drive;
  drive.run_to_action();
  drive.executor.end_action(false, "the lens is dirty");
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  EXPECT_EQ(drive.executor.departure(), Departure::action_failed);
  EXPECT_EQ(drive.executor.describe(), "the action photo failed: the lens is dirty");
  drive.executor.end_action(true);  // too late
  drive.run(2);
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  ASSERT_TRUE(drive.executor.start(drive.loop->truth().pose));
  drive.run_to_action();
  EXPECT_EQ(drive.doing(), "photo");
}

TEST(ExecutorActions, WhatNobodyDoesIsGivenUp) {
  Drive drive("photo", {.action_limit_s = 5});
  drive.run_to_action();
  drive.run(4.8);
  EXPECT_EQ(drive.executor.state(), MissionState::running);
  drive.run(0.4);
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  EXPECT_EQ(drive.executor.departure(), Departure::action_not_done);
  EXPECT_EQ(drive.executor.describe(), "nobody has done the action photo within 5 s");
}

TEST(ExecutorActions, HoldWaitsForTheOperator) {
  Drive drive("hold");
  drive.run_to_action();
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  EXPECT_EQ(drive.executor.departure(), Departure::held);
  ASSERT_TRUE(drive.executor.start(drive.loop->truth().pose));
  drive.run_to_action();
  EXPECT_EQ(drive.doing(), "open-gripper");
}

TEST(ExecutorActions, WhoTakesOverMeanwhileEndsThem) {
  Drive drive;
  drive.run_to_action();
  drive.executor.hold();
  EXPECT_FALSE(drive.executor.doing());
  drive.executor.end_action(true);
  EXPECT_TRUE(drive.executor.done_actions().empty());
}

// Farther along its path than where the action was to be done: it comes back to it.
TEST(ExecutorActions, NoneIsPassedBy) {
  Drive drive;
  drive.run_to_action();
  drive.executor.hold();
  const double time = drive.mission.actions[0].time;
  const TimedPoint beyond = point_at(drive.mission.path, time + 2);
  EXPECT_LE(drive.executor.nearest_start(beyond.pose).time, time);
}

TEST(ExecutorActions, AreDecidedWithoutAllocating) {
  Drive drive;
  drive.run_to_action();
  const AllocationCounter counter;
  drive.run(1);
  drive.executor.end_action(false, "no");
  drive.executor.start();
  drive.run(2);
  EXPECT_EQ(counter.count(), 0u);
}

// How many do not hang a rehearsal: each takes its moment.
TEST(ExecutorActions, ARehearsalHasTimeForAll) {
  Mission mission = make_acting_mission("photo", "look");
  for (int i = 0; i < 200; ++i) {
    TimedPoint point = mission.path.back();
    point.time += 0.05;
    mission.path.push_back(point);
    mission.actions.push_back({point.time, "look"});
  }
  const auto trial = rehearse(mission, make_hall(), make_hall_robot());
  ASSERT_TRUE(trial) << trial.error().message;
  EXPECT_EQ(trial->state, MissionState::done) << trial->why;
}

// Stands where the path leads, but for what is wrong: no simulator, so that it can stand anywhere.
struct Place {
  Place() : readings(sense::make_readings(known->robot)) {
    executor.start();
    pose = mission.path.front().pose;
  }
  void drive_to_stop() {
    while (!executor.tracker().is_at_stop() && to_seconds(now) < 100) decide_for(0.05);
  }
  // The path's clock goes on, and the robot is where it leads, so far to its left.
  void decide_for(double seconds) {
    for (const RobotTime end = now + from_seconds(seconds); now < end;) {
      now += from_seconds(0.05);
      for (sense::Reading& reading : readings.sensors) {
        reading.time = now;
        reading.odometry = pose;
        reading.values[0] = something_ahead ? 0.3f : static_cast<float>(kInfinity);
      }
      robot::Twist velocity = executor.tracker().reference().velocity;
      velocity.vx += drift;
      (void)executor.decide({now, pose, pose, velocity, readings});
      const Pose2& there = executor.tracker().reference().pose;
      const Vec2 place = Transform2(there) * Vec2{0, to_left};
      pose = {place.x, place.y, there.theta};
    }
  }

  robot::Description robot = [] {
    robot::Description with_sonar = for_missions(make_hall_robot());
    with_sonar.sensors = {robot::SonarRing{.count = 1}};
    return with_sonar;
  }();
  Result<RehearsedWorld> known = make_rehearsed_world(make_hall(), robot);
  Mission mission = make_acting_mission("photo", "look");
  MissionExecutor executor{mission, *known};
  sense::Readings readings;
  RobotTime now{from_seconds(1).ns};
  Pose2 pose;
  double drift = 0;  // it is pushed, and says so [m/s]
  double to_left = 0;
  bool something_ahead = false;
};

TEST(ExecutorActions, BeginNotQuiteThereButNotElsewhere) {
  for (const bool near : {true, false}) {
    Place place;
    place.decide_for(0.1);
    place.to_left = near ? 0.06 : 0.15;
    place.drive_to_stop();
    place.decide_for(1);
    EXPECT_FALSE(place.executor.doing());
    place.decide_for(1.5);
    EXPECT_EQ(place.executor.doing().has_value(), near);
    place.decide_for(10);
    EXPECT_EQ(place.executor.doing().has_value(), near);
    EXPECT_EQ(place.executor.departure(), near ? Departure::none : Departure::off_path);
  }
}

TEST(ExecutorActions, DoNotBeginWhileTheRobotMoves) {
  Place place;
  place.decide_for(0.1);
  place.drift = 0.1;
  place.drive_to_stop();
  place.decide_for(10);
  EXPECT_FALSE(place.executor.doing());
  EXPECT_EQ(place.executor.state(), MissionState::running) << place.executor.describe();
  place.decide_for(120);
  EXPECT_EQ(place.executor.departure(), Departure::action_not_done) << "not for ever";
}

TEST(ExecutorActions, DoNotBeginWhileSomethingKeepsTheRobotFromTheirPlace) {
  for (const bool goes : {true, false}) {
    Place place;
    place.decide_for(0.1);
    place.to_left = 0.06;
    place.drive_to_stop();
    place.something_ahead = true;
    place.decide_for(15);
    EXPECT_FALSE(place.executor.doing());
    EXPECT_EQ(place.executor.state(), MissionState::running) << place.executor.describe();
    place.something_ahead = !goes;
    place.decide_for(20);
    EXPECT_EQ(place.executor.doing().has_value(), goes);
    EXPECT_EQ(place.executor.departure(), goes ? Departure::none : Departure::blocked);
  }
}

// A simulated robot pretends them; who rehearses goes on after a hold.
TEST(ExecutorActions, ARehearsalGetsToItsEnd) {
  for (const char* first : {"photo", "hold"}) {
    const Mission mission = make_acting_mission(first, "hold");
    const auto trial = rehearse(mission, make_hall(), make_hall_robot());
    ASSERT_TRUE(trial) << trial.error().message;
    EXPECT_EQ(trial->state, MissionState::done) << first << ": " << trial->why;
  }
}

TEST(ExecutorActions, APilotsSimulatedRobotPretendsThem) {
  const world::World world = make_hall();
  const robot::Description robot = make_hall_robot();
  const Mission mission = make_acting_mission("photo", "hold");
  sim::Scenario scenario;
  scenario.start = mission.path.front().pose;
  const auto model = sim::make_model({world, robot, scenario, sim::kExact}, 1);
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control);
  Pilot pilot(world, robot);
  ASSERT_EQ(pilot.give(7, mission).state, robot::Reply::State::accepted);
  const robot::Command start{.kind = robot::CommandKind::start, .mission = 7};
  ASSERT_EQ(start_on(loop, start, pilot).state, robot::Reply::State::accepted);
  const auto run = [&] {
    for (int i = 0; i < 20000 && pilot.is_running(); ++i) {
      loop.step();
      settle(loop, pilot);
    }
  };
  run();
  EXPECT_EQ(pilot.status()->departure, Departure::held) << pilot.describe();
  EXPECT_EQ(pilot.executor()->done_actions().size(), 2u);
  ASSERT_EQ(start_on(loop, start, pilot).state, robot::Reply::State::accepted);
  run();
  EXPECT_EQ(pilot.status()->state, MissionState::done) << pilot.describe();
}

}  // namespace
}  // namespace forerun::mission
