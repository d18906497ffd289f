#include "forerun/mission/control.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "tests/mission/paths.hpp"

namespace forerun::mission {
namespace {

robot::Description small_robot() {
  robot::Description robot;
  robot.drive = robot::make_differential({.left_diameter = 0.07, .right_diameter = 0.07, .base = 0.25});
  robot.limits = {.max_speed = 0.4,
                  .max_turn_rate = 1.5,
                  .acceleration = 0.5,
                  .deceleration = 0.6,
                  .turn_acceleration = 2,
                  .turn_deceleration = 3};
  return robot;
}

TrimmedPath whole(const RecordedPath& path) { return {path, {}}; }

// Every axis at every step, against the share of the limits that may be used.
void expect_within_limits(const TimedPath& timed, const robot::Description& robot, double share) {
  const DriveLimits limits = limits_for(robot, share);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const Axes now = axes_of(robot.drive, timed[i].velocity);
    for (std::size_t axis = 0; axis < limits.axes.size(); ++axis) {
      ASSERT_LE(std::fabs(now[axis]), limits.axes[axis].speed * 1.001) << "axis " << axis << " at " << timed[i].time;
      if (i == 0) continue;
      const double before = axes_of(robot.drive, timed[i - 1].velocity)[axis];
      const double change = std::fabs(now[axis] - before) / (timed[i].time - timed[i - 1].time);
      ASSERT_LE(change, limits.axes[axis].acceleration * 1.001) << "axis " << axis << " at " << timed[i].time;
    }
  }
}

Result<TimedPath> control_path(const TrimmedPath& path, const robot::Description& robot, const ControlParams& params) {
  auto control = compute_control(path, robot, params);
  if (!control) return control.error();
  EXPECT_TRUE(control->actions.empty());
  return std::move(control->path);
}

// What the velocities alone lead to.
Pose2 driven(const TimedPath& timed) {
  Pose2 pose = timed.front().pose;
  for (std::size_t i = 1; i < timed.size(); ++i) {
    const robot::Twist &v = timed[i - 1].velocity, &w = timed[i].velocity;
    pose = robot::move(pose, {0.5 * (v.vx + w.vx), 0, 0.5 * (v.w + w.w)}, timed[i].time - timed[i - 1].time);
  }
  return pose;
}

TEST(Control, AStraightWayIsDrivenAtTheLimits) {
  HandDrive drive;
  drive.forward(2);
  const auto timed = control_path(whole(drive.path()), small_robot(), {.limits_share = 1});
  ASSERT_TRUE(timed);
  // up to 0.4 m/s at 0.5 m/s², and down again: 2 · 0.8 s, and the rest of 1.68 m at full speed
  EXPECT_NEAR(timed->back().time, 1.6 + (2 - 0.32) / 0.4, 0.1);
  EXPECT_EQ(timed->front().velocity, robot::Twist{});
  EXPECT_EQ(timed->back().velocity, robot::Twist{});
  EXPECT_NEAR(timed->back().pose.x, 2, 1e-6);
  expect_within_limits(*timed, small_robot(), 1);
}

TEST(Control, ATurnOnTheSpotIsDrivenAtTheLimits) {
  HandDrive drive;
  drive.turn(kPi);
  const auto timed = control_path(whole(drive.path()), small_robot(), {.limits_share = 1});
  ASSERT_TRUE(timed);
  const double turned = drive.path().back().pose.theta;
  EXPECT_NEAR(timed->back().time, 2 * 0.75 + (turned - 2 * 0.5 * 1.5 * 0.75) / 1.5, 0.1);
  EXPECT_NEAR(timed->back().pose.theta, turned, 1e-6);
}

TEST(Control, WheelsAreLimitedTogether) {
  // an arc at which both the speed and the turn rate are far below their limits asks most of the outer wheel
  HandDrive drive;
  drive.go({0.2, 0, 0.8}, 6);
  robot::Description robot = small_robot();
  robot.limits.turn_acceleration = robot.limits.turn_deceleration = 20;
  const auto timed = control_path(whole(drive.path()), robot, {});
  ASSERT_TRUE(timed);
  expect_within_limits(*timed, robot, 0.8);
}

TEST(Control, AJointIsRoundedAndCostsNoStop) {
  HandDrive drive;
  drive.forward(1).bump().back(0.02).go({0.2, 0, 0.1}, 0.5).forward(1);
  TrimmedPath path = whole(drive.path());
  // by hand: 4 cm of the path are left out, and the rest is 1 cm to the side
  HandDrive other({1.04, 0.01, 0.05});
  other.forward(1);
  path.points.resize(101);
  path.joints = {path.points.size() - 1};
  for (const PathPoint& point : other.path()) path.points.push_back(point);
  const auto timed = control_path(path, small_robot(), {});
  ASSERT_TRUE(timed);
  expect_within_limits(*timed, small_robot(), 0.8);
  double slowest = 1;
  for (const TimedPoint& point : *timed) {
    if (point.pose.x > 0.5 && point.pose.x < 1.6) slowest = std::min(slowest, point.velocity.vx);
  }
  EXPECT_GT(slowest, 0.2);
  EXPECT_NEAR(distance(timed->back().pose.position(), path.points.back().pose.position()), 0, 1e-6);
}

TEST(Control, ASharpJointIsStoppedAtAndTurnedAt) {
  HandDrive drive;
  drive.forward(1);
  TrimmedPath path = whole(drive.path());
  path.joints = {path.points.size() - 1};
  HandDrive other({1.0, 0.03, kPi / 2});
  other.forward(1);
  for (const PathPoint& point : other.path()) path.points.push_back(point);
  const auto timed = control_path(path, small_robot(), {});
  ASSERT_TRUE(timed);
  expect_within_limits(*timed, small_robot(), 0.8);
  for (const TimedPoint& point : *timed) {
    // it turns the corner and does not cut it
    EXPECT_TRUE(std::fabs(point.pose.y) < 0.005 || std::fabs(point.pose.x - 1) < 0.005) << point.time;
  }
  EXPECT_NEAR(distance(driven(*timed).position(), path.points.back().pose.position()), 0, 0.01);
}

// It drove through there: with an action it comes to rest, at a point of its path.
TEST(Control, AnActionIsAPlaceOfRest) {
  HandDrive drive;
  drive.forward(1);
  const std::size_t here = drive.here();
  drive.forward(1);
  TrimmedPath path = whole(drive.path());
  path.points[here].action = "photo";
  const auto control = compute_control(path, small_robot(), {});
  ASSERT_TRUE(control);
  expect_within_limits(control->path, small_robot(), 0.8);
  ASSERT_EQ(control->actions.size(), 1u);
  EXPECT_EQ(control->actions[0].name, "photo");
  EXPECT_TRUE(check_actions(control->actions, control->path));
  const auto point = std::find_if(control->path.begin(), control->path.end(),
                                  [&](const TimedPoint& p) { return p.time == control->actions[0].time; });
  ASSERT_NE(point, control->path.end());
  EXPECT_NEAR(point->pose.x, 1, 1e-3);
  EXPECT_EQ(point->velocity, robot::Twist{});
}

TEST(Control, SeveralActionsAtOnePlaceFollowEachOther) {
  HandDrive drive;
  drive.stand(0.5).forward(1).stand(0.5).forward(1);
  TrimmedPath path = whole(drive.path());
  path.points.front().action = "a";
  path.points[5].action = "b";
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    if (path.points[i].pose.x > 0.999) {
      path.points[i + 1].action = "c";
      path.points[i + 3].action = "d";
      break;
    }
  }
  path.points.back().action = "e";
  const auto control = compute_control(path, small_robot(), {});
  ASSERT_TRUE(control);
  std::string names;
  for (const Action& action : control->actions) names += action.name;
  EXPECT_EQ(names, "abcde");
  const auto ok = check_actions(control->actions, control->path);
  EXPECT_TRUE(ok) << ok.error().message;
  EXPECT_EQ(control->actions[0].time, 0);
  EXPECT_GT(control->path.back().time, control->actions.back().time + 0.002) << "its clock goes on from the last";
}

