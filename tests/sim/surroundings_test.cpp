#include "forerun/sim/surroundings.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.hpp"

namespace forerun::sim {
namespace {

constexpr double kRadius = 0.3;
constexpr Neighbour kFarAway{{100, 100}, kRadius, false};

Cast one_walker() {
  Cast cast;
  cast.people.push_back(make_person({{0, 0}, {10, 0}}, 1.0, 0, 1.0));
  return cast;
}

// Steps of 10 ms with the robot standing somewhere.
void pass(Surroundings& surroundings, const Cast& cast, const Neighbour& robot, double from, double to) {
  for (double t = from; t < to - 1e-9; t += 0.01) {
    surroundings.step(cast, robot, RobotTime{} + from_seconds(t + 0.01), 0.01);
  }
}

TEST(People, WalkToAndFro) {
  const Cast cast = one_walker();
  Surroundings surroundings(cast);
  pass(surroundings, cast, kFarAway, 0, 4);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 4, 0.02);
  pass(surroundings, cast, kFarAway, 4, 12);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 8, 0.05);
  pass(surroundings, cast, kFarAway, 12, 21);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 1, 0.05);
}

TEST(People, StopOneMetreBeforeTheRobotAndTurnBackWhereTheyCannotPass) {
  const Cast cast = one_walker();
  Surroundings surroundings(cast);
  const Neighbour robot{{5, 0}, kRadius, false};
  pass(surroundings, cast, robot, 0, 5);
  const double gap = 5 - surroundings.movers()[0].pose.x - kPersonRadius - kRadius;
  EXPECT_NEAR(gap, 1, 0.02);
  pass(surroundings, cast, robot, 5, 20);
  EXPECT_LT(surroundings.movers()[0].pose.x, 5 - kPersonRadius - kRadius - 0.34);
  pass(surroundings, cast, kFarAway, 20, 21);
  EXPECT_GT(surroundings.movers()[0].pose.x, 0);
}

TEST(People, GoPastARobotThatStandsAsideButNotPastOneThatMoves) {
  const Cast cast = one_walker();
  for (const bool moves : {false, true}) {
    Surroundings surroundings(cast);
    pass(surroundings, cast, {{5, 1.1}, kRadius, moves}, 0, 12);
    if (moves) {
      EXPECT_LT(surroundings.movers()[0].pose.x, 5);
    } else {
      EXPECT_GT(surroundings.movers()[0].pose.x, 6);
    }
  }
}

// In a corridor 1.5 m wide whose middle they walk along.
Cast narrow_corridor() {
  Cast cast;
  cast.people.push_back(make_person({{0, 0}, {10, 0}, {20, 0}}, 1.0, 0, 1.0));
  cast.people[0].rooms.assign(3, Room{.left = {0, 1}, .to_left = 0.45, .to_right = 0.45});
  return cast;
}

TEST(People, StepAsideForTheRobotAndThenBackAgain) {
  const Cast cast = narrow_corridor();
  Surroundings surroundings(cast);
  pass(surroundings, cast, {{6, 0.3}, kRadius, true, {-1, 0}}, 0, 6);
  EXPECT_NEAR(surroundings.movers()[0].pose.y, -0.45, 0.01);
  pass(surroundings, cast, kFarAway, 6, 8);
  EXPECT_NEAR(surroundings.movers()[0].pose.y, 0, 0.01);
}

TEST(People, LeaveTheRobotItsRightHandSideWhereNeitherHasMoreRoom) {
  const Cast cast = narrow_corridor();
  Surroundings surroundings(cast);
  pass(surroundings, cast, {{6, 0}, kRadius, true, {-1, 0}}, 0, 6);
  EXPECT_NEAR(surroundings.movers()[0].pose.y, -0.45, 0.01);
}

TEST(People, SqueezePastARobotThatIsParkedAtTheWallAndTurnBackBeforeOneInTheMiddle) {
  const Cast cast = narrow_corridor();
  Surroundings beside(cast), before(cast);
  pass(beside, cast, {{6, 0.4}, kRadius, false, {1, 0}}, 0, 14);
  EXPECT_GT(beside.movers()[0].pose.x, 7);
  pass(before, cast, {{6, 0}, kRadius, false, {1, 0}}, 0, 14);
  EXPECT_LT(before.movers()[0].pose.x, 4.5);
}

