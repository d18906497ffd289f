// How a robot has been seen to drive.
#include "forerun/predict/manners.hpp"

#include <gtest/gtest.h>

namespace forerun::predict {
namespace {

constexpr double kTopSpeed = 0.5;  // [m/s]

// On its way to a goal 5 m away.
robot::Report under_way(double speed, double turn_rate) {
  robot::Report report;
  report.state.velocity = {speed, 0, turn_rate};
  report.task = robot::TaskState::driving;
  report.goal = Vec2{5, 0};
  return report;
}

double bend_speed_after(int times, const robot::Report& report, bool held_up = false) {
  Manners manners;
  for (int i = 0; i < times; ++i) manners.take_in(report, kTopSpeed, held_up);
  return manners.bend_speed();
}

TEST(Manners, LearnHowFastARobotTakesBends) {
  EXPECT_EQ(Manners().bend_speed(), 1);
  EXPECT_NEAR(bend_speed_after(3, under_way(0.3, -0.2)), 0.8, 1e-9);  // the first three count as three did before
  EXPECT_NEAR(bend_speed_after(60, under_way(0.3, 0.2)), 0.6, 0.01);
  EXPECT_EQ(bend_speed_after(60, under_way(0.55, 0.2)), 1);
}

TEST(Manners, OnlyBendsSayHowFastARobotTakesThem) {
  EXPECT_EQ(bend_speed_after(60, under_way(0.3, 0.05)), 1);
  EXPECT_EQ(bend_speed_after(60, under_way(0.02, 0.5)), 1);  // turns on the spot
  EXPECT_EQ(bend_speed_after(60, under_way(0.3, 0.2), true), 1);
  robot::Report arriving = under_way(0.3, 0.2);
  arriving.goal = Vec2{1, 0};
  EXPECT_EQ(bend_speed_after(60, arriving), 1);
}

TEST(Manners, LearnHowFastARobotTurnsOnTheSpot) {
  Manners manners;
  EXPECT_EQ(manners.turn_rate(), 0);
  for (int i = 0; i < 10; ++i) manners.take_in(under_way(0, -0.55), kTopSpeed, false);
  EXPECT_NEAR(manners.turn_rate(), 0.55, 1e-9);
}

}  // namespace
}  // namespace forerun::predict
