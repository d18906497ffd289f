// A robot whose control system Forerun does not know is predicted best with a copy of that control system (PSS-11).
#include <gtest/gtest.h>

#include "examples/pure_pursuit.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/extrapolation.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

using examples::PurePursuit;

constexpr Duration kAhead = from_seconds(6);

sim::Scenario errand() {
  sim::Scenario scenario;
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"east", {7.5, 1}, 2}, {"west", {2, 4.5}, 0}};
  return scenario;
}

// Everybody knows how fast it drives: what differs is only who decides.
robot::Description make_slow_robot() {
  robot::Description robot = make_hall_robot();
  robot.limits.max_speed = examples::PurePursuitParams{}.speed_mps;
  return robot;
}

// The pure-pursuit robot on its errand, and two copies of it.
struct Errand {
  explicit Errand(const sim::Reality& reality)
      : truth(sim::make_model({make_hall(), make_slow_robot(), errand(), reality}, 5)),
        own(truth->planning, truth->robot),
        loop(*truth, own),
        model(make_replica_model(make_hall(), make_slow_robot())),
        navigator(model->planning, model->robot),
        copy(model->planning, model->robot),
        with_navigator(*model, navigator),
        with_copy(*model, copy) {}

  Result<sim::Model> truth;
  PurePursuit own;
  sim::Loop loop;
  Result<ReplicaModel> model;
  navigate::Navigator navigator;
  PurePursuit copy;
  Replica with_navigator;
  Replica with_copy;
};

TEST(OwnControlSystem, NobodyCopiesARobotThatNamesOneWhichIsNotKnown) {
  robot::Description robot = make_hall_robot();
  robot.control_system = "magic";
  const auto model = make_replica_model(make_hall(), robot);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "there is no control system \"magic\": known are navigator");
}

Vec2 run_ahead(Replica& replica, const robot::Report& report) {
  replica.resync(report);
  replica.advance(report.time + kAhead);
  return replica.state().pose.position();
}

TEST(OwnControlSystem, DrivesTheRobotToItsGoals) {
  Errand run(sim::kNoisy);
  while (!run.loop.finished() && to_seconds(run.loop.time()) < 200) run.loop.step();
  EXPECT_EQ(run.loop.executive().state(), robot::TaskState::done);
  EXPECT_EQ(run.loop.statistics().collisions, 0);
  EXPECT_LT(distance(run.loop.truth().pose.position(), {2, 4.5}), 0.2);
}

TEST(OwnControlSystem, RefusesGoalsWhereNoRobotCanStand) {
  Errand run(sim::kExact);
  EXPECT_FALSE(run.own.set_goal(Vec2{6, 2}));
  EXPECT_FALSE(run.own.can_reach_goal_from({1.5, 1.5}));
  EXPECT_TRUE(run.own.set_goal(Vec2{11, 1}));  // inside the closed cell
  EXPECT_FALSE(run.own.can_reach_goal_from({1.5, 1.5}));
  EXPECT_TRUE(run.own.set_goal(std::nullopt));
}

TEST(OwnControlSystem, PredictsItsRobotBest) {
  Errand run(sim::kNoisy);
  double constant_velocity = 0, with_navigator = 0, with_copy = 0;
  int n = 0;
  for (; !run.loop.finished() && to_seconds(run.loop.time()) < 200; ++n) {
    const robot::Report report = sim::make_report(run.loop, {});
    const Vec2 straight_on = extrapolate(report, kAhead).pose.position();
    const Vec2 as_navigator = run_ahead(run.with_navigator, report), as_copy = run_ahead(run.with_copy, report);
    while (run.loop.time() < report.time + kAhead) run.loop.step();
    const Vec2 truth = run.loop.truth().pose.position();
    constant_velocity += distance(straight_on, truth);
    with_navigator += distance(as_navigator, truth);
    with_copy += distance(as_copy, truth);
  }
  ASSERT_GT(n, 8);
  EXPECT_LT(with_copy, 0.25 * constant_velocity);
  EXPECT_LT(with_copy, 0.25 * with_navigator);
  EXPECT_LT(with_copy / n, 0.1);  // [m]
}

TEST(OwnControlSystem, DecidesAndPredictsWithoutAllocating) {
  Errand run(sim::kNoisy);
  const AllocationCounter allocations;
  for (int i = 0; i < 2000; ++i) run.loop.step();
  EXPECT_GT(run_ahead(run.with_copy, sim::make_report(run.loop, {})).x, 1.5);
  EXPECT_EQ(allocations.count(), 0U);
}

}  // namespace
}  // namespace forerun::predict
