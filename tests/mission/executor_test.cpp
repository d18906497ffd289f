#include "forerun/mission/executor.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/trial.hpp"
#include "tests/mission/hall_mission.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::mission {
namespace {

struct Hall {
  robot::Description robot = for_missions(make_hall_robot());
  Mission mission = make_hall_mission();
  Result<RehearsedWorld> known = make_rehearsed_world(make_hall(), robot);

  [[nodiscard]] sim::Model model(const sim::Reality& reality, std::uint64_t seed = 1) const {
    sim::Scenario scenario;
    scenario.start = mission.path.front().pose;
    auto made = sim::make_model({make_hall(), robot, scenario, reality}, seed);
    return std::move(*made);
  }
  [[nodiscard]] Trial run(const sim::Reality& reality, std::uint64_t seed, const Fault& fault = {}) const {
    return run_trial(mission, *known, model(reality, seed), {}, fault);
  }
};

const Hall& hall() {
  static const Hall the_hall;
  return the_hall;
}

TEST(Executor, KeepsAWorseRobotNearThePath) {
  for (const sim::Reality& reality : {sim::kNoisy, sim::kMismatched}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Trial trial = hall().run(reality, seed);
      EXPECT_EQ(trial.state, MissionState::done) << reality.name << " " << seed << ": " << trial.why;
      // localization errs by 5 cm in every direction, and nothing tells the robot
      EXPECT_LT(trial.cross_track_rms_m, reality.pose_error > 0 ? 0.1 : 0.03) << reality.name << " " << seed;
      EXPECT_EQ(trial.collisions, 0);
    }
  }
}

TEST(Executor, AWheelThatSlipsALittleIsSteeredAgainst) {
  const Trial trial = hall().run(sim::kExact, 1, {.kind = FaultKind::slip, .at_s = 2, .part = 0, .grip = 0.985});
  EXPECT_EQ(trial.state, MissionState::done) << trial.why;
  EXPECT_LT(trial.cross_track_max_m, 0.05);
}

TEST(Executor, HandsBackEveryPlantedDeparture) {
  const struct {
    Fault fault;
    Departure expected;
  } kCases[] = {
      {{.kind = FaultKind::obstacle, .at_s = 12}, Departure::blocked},
      {{.kind = FaultKind::localization_jump, .at_s = 8, .jump = {0, 0.6, 0}}, Departure::off_path},
      {{.kind = FaultKind::localization_jump, .at_s = 8, .jump = {0, 0, 0.5}}, Departure::off_path},
      {{.kind = FaultKind::slip, .at_s = 3, .part = 0, .grip = 0.7}, Departure::calibration_drifted},
      {{.kind = FaultKind::slip, .at_s = 3, .part = 1, .grip = 0.8}, Departure::calibration_drifted},
      {{.kind = FaultKind::blind_sensor, .at_s = 5, .part = 0}, Departure::sensors_disagree},
      {{.kind = FaultKind::stuck_sensor, .at_s = 5, .part = 0}, Departure::sensors_disagree},
      {{.kind = FaultKind::silent_sensor, .at_s = 5, .part = 1}, Departure::sensors_disagree},
  };
  for (const auto& [fault, expected] : kCases) {
    for (const sim::Reality& reality : {sim::kExact, sim::kMismatched}) {
      const Trial trial = hall().run(reality, 3, fault);
      EXPECT_EQ(trial.state, MissionState::handed_back) << to_string(fault.kind) << " " << reality.name;
      EXPECT_EQ(trial.departure, expected) << to_string(fault.kind) << " " << reality.name << ": " << trial.why;
      EXPECT_TRUE(trial.fault_in_effect);
      EXPECT_EQ(trial.collisions, 0) << to_string(fault.kind) << " " << reality.name;
      EXPECT_FALSE(trial.why.empty());
    }
  }
}

