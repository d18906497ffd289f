// Robots driven by hand, with the guard and without: by people who drive at walls, spin and go backwards.
#include <gtest/gtest.h>

#include <cmath>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::sim {
namespace {

constexpr double kSize = 6;  // of a room [m]

robot::Description load(const char* name) { return *io::load_robot(*io::find_file(io::FileKind::robot, name)); }

// Boxes and poles of all sizes, none of them at the middle.
world::World room_full_of_things(Random& random) {
  world::World room = make_room({0, 0}, {kSize, kSize});
  for (int i = 0; i < 14; ++i) {
    const Vec2 place{random.uniform(0, kSize), random.uniform(0, kSize)};
    if (distance(place, {kSize / 2, kSize / 2}) < 1.2) continue;
    const double turn = random.uniform(0, kPi);
    add_box(room, {place.x, place.y, turn}, {random.uniform(0.05, 0.8), random.uniform(0.05, 0.8)}, 1.5);
  }
  return room;
}

// Holds a key or two for a while, mostly to the end of the stop.
class WildHand {
 public:
  WildHand(const robot::Description& robot, Random& random) : robot_(robot), random_(random) {}
  robot::Twist next() {
    if (--left_ < 0) choose();
    return wanted_;
  }

 private:
  void choose() {
    constexpr double kKeys[] = {-1, 0, 1};
    const auto key = [&] { return random_.uniform(0, 1) < 0.7 ? kKeys[random_.below(3)] : random_.uniform(-1, 1); };
    left_ = static_cast<int>(random_.below(40));
    wanted_ = {key() * robot_.limits.max_speed, robot_.drive.can_strafe() ? key() * robot_.limits.max_speed : 0,
               key() * robot_.limits.max_turn_rate * (random_.uniform(0, 1) < 0.5 ? 1 : 0.3)};
    if (random_.uniform(0, 1) < 0.4) wanted_ = {robot_.limits.max_speed, 0, 0};
  }
  const robot::Description& robot_;
  Random& random_;
  robot::Twist wanted_;
  int left_ = 0;
};

struct Outcome {
  int collisions = 0;
  double length = 0;  // [m]
};

Outcome drive_wildly(const robot::Description& robot, const Reality& reality, std::uint64_t seed, bool guard,
                     double seconds = 60) {
  Random random(seed, 5);
  Scenario scenario;
  scenario.start = {kSize / 2, kSize / 2, random.uniform(-kPi, kPi)};
  const auto model = make_model({room_full_of_things(random), robot, scenario, reality}, seed);
  EXPECT_TRUE(model.ok()) << model.error().message;
  navigate::Navigator navigator(model->planning, model->robot);
  Loop loop(*model, navigator, {.guards_hand = guard});
  WildHand hand(model->robot, random);
  for (double t = 0; t < seconds; t += 0.1) {
    loop.command({robot::CommandKind::drive, {}, hand.next()});
    while (to_seconds(loop.time()) < t + 0.1) loop.step();
  }
  return {loop.statistics().collisions, loop.plant().path_length()};
}

class EveryHandDrivenRobot : public testing::TestWithParam<const char*> {};

Outcome drive_all(const robot::Description& robot, const Reality& reality, bool guard) {
  Outcome sum;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Outcome drive = drive_wildly(robot, reality, seed, guard);
    sum.collisions += drive.collisions;
    sum.length += drive.length;
  }
  return sum;
}

