#include "forerun/robot/motion.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::robot {
namespace {

double position_error(const State& a, const State& b) { return distance(a.pose.position(), b.pose.position()); }

State run_steps(State state, const Acceleration& acceleration, double total, int n) {
  for (int i = 0; i < n; ++i) state = step(state, acceleration, total / n);
  return state;
}

TEST(Motion, DrivesStraightAlongItsHeading) {
  const Pose2 end = move({1, 2, kPi / 2}, {0.5, 0, 0}, 2);
  EXPECT_NEAR(end.x, 1, 1e-15);
  EXPECT_NEAR(end.y, 3, 1e-15);
  EXPECT_EQ(end.theta, kPi / 2);
}

TEST(Motion, FollowsThePapersArcFormula) {
  const double v = 0.4, w = 0.7, theta = 0.3, dt = 1.5;
  const Pose2 end = move({0, 0, theta}, {v, 0, w}, dt);
  EXPECT_NEAR(end.x, v / w * (sin(theta + w * dt) - sin(theta)), 1e-15);
  EXPECT_NEAR(end.y, -v / w * (cos(theta + w * dt) - cos(theta)), 1e-15);
}

TEST(Motion, IsSmoothThroughZeroTurnRate) {
  // neighbouring turn rates across the switch between series and quotient give neighbouring poses
  for (double w = -0.05; w < 0.05; w += 1e-4) {
    const Pose2 a = move({0, 0, 0.2}, {0.5, 0, w}, 1), b = move({0, 0, 0.2}, {0.5, 0, w + 1e-9}, 1);
    EXPECT_LT(distance(a.position(), b.position()), 0.5 * 1e-9) << w;
  }
}

TEST(Motion, StrafesToTheLeft) {
  const Pose2 end = move({0, 0, 0}, {0, 0.5, 0}, 2);
  EXPECT_NEAR(end.x, 0, 1e-15);
  EXPECT_NEAR(end.y, 1, 1e-15);
}

TEST(Motion, ManyVelocitiesEndWhereOneAfterTheOtherDoes) {
  Random random(2);
  for (std::size_t n = 0; n < 20; ++n) {
    Pose2 pose{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-3, 3)};
    std::vector<Twist> velocities;
    for (std::size_t i = 0; i < n; ++i) {
      const double most = i % 3 == 0 ? 0.1 : 30;  // around the seams of sinc, too
      velocities.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-most, most)});
    }
    const Pose2 at_once = move(pose, velocities, 0.08);
    for (const Twist& velocity : velocities) pose = move(pose, velocity, 0.08);
    EXPECT_EQ(at_once, pose) << n;
  }
}

TEST(Motion, GoesBackTheSameWay) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Pose2 start{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-3, 3)};
    const Twist velocity{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-2, 2)};
    const Pose2 back = move(move(start, velocity, 0.3), velocity, -0.3);
    EXPECT_NEAR(back.x, start.x, 1e-14);
    EXPECT_NEAR(back.y, start.y, 1e-14);
    EXPECT_NEAR(back.theta, start.theta, 1e-14);
  }
}

TEST(Motion, ExactIntegralWithoutAccelerationIsTheArc) {
  const State start{{0.5, -1, 0.8}, {0.6, 0, -0.9}};
  const State exact = exact_motion(start, {}, 12.5);
  const Pose2 arc = move(start.pose, start.velocity, 12.5);
  EXPECT_NEAR(exact.pose.x, arc.x, 1e-13);
  EXPECT_NEAR(exact.pose.y, arc.y, 1e-13);
  EXPECT_NEAR(exact.pose.theta, arc.theta, 1e-13);
}

TEST(Motion, ExactIntegralIsAdditiveInTime) {
  const State start{{0, 0, 0}, {0.2, 0, -0.3}};
  const Acceleration a{0.25, 0.4};
  const State whole = exact_motion(start, a, 3);
  const State parts = exact_motion(exact_motion(start, a, 1.3), a, 1.7);
  EXPECT_LT(position_error(whole, parts), 1e-13);
  EXPECT_NEAR(whole.velocity.vx, parts.velocity.vx, 1e-15);
  EXPECT_NEAR(whole.velocity.w, parts.velocity.w, 1e-15);
}

