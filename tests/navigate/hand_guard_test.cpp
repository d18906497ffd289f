#include "forerun/navigate/hand_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/navigate/dynamic_window.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/robot/motors.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::navigate {
namespace {

robot::Description make_robot() {
  robot::Description robot;
  robot.drive = robot::make_differential({});
  return robot;
}

robot::Description make_box() {
  robot::Description robot = make_robot();
  for (const Vec2 corner : {Vec2{0.3, 0.2}, Vec2{-0.3, 0.2}, Vec2{-0.3, -0.2}, Vec2{0.3, -0.2}}) {
    robot.footprint.corners.push_back(corner);
  }
  robot.footprint.radius = length(Vec2{0.3, 0.2});
  return robot;
}

robot::Description make_omni_robot() {
  robot::Description robot = make_robot();
  robot::OmniGeometry wheels;
  for (const double bearing : {60.0, 180.0, 300.0}) wheels.bearings.push_back(bearing * kPi / 180);
  robot.drive = robot::make_omni(wheels);
  return robot;
}

double speed_of(const robot::Twist& v) { return length(Vec2{v.vx, v.vy}); }

// A straight wall whose nearest point is `gap` beyond a disc's rim in this direction.
ObstacleField wall(const robot::Description& robot, double gap, double bearing) {
  std::vector<Vec2> points;
  const Vec2 toward = unit_vector(bearing);
  for (int i = -150; i <= 150; ++i) {
    points.push_back(toward * (robot.footprint.radius + gap) + left_normal(toward) * (0.02 * i));
  }
  ObstacleField field;
  field.update(points);
  return field;
}

AllowedHand allow(const robot::Description& robot, const robot::Twist& wanted, const ObstacleField& field) {
  return HandGuard(robot).allow({wanted, wanted}, wanted, field);
}

robot::Twist random_twist(const robot::Description& robot, Random& random) {
  const auto speed = [&] { return random.uniform(-1, 1) * robot.limits.max_speed; };
  return {speed(), robot.drive.can_strafe() ? speed() : 0, random.uniform(-1, 1) * robot.limits.max_turn_rate};
}

TEST(HandGuard, LeavesAHandAloneWhereNothingIsNear) {
  Random random(1, 1);
  ObstacleField far;
  far.update(std::vector<Vec2>{{3, 0}, {-3, 1}, {0, 3}});
  for (int i = 0; i < 200; ++i) {
    const robot::Twist wanted = random_twist(make_robot(), random);
    const AllowedHand allowed = allow(make_robot(), wanted, far);
    EXPECT_EQ(allowed.velocity, wanted);
    EXPECT_EQ(allowed.held_back, 0);
  }
}

// PSS-4: v ≤ −a T + √(a² T² + 2 a d), with the time that the motors take as part of T.
TEST(HandGuard, StraightAtAWallItIsTheDynamicWindowsRule) {
  robot::Description robot = make_robot();
  robot.limits.max_speed = 1;
  for (const double gap : {0.2, 0.35, 0.5, 0.7}) {
    // the fastest that may go on as it does
    double steady = 0, too_fast = 1;
    for (int i = 0; i < 20; ++i) {
      const double v = (steady + too_fast) / 2;
      (allow(robot, {v, 0, 0}, wall(robot, gap, 0)).held_back == 0 ? steady : too_fast) = v;
    }
    const double margin = 0.05 + 0.03 * steady;
    const double rule = stoppable_speed(gap - margin, 0.85 * robot.limits.deceleration, robot.control.period + 0.1);
    EXPECT_NEAR(steady, rule, 0.06 + 0.1 * rule) << gap;
    EXPECT_GT(steady, 0) << gap;
  }
}

TEST(HandGuard, IsNeverFasterThanTheHand) {
  Random random(7, 1);
  for (const robot::Description& robot : {make_robot(), make_box(), make_omni_robot()}) {
    HandGuard guard(robot);
    int held = 0;
    for (int i = 0; i < 1500; ++i) {
      std::vector<Vec2> points;
      for (int k = 0; k < 12; ++k) points.push_back(unit_vector(random.uniform(-kPi, kPi)) * random.uniform(0.2, 1.5));
      ObstacleField field;
      field.update(points);
      const robot::Twist wanted = random_twist(robot, random), now = random_twist(robot, random);
      const AllowedHand allowed = guard.allow({now, now}, wanted, field);
      EXPECT_LE(speed_of(allowed.velocity), speed_of(wanted) + 1e-12);
      EXPECT_GE(dot(Vec2{allowed.velocity.vx, allowed.velocity.vy}, Vec2{wanted.vx, wanted.vy}), 0);
      // along a wall it turns, but never against the hand
      EXPECT_LE(std::fabs(allowed.velocity.w), std::max(std::fabs(wanted.w), 0.5 * robot.limits.max_turn_rate) + 1e-12);
      EXPECT_GE(allowed.velocity.w * wanted.w, 0);
      EXPECT_GE(allowed.held_back, 0);
      EXPECT_LE(allowed.held_back, 1);
      held += allowed.held_back > 0;
    }
    EXPECT_GT(held, 300);
  }
}

// The nearest that a robot comes to any of the points when it goes on for one period and then brakes, in steps of 1 ms.
double nearest_on_the_way(const robot::Description& robot, const HandGoing& going, const robot::Twist& command,
                          std::span<const Vec2> points) {
  constexpr double kStep = 0.001;
  robot::Motors motors;
  motors.velocity = going.velocity;
  motors.ramped = robot::approach(going.velocity, going.commanded, robot.limits, robot.control.motor_lag);
  Pose2 pose;
  double nearest = kInfinity;
  for (int i = 0; i < 4000; ++i) {
    const robot::Twist now = i * kStep < robot.control.period ? command : robot::Twist{};
    motors.step(now, robot.limits, kStep, robot::lag_share(robot.control.motor_lag, kStep));
    pose = robot::move(pose, motors.velocity, kStep);
    const Transform2 start_from_robot(pose);
    for (const Vec2 p : points) {
      nearest = std::min(nearest, robot::distance_to(robot.footprint, start_from_robot.to_local(p)));
    }
  }
  return nearest;
}

TEST(HandGuard, WhatItAllowsFromRestTouchesNothing) {
  Random random(11, 1);
  for (const robot::Description& robot : {make_robot(), make_box(), make_omni_robot()}) {
    HandGuard guard(robot);
    int held = 0;
    for (int i = 0; i < 60; ++i) {
      std::vector<Vec2> points;
      while (points.size() < 8) {
        const Vec2 p = unit_vector(random.uniform(-kPi, kPi)) * random.uniform(0.3, 0.8);
        if (robot::distance_to(robot.footprint, p) > 0.06) points.push_back(p);
      }
      ObstacleField field;
      field.update(points);
      const robot::Twist wanted = random_twist(robot, random);
      const AllowedHand allowed = guard.allow({}, wanted, field);
      held += allowed.held_back > 0;
      EXPECT_GT(nearest_on_the_way(robot, {}, allowed.velocity, points), 0.03);
    }
    EXPECT_GT(held, 10);
  }
}

TEST(HandGuard, BackingOutOfAContactIsAlwaysAllowed) {
  for (const robot::Description& robot : {make_robot(), make_omni_robot()}) {
    for (double bearing = -1.5; bearing <= 1.5; bearing += 0.1) {
      for (const double gap : {0.02, 0.0, -0.01}) {
        const robot::Twist back{-robot.limits.max_speed, 0, 0};
        const AllowedHand allowed = HandGuard(robot).allow({}, back, wall(robot, gap, bearing));
        EXPECT_EQ(allowed.velocity, back) << bearing << " " << gap;
        if (std::fabs(bearing) > 1.2) continue;
        const robot::Twist forth{robot.limits.max_speed, 0, 0};
        EXPECT_LT(speed_of(HandGuard(robot).allow({}, forth, wall(robot, gap, bearing)).velocity), 0.9 * forth.vx)
            << bearing << " " << gap;
      }
    }
  }
}

TEST(HandGuard, ADiscMayAlwaysTurnOnTheSpot) {
  const robot::Description robot = make_robot();
  for (double bearing = -3; bearing <= 3; bearing += 0.5) {
    for (const double gap : {0.1, 0.0, -0.02}) {
      for (const double w : {1.0, -0.3}) {
        EXPECT_EQ(HandGuard(robot).allow({}, {0, 0, w}, wall(robot, gap, bearing)).velocity, (robot::Twist{0, 0, w}));
      }
    }
  }
}

TEST(HandGuard, ABoxDoesNotTurnItsCornerIntoAWall) {
  const robot::Description box = make_box();
  ObstacleField beside;
  std::vector<Vec2> points;
  for (int i = -50; i <= 50; ++i) points.push_back({0.02 * i, 0.23});
  beside.update(points);
  const AllowedHand allowed = HandGuard(box).allow({}, {0, 0, 1}, beside);
  EXPECT_LT(allowed.velocity.w, 0.1);
  EXPECT_GT(allowed.held_back, 0.8);
}

TEST(HandGuard, TellsHowFarAndWhere) {
  const robot::Description robot = make_robot();
  const AllowedHand ahead = allow(robot, {0.5, 0, 0}, wall(robot, 0.2, 0));
  EXPECT_GT(ahead.held_back, 0.2);
  EXPECT_NEAR(ahead.distance, 0.2, 0.02);
  EXPECT_NEAR(ahead.bearing, 0, 0.4);
  const AllowedHand behind = allow(robot, {-0.5, 0, 0}, wall(robot, 0.1, kPi));
  EXPECT_NEAR(behind.distance, 0.1, 0.02);
  EXPECT_NEAR(std::fabs(behind.bearing), kPi, 0.4);
}

TEST(HandGuard, AHandThatLeadsMostlyAlongAWallIsLedAlongIt) {
  const robot::Description robot = make_robot();
  const HandGoing going{{0.4, 0, 0}, {0.4, 0, 0}};
  for (const double side : {1.0, -1.0}) {
    const ObstacleField beside = wall(robot, 0.1, side * (kPi / 2 - 0.15));
    const AllowedHand along = HandGuard(robot).allow(going, {0.5, 0, 0}, beside);
    EXPECT_GT(along.velocity.vx, 0.4);
    EXPECT_LT(side * along.velocity.w, -0.2) << "turns away from it";
    // the operator turns into it
    const AllowedHand into = HandGuard(robot).allow(going, {0.5, 0, side * 0.5}, beside);
    EXPECT_GE(side * into.velocity.w, 0);
    EXPECT_LT(into.velocity.vx, 0.3);
    // and here it leads into it
    const AllowedHand against = HandGuard(robot).allow({}, {0.5, 0, 0}, wall(robot, 0.06, side * 0.5));
    EXPECT_LT(against.velocity.vx, 0.1);
    EXPECT_EQ(against.velocity.w, 0);
  }
}

TEST(HandGuard, AnOmnidirectionalRobotSlidesWithoutTurning) {
  const robot::Description robot = make_omni_robot();
  const AllowedHand along = HandGuard(robot).allow({}, {0.4, 0.2, 0}, wall(robot, 0.05, kPi / 2));
  EXPECT_NEAR(along.velocity.vx, 0.4, 0.05);
  EXPECT_NEAR(along.velocity.vy, 0, 0.05);
  EXPECT_EQ(along.velocity.w, 0);
}

// As the guard of a replica, which has no sensors.
TEST(HandGuard, GoesByTheWallsThatAreKnown) {
  const robot::Description robot = make_robot();
  const world::Outline room(make_room({0, 0}, {4, 4}), {0.05, 1});
  HandGuard guard(robot);
  for (const double x : {2.0, 3.55}) {
    const Pose2 pose{x, 2, 0};
    KnownPoints points;
    for_each_known(room, Transform2(pose), guard.reach(), [&](Vec2 p) { points.push_back(p); });
    for (const Vec2 p : points) EXPECT_LT(room.distance(pose * p, 1), 1e-9);
    ObstacleField field;
    field.update({points.data(), points.size()});
    const AllowedHand allowed = guard.allow({{0.5, 0, 0}, {0.5, 0, 0}}, {0.5, 0, 0}, field);
    EXPECT_EQ(allowed.held_back > 0.5, x > 3);
    if (x > 3) {
      EXPECT_NEAR(allowed.distance, 4 - x - robot.footprint.radius, 0.02);
    }
  }
}

TEST(HandGuard, NeedsSomethingToLookWithAndNothingToClimbOver) {
  robot::Description robot = make_robot();
  EXPECT_FALSE(can_guard_hand(robot));
  robot.sensors.push_back(robot::BumperRing{});
  EXPECT_FALSE(can_guard_hand(robot));
  robot.sensors.push_back(robot::Laser{.beams = 181});
  EXPECT_TRUE(can_guard_hand(robot));
  robot.crawler.emplace();
  EXPECT_FALSE(can_guard_hand(robot));
}

TEST(HandGuard, AllocatesNothing) {
  const robot::Description robot = make_robot();
  HandGuard guard(robot);
  const ObstacleField field = wall(robot, 0.2, 0.4);
  const AllocationCounter heap;
  EXPECT_GT(guard.allow({{0.3, 0, 0}, {0.3, 0, 0}}, {0.5, 0, 0.3}, field).held_back, 0);
  EXPECT_EQ(heap.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
