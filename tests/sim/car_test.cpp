// A robot that steers like a car drives, and never turns sharper than its wheels allow.
#include <gtest/gtest.h>

#include <cmath>

#include "forerun/predict/replica.hpp"
#include "tests/support/outings.hpp"

namespace forerun::sim {
namespace {

robot::Description make_car() {
  robot::Description robot = make_hall_robot();
  robot.drive = robot::make_car({.wheelbase = 0.3, .steering_limit = 0.6});
  return robot;
}

bool keeps_to_its_steering(const robot::Drive& drive, const robot::Twist& v) {
  return v.vy == 0 && std::fabs(v.w) <= std::fabs(v.vx) * drive.max_curvature + 1e-12;
}

TEST(CarLikeRobot, GetsToItsGoalsWithinItsSteering) {
  for (const Reality& reality : {kExact, kNoisy}) {
    Outing outing(reality, {{"east", {8, 4.5}, 1}, {"west", {2, 4.5}, 0}}, 1, make_car());
    while (!outing.loop->finished() && to_seconds(outing.loop->time()) < 200) {
      outing.loop->step();
      ASSERT_TRUE(keeps_to_its_steering(outing.model->robot.drive, outing.loop->decision().command));
      ASSERT_TRUE(keeps_to_its_steering(outing.model->robot.drive, outing.loop->truth().velocity));
    }
    EXPECT_EQ(outing.loop->executive().state(), navigate::TaskState::done) << reality.name;
    EXPECT_EQ(outing.loop->statistics().collisions, 0) << reality.name;
  }
}

TEST(CarLikeRobot, DoesNotTurnOnTheSpotByHand) {
  Outing outing(kExact, {}, 1, make_car());
  outing.drive({0, 0, 1});
  outing.run(2);
  EXPECT_EQ(outing.loop->truth().pose.theta, 0);
  outing.drive({0.3, 0, 5});
  outing.run(2);
  const robot::Twist& v = outing.loop->truth().velocity;
  EXPECT_NEAR(v.w, v.vx * outing.model->robot.drive.max_curvature, 1e-9);
}

TEST(CarLikeRobot, IsPredictedWithinItsSteering) {
  const auto model = predict::make_replica_model(make_hall(), make_car());
  ASSERT_TRUE(model);
  navigate::Navigator navigator(model->planning, model->robot);
  predict::Replica replica(*model, navigator);
  robot::Report report;
  report.state.pose = {3, 3, kPi};  // with its back to the goal
  report.goal = Vec2{8, 5};
  report.task = robot::TaskState::driving;
  replica.resync(report);
  for (int i = 1; i < 200; ++i) {
    replica.advance(RobotTime{} + from_seconds(0.1 * i));
    ASSERT_TRUE(keeps_to_its_steering(model->robot.drive, replica.state().velocity)) << i;
  }
  EXPECT_GT(distance(replica.state().pose.position(), {3, 3}), 1);
}

}  // namespace
}  // namespace forerun::sim