// A cut that ends where the robot stands for an action does not round it away.
TEST(Control, AJointBesideAnActionIsStoppedAt) {
  HandDrive drive;
  drive.forward(1).go({0.2, 0, 0.1}, 0.5).forward(1);
  TrimmedPath path = whole(drive.path());
  path.points[100].action = "photo";
  path.points.erase(path.points.begin() + 101, path.points.begin() + 104);
  path.joints = {100};
  const auto control = compute_control(path, small_robot(), {});
  ASSERT_TRUE(control);
  ASSERT_EQ(control->actions.size(), 1u);
  const TimedPoint there = point_at(control->path, control->actions[0].time);
  EXPECT_LT(distance(there.pose.position(), path.points[100].pose.position()), 0.01);
}

TEST(Control, AWaitIsKept) {
  HandDrive drive;
  drive.forward(1).stand(4).forward(1);
  const auto timed = control_path(whole(drive.path()), small_robot(), {});
  ASSERT_TRUE(timed);
  double stood = 0;
  for (std::size_t i = 1; i < timed->size(); ++i) {
    const bool in_between = (*timed)[i].pose.x > 0.9 && (*timed)[i].pose.x < 1.1;
    if (in_between && (*timed)[i].velocity.vx == 0) stood += (*timed)[i].time - (*timed)[i - 1].time;
  }
  EXPECT_NEAR(stood, 4, 0.15);
}