TEST_P(EveryHandDrivenRobot, TouchesNothingUnderTheGuardAndStillGetsAbout) {
  const robot::Description robot = load(GetParam());
  for (const Reality* reality : {&kExact, &kNoisy, &kMismatched}) {
    const Outcome with = drive_all(robot, *reality, true), without = drive_all(robot, *reality, false);
    // one that sees next to nothing relies on walls that it knows, and so on knowing where it is
    const bool errs = std::string(GetParam()) == "create" && reality == &kMismatched;
    EXPECT_LE(with.collisions, errs ? without.collisions / 10 : 0) << robot.name << " " << reality->name;
    EXPECT_GT(without.collisions, 8) << robot.name << " " << reality->name;
    EXPECT_GT(with.length, 0.8 * without.length) << robot.name << " " << reality->name;
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryHandDrivenRobot, testing::Values("rhino", "turtle", "ssl", "scout", "create"));

// In the middle of an empty room.
struct HandDrive {
  explicit HandDrive(const robot::Description& robot, bool guard, const Reality& reality = kNoisy,
                     const Pose2& start = {3, 3, 0})
      : model(*make_model({make_room({0, 0}, {kSize, kSize}), robot, scenario_from(start), reality}, 3)),
        navigator(model.planning, model.robot),
        loop(model, navigator, {.guards_hand = guard}) {}
  static Scenario scenario_from(const Pose2& start) {
    Scenario scenario;
    scenario.start = start;
    return scenario;
  }
  void drive(const robot::Twist& velocity, double seconds) {
    loop.command({robot::CommandKind::drive, {}, velocity});
    run(seconds);
  }
  void run(double seconds) {
    const RobotTime end = loop.time() + from_seconds(seconds);
    while (loop.time() < end) loop.step();
  }
  [[nodiscard]] const Pose2& pose() const { return loop.truth().pose; }

  Model model;
  navigate::Navigator navigator;
  Loop loop;
};

TEST(HandDrive, StopsBeforeAWallAndSaysWhatHeldItBack) {
  HandDrive turtle(load("turtle"), true);
  turtle.drive({0.5, 0, 0}, 1);
  EXPECT_FALSE(turtle.loop.hindrance().has_value());
  turtle.run(14);
  const double gap = kSize - turtle.pose().x - turtle.model.robot.footprint.radius;
  EXPECT_GT(gap, 0.02);
  EXPECT_LT(gap, 0.15);
  const auto hindrance = turtle.loop.hindrance();
  ASSERT_TRUE(hindrance && hindrance->held_back);
  EXPECT_GT(hindrance->held_back->share, 0.9);
  EXPECT_NEAR(hindrance->held_back->distance, gap, 0.08);
  EXPECT_NEAR(hindrance->held_back->bearing, 0, 0.6);
  EXPECT_FALSE(hindrance->contact.has_value());
}

TEST(HandDrive, AHandThatLeadsMostlyAlongAWallGoesAlongIt) {
  for (const char* name : {"rhino", "turtle", "ssl"}) {
    const robot::Description robot = load(name);
    HandDrive along(robot, true, kNoisy, {1.5, 4.8, 0.25}), into(robot, true, kNoisy, {1.5, 4.8, 1.1});
    along.drive({0.3, 0, 0}, 11);
    into.drive({0.3, 0, 0}, 11);
    EXPECT_GT(along.pose().x, 3.5) << name;
    EXPECT_LT(into.pose().x, 2.6) << name;
    EXPECT_EQ(along.loop.statistics().collisions + into.loop.statistics().collisions, 0) << name;
  }
}

TEST(HandDrive, WhatHeldTheHandBackIsTakenBackForASecondWhenItLetsGo) {
  HandDrive turtle(load("turtle"), true);
  turtle.drive({0.5, 0, 0}, 15);
  turtle.drive({}, 0.5);
  ASSERT_TRUE(turtle.loop.hindrance().has_value());
  EXPECT_FALSE(turtle.loop.hindrance()->held_back.has_value());
  turtle.run(1);
  EXPECT_FALSE(turtle.loop.hindrance().has_value());
}

TEST(HandDrive, LooksWhereItHasNoEyesByWhatItSawBeforeItTurned) {
  const robot::Description turtle = load("turtle");
  const double behind = 0.5 * std::get<robot::Laser>(turtle.sensors[0]).field_of_view;
  ASSERT_LT(behind, kPi - 0.5);
  HandDrive blind(turtle, true, kExact);
  blind.drive({-0.5, 0, 0}, 15);
  EXPECT_EQ(blind.loop.statistics().collisions, 0);
  EXPECT_LT(blind.pose().x, 0.5);
}

TEST(HandDrive, WithoutTheGuardAContactIsToldWithItsSideAndHowLongItLasts) {
  HandDrive turtle(load("turtle"), false);
  turtle.drive({0.5, 0, 0}, 8);
  EXPECT_GE(turtle.loop.statistics().collisions, 1);
  const auto first = turtle.loop.hindrance();
  ASSERT_TRUE(first && first->contact);
  ASSERT_EQ(first->contact->bearings.size(), 1u);
  EXPECT_NEAR(normalize_angle(first->contact->bearings[0] + turtle.pose().theta), 0, 0.1);
  turtle.run(1);
  EXPECT_NEAR(turtle.loop.hindrance()->contact->lasts, first->contact->lasts + 1, 0.05);
  // away again
  turtle.drive({-0.5, 0, 0}, 1);
  ASSERT_TRUE(turtle.loop.hindrance().has_value());
  EXPECT_FALSE(turtle.loop.hindrance()->contact.has_value());
  turtle.run(1.5);
  EXPECT_FALSE(turtle.loop.hindrance().has_value());
}

TEST(HandDrive, ACornerTouchesOnTwoSides) {
  HandDrive turtle(load("turtle"), false, kExact, {5, 5, kPi / 4});
  turtle.drive({0.5, 0, 0}, 5);
  ASSERT_TRUE(turtle.loop.hindrance() && turtle.loop.hindrance()->contact);
  EXPECT_EQ(turtle.loop.hindrance()->contact->bearings.size(), 2u);
}

TEST(HandDrive, GoesBackFromAWallByHand) {
  for (const char* name : {"rhino", "turtle", "ssl", "create"}) {
    const robot::Description robot = load(name);
    HandDrive drive(robot, true, kNoisy, {4, 3, 0.5});
    drive.drive({robot.limits.max_speed, 0, 0}, 20);
    ASSERT_GT(drive.pose().x, kSize - robot.footprint.radius - 0.25) << name;
    drive.drive({-robot.limits.max_speed, 0, 0}, 3);
    EXPECT_LT(drive.pose().x, kSize - robot.footprint.radius - 0.3) << name;
    EXPECT_EQ(drive.loop.statistics().collisions, 0) << name;
  }
}

TEST(HandDrive, AGoalGivenInContactIsReachedAfterBackingOut) {
  robot::Description box = load("turtle");
  box.name = "box";
  box.footprint.corners.push_back({0.3, 0.2});
  box.footprint.corners.push_back({-0.3, 0.2});
  box.footprint.corners.push_back({-0.3, -0.2});
  box.footprint.corners.push_back({0.3, -0.2});
  box.footprint.radius = length(Vec2{0.3, 0.2});
  for (const robot::Description& robot : {load("rhino"), load("turtle"), load("ssl"), load("create"), box}) {
    for (const double forward : {1.0, -1.0}) {
      HandDrive drive(robot, false);
      drive.drive({forward * robot.limits.max_speed, 0, 0.02}, 4 / robot.limits.max_speed);
      ASSERT_TRUE(drive.loop.hindrance() && drive.loop.hindrance()->contact) << robot.name << " " << forward;
      const int collisions = drive.loop.statistics().collisions;
      const Pose2 before = drive.pose();
      ASSERT_EQ(drive.loop.command({robot::CommandKind::goal, {3, 4.5}, {}}), CommandOutcome::accepted);
      drive.run(1.2);
      const Vec2 moved = Transform2(before).to_local(drive.pose().position());
      EXPECT_LT(forward * moved.x, -0.01) << robot.name << " " << forward;
      drive.run(90);
      EXPECT_EQ(drive.loop.executive().state(), navigate::TaskState::done) << robot.name << " " << forward;
      EXPECT_EQ(drive.loop.statistics().collisions, collisions) << robot.name << " " << forward;
      EXPECT_FALSE(drive.loop.hindrance().has_value()) << robot.name << " " << forward;
    }
  }
}

TEST(HandDrive, WhatHasNothingToLookWithIsNotGuardedAndBacksOutAllTheSame) {
  robot::Description blind = load("turtle");
  blind.sensors.clear();
  HandDrive drive(blind, true);
  drive.drive({0.5, 0, 0}, 8);
  EXPECT_GE(drive.loop.statistics().collisions, 1);
  const double at_wall = drive.pose().x;
  ASSERT_EQ(drive.loop.command({robot::CommandKind::goal, {3, 4.5}, {}}), CommandOutcome::accepted);
  drive.run(1.5);
  EXPECT_LT(drive.pose().x, at_wall - 0.03);
}

TEST(HandDrive, TheGuardAllocatesNothing) {
  for (const char* name : {"turtle", "create"}) {
    HandDrive drive(load(name), true);
    const AllocationCounter heap;
    drive.drive({0.3, 0, 0}, 15);
    ASSERT_TRUE(drive.loop.hindrance().has_value()) << name;
    EXPECT_EQ(heap.count(), 0u) << name;
  }
}

}  // namespace
}  // namespace forerun::sim