TEST(Motion, ExactIntegralAgreesWithManySmallSteps) {
  // the second road: the midpoint of two first-order schemes is of second order
  const State start{{0, 0, 0.1}, {0.1, 0, 0.2}};
  const Acceleration a{0.3, -0.5};
  const int n = 200000;
  State state = start;
  const double dt = 2.0 / n;
  for (int i = 0; i < n; ++i) {
    const Twist middle{state.velocity.vx + 0.5 * a.v * dt, 0, state.velocity.w + 0.5 * a.w * dt};
    state.pose = move(state.pose, middle, dt);
    state.velocity = {state.velocity.vx + a.v * dt, 0, state.velocity.w + a.w * dt};
  }
  EXPECT_LT(position_error(exact_motion(start, a, 2), state), 1e-9);
}

TEST(Motion, StepErrorIsOfFirstOrder) {
  // PSS-1: known and tested: half the acceleration times step times duration, and halved with the step
  const State start{{0, 0, 0}, {0, 0, 0}};
  const Acceleration a{0.5, 0};
  const State exact = exact_motion(start, a, 1);
  EXPECT_NEAR(position_error(run_steps(start, a, 1, 50), exact), 0.5 * a.v * 0.02 * 1, 1e-12);

  const State turning{{0, 0, 0}, {0.3, 0, 0.5}};
  const Acceleration both{0.4, 0.8};
  const State reference = exact_motion(turning, both, 2);
  const double coarse = position_error(run_steps(turning, both, 2, 100), reference);
  const double fine = position_error(run_steps(turning, both, 2, 200), reference);
  EXPECT_NEAR(coarse / fine, 2, 0.02);
}

TEST(Approach, RespectsEveryLimit) {
  const Limits limits{.max_speed = 0.5,
                      .max_turn_rate = 1,
                      .acceleration = 0.4,
                      .deceleration = 0.8,
                      .turn_acceleration = 1,
                      .turn_deceleration = 2};
  EXPECT_DOUBLE_EQ(approach(Twist{}, {1, 0, 0}, limits, 0.1).vx, 0.04);
  EXPECT_DOUBLE_EQ(approach(Twist{0.5, 0, 0}, {0, 0, 0}, limits, 0.1).vx, 0.42);
  EXPECT_DOUBLE_EQ(approach(Twist{0.49, 0, 0}, {9, 0, 0}, limits, 1).vx, 0.5);
  EXPECT_DOUBLE_EQ(approach(Twist{0, 0, -0.5}, {0, 0, 0}, limits, 0.1).w, -0.3);
  EXPECT_DOUBLE_EQ(approach(Twist{0, 0, -0.5}, {0, 0, -5}, limits, 10).w, -1);
}

TEST(Approach, BrakesBeforeItReverses) {
  const Limits limits{.max_speed = 1, .acceleration = 0.4, .deceleration = 0.8};
  // 0.04 m/s are braked in half of the step, the other half speeds up backwards
  EXPECT_NEAR(approach(Twist{0.04, 0, 0}, {-1, 0, 0}, limits, 0.1).vx, -0.02, 1e-15);
}

TEST(Approach, StaysWhereItIsWanted) {
  const Twist wanted{0.3, -0.1, 0.2};
  EXPECT_EQ(approach(wanted, wanted, Limits{}, 0.1), wanted);
}

TEST(Motion, SidewaysIsLikeForwardsTurnedByAQuarter) {
  const State ahead{{1, 2, 0.3}, {0.4, 0, 0.5}}, aside{{1, 2, 0.3 - kPi / 2}, {0, 0.4, 0.5}};
  const Acceleration faster{.v = 0.3, .w = -0.2}, faster_aside{.w = -0.2, .vy = 0.3};
  const State a = exact_motion(ahead, faster, 2), b = exact_motion(aside, faster_aside, 2);
  EXPECT_NEAR(a.pose.x, b.pose.x, 1e-12);
  EXPECT_NEAR(a.pose.y, b.pose.y, 1e-12);
  EXPECT_NEAR(b.velocity.vy, 1.0, 1e-12);
  const State c = step(ahead, faster, 0.1), d = step(aside, faster_aside, 0.1);
  EXPECT_NEAR(c.pose.x, d.pose.x, 1e-12);
  EXPECT_NEAR(c.velocity.vx, d.velocity.vy, 1e-12);
}

}  // namespace
}  // namespace forerun::robot