TEST(Control, ACarIsNotAskedToTurnOnTheSpot) {
  HandDrive drive;
  drive.forward(1).turn(1).forward(1);
  robot::Description car = small_robot();
  car.drive = robot::make_car({});
  const auto timed = control_path(whole(drive.path()), car, {});
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().message, "the path turns on the spot at (1.00, 0.00), which this drive cannot do");
}

TEST(Control, APathWithoutMotionIsRefused) {
  HandDrive drive;
  drive.stand(3);
  EXPECT_FALSE(control_path(whole(drive.path()), small_robot(), {}));
  EXPECT_FALSE(control_path({}, small_robot(), {}));
}

// Whatever was driven and cut: all limits hold, and the wheels lead along the path.
TEST(Control, LimitsHoldOnTrimmedDrivesOfAllKinds) {
  int n_joints = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    HandDrive drive;
    for (int i = 0; i < 25; ++i) {
      const double kind = random.uniform();
      if (kind < 0.2)
        drive.turn(random.uniform(-2, 2));
      else if (kind < 0.3)
        drive.bump().back(random.uniform(0.1, 0.4));
      else if (kind < 0.4)
        drive.stand(random.uniform(0.2, 8));
      else
        drive.go({0.2, 0, random.uniform(-1, 1)}, random.uniform(0.5, 3));
    }
    const Trim trim = find_cuts(drive.path(), {});
    const TrimmedPath path = apply_cuts(drive.path(), trim.cuts);
    n_joints += static_cast<int>(path.joints.size());
    const auto timed = control_path(path, small_robot(), {});
    ASSERT_TRUE(timed) << seed;
    expect_within_limits(*timed, small_robot(), 0.8);
    EXPECT_LT(distance(timed->back().pose.position(), path.points.back().pose.position()), 1e-6);
    for (const double effort : wheel_effort(*timed, small_robot())) ASSERT_LE(effort, 0.801);
  }
  EXPECT_GT(n_joints, 60);
}

TEST(Control, TheTrimmedPathItselfHasSpikes) {
  HandDrive drive;
  drive.forward(1).bump().back(0.3).turn(kPi / 2).forward(1);
  const Trim trim = find_cuts(drive.path(), {});
  const auto efforts = wheel_effort(with_spikes(apply_cuts(drive.path(), trim.cuts)), small_robot());
  EXPECT_GT(*std::max_element(efforts.begin(), efforts.end()), 2);
}

}  // namespace
}  // namespace forerun::mission