// A loop with the executor as its control system, as a server has it.
struct Drive {
  Drive() : model(hall().model(sim::kExact)), executor(hall().mission, *hall().known), loop(model, executor) {}
  void run(double seconds) {
    const RobotTime end = loop.time() + from_seconds(seconds);
    while (loop.time() < end) loop.step();
  }
  sim::Model model;
  MissionExecutor executor;
  sim::Loop loop;
};

TEST(Executor, MovesOnlyWhenItWasStarted) {
  Drive drive;
  drive.run(2);
  EXPECT_EQ(drive.executor.state(), MissionState::ready);
  EXPECT_EQ(drive.loop.plant().path_length(), 0);
  EXPECT_TRUE(drive.executor.start());
  drive.run(5);
  EXPECT_GT(drive.loop.plant().path_length(), 0.5);
}

TEST(Executor, StandsWhenItIsHeldAndGoesOnOnlyWhenTold) {
  Drive drive;
  drive.executor.start();
  drive.run(6);
  drive.executor.hold();
  drive.run(2);
  const double before = drive.loop.plant().path_length();
  drive.run(10);
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  EXPECT_EQ(drive.loop.plant().path_length(), before);
  EXPECT_TRUE(drive.executor.start());
  drive.run(hall().mission.path.back().time);
  EXPECT_EQ(drive.executor.state(), MissionState::done) << drive.executor.describe();
  EXPECT_FALSE(drive.executor.start());
}

TEST(Executor, WhatIsStillOffThePathHandsBackAgain) {
  Drive drive;
  drive.executor.start();
  drive.run(4);
  drive.executor.hold();
  drive.run(2);
  // an operator drives it aside
  EXPECT_EQ(drive.loop.command({robot::CommandKind::drive, {}, {0, 0, 1}}), sim::CommandOutcome::accepted);
  drive.run(1.5);
  drive.loop.command({robot::CommandKind::drive, {}, {0.3, 0, 0}});
  drive.run(2.5);
  drive.loop.command({robot::CommandKind::drive, {}, {}});
  drive.run(1);
  drive.executor.start();
  drive.run(1);
  EXPECT_EQ(drive.executor.state(), MissionState::handed_back);
  EXPECT_EQ(drive.executor.departure(), Departure::off_path) << drive.executor.describe();
}

// Puts something before the front laser for a while.
class Visitor final : public navigate::ControlSystem {
 public:
  explicit Visitor(MissionExecutor& executor) : executor_(executor) {}
  bool set_goal(std::optional<Vec2>) noexcept override { return true; }
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return false; }
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override {
    sense::Readings readings = percept.readings;
    if (there) {
      for (std::size_t b = 75; b < 105; ++b) readings.sensors[0].values[b] = 0.35f;
    }
    return executor_.decide({percept.time, percept.pose, percept.odometry, percept.velocity, readings});
  }
  bool there = false;

 private:
  MissionExecutor& executor_;
};

TEST(Executor, WaitsForWhoeverGoesAwayAndHandsBackForWhoStays) {
  for (const bool stays : {false, true}) {
    const sim::Model model = hall().model(sim::kExact);
    MissionExecutor executor(hall().mission, *hall().known);
    Visitor visitor(executor);
    sim::Loop loop(model, visitor);
    const auto run = [&](double seconds) {
      for (const RobotTime end = loop.time() + from_seconds(seconds); loop.time() < end;) loop.step();
    };
    executor.start();
    run(4);
    visitor.there = true;
    run(4);
    EXPECT_LT(loop.truth().velocity.vx, 0.01);
    run(16);
    EXPECT_EQ(executor.state(), MissionState::running) << executor.describe();
    visitor.there = stays;
    run(hall().mission.path.back().time);
    EXPECT_EQ(executor.state(), stays ? MissionState::handed_back : MissionState::done) << executor.describe();
    EXPECT_EQ(executor.departure(), stays ? Departure::blocked : Departure::none);
  }
}

TEST(Executor, DecidesWithoutAllocating) {
  Drive drive;
  drive.executor.start();
  drive.run(1);
  const AllocationCounter counter;
  drive.run(3);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::mission