TEST(People, WalkOnWhereTheyLeaveTheRobotBehind) {
  Cast cast;
  cast.people.push_back(make_person({{0, 0}, {10, 0}}, 1.0, 2, 1.0));
  Surroundings surroundings(cast);
  pass(surroundings, cast, {{1.2, 0}, kRadius, true}, 0, 2);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 4, 0.02);
}

TEST(People, WaitBehindAClosedDoor) {
  Cast cast = one_walker();
  const world::Door door{.name = "d", .hinge = {4, -0.5}, .width = 1, .closed_angle = kPi / 2, .open_angle = kPi};
  cast.doors.push_back({door, {{RobotTime{}, false}}});
  Surroundings surroundings(cast);
  pass(surroundings, cast, kFarAway, 0, 6);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 4 - kPersonRadius, 0.05);
}

TEST(Doors, CloseAndOpenOnTime) {
  Cast cast;
  const world::Door door{.name = "d", .hinge = {0, 0}, .width = 1, .closed_angle = 0, .open_angle = kPi / 2};
  cast.doors.push_back({door, {{RobotTime{} + from_seconds(1), false}, {RobotTime{} + from_seconds(5), true}}});
  Surroundings surroundings(cast);
  EXPECT_NEAR(surroundings.movers()[0].pose.theta, kPi / 2, 1e-12);
  pass(surroundings, cast, kFarAway, 0, 4);
  EXPECT_NEAR(surroundings.movers()[0].pose.theta, 0, 1e-12);
  EXPECT_NEAR(surroundings.movers()[0].pose.x, 0.5, 1e-9);
  pass(surroundings, cast, kFarAway, 4, 8);
  EXPECT_NEAR(surroundings.movers()[0].pose.theta, kPi / 2, 1e-12);
}

TEST(Doors, NeverSwingIntoTheRobot) {
  Cast cast;
  const world::Door door{.name = "d", .hinge = {0, 0}, .width = 1, .closed_angle = 0, .open_angle = kPi / 2};
  cast.doors.push_back({door, {{RobotTime{}, false}}});
  Surroundings surroundings(cast);
  const Neighbour robot{{0.7, 0.5}, kRadius, false};
  pass(surroundings, cast, robot, 0, 5);
  EXPECT_GT(world::plan_distance(surroundings.movers()[0], robot.position), kRadius);
  EXPECT_GT(surroundings.movers()[0].pose.theta, 0.5);
  // as soon as the robot has left, it closes
  pass(surroundings, cast, kFarAway, 5, 8);
  EXPECT_NEAR(surroundings.movers()[0].pose.theta, 0, 1e-12);
}

TEST(Surroundings, AllocateNothing) {
  const Cast cast = one_walker();
  Surroundings surroundings(cast);
  const AllocationCounter allocations;
  surroundings.step(cast, {{5, 0}, kRadius, false}, RobotTime{} + from_seconds(0.01), 0.01);
  EXPECT_EQ(allocations.count(), 0u);
}

// As the sensors see it: how many boxes stand at this time.
TEST(PassingBoxes, StandFromOneTimeToAnotherButNeverComeDownOnTheRobot) {
  Cast cast;
  cast.boxes.push_back(world::make_box({0, 5, 0}, {0.4, 0.4}, 1, 0));
  cast.passing.push_back(
      {world::make_box({5, 0, 0}, {0.4, 0.4}, 1, 0), RobotTime{} + from_seconds(2), RobotTime{} + from_seconds(6)});
  Surroundings surroundings(cast);
  const auto n_after = [&](const Neighbour& robot, double from, double to) {
    pass(surroundings, cast, robot, from, to);
    return surroundings.movers().size();
  };
  const Neighbour there{{5.3, 0}, kRadius, false};
  EXPECT_EQ(n_after(kFarAway, 0, 1), 1u);
  EXPECT_EQ(n_after(there, 1, 3), 1u) << "the robot is where it would stand";
  const AllocationCounter counter;
  EXPECT_EQ(n_after(kFarAway, 3, 4), 2u);
  EXPECT_EQ(n_after(there, 4, 5), 2u) << "it stood there before the robot came";
  EXPECT_EQ(n_after(kFarAway, 5, 7), 1u);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::sim
