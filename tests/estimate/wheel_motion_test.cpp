// The arc of two wheels by hand, and every derivative against differences.
#include "forerun/estimate/wheel_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/random.hpp"

namespace forerun::estimate {
namespace {

constexpr robot::DifferentialGeometry kWheels{0.14, 0.15, 0.36};

Vector<3> to_vector(const Pose2& pose) { return {{{{pose.x}, {pose.y}, {pose.theta}}}}; }

// Derivatives of f: R^N → pose by differences to both sides.
template <std::size_t N, class Function>
Matrix<3, N> differences(const Vector<N>& at, const Function& f) {
  constexpr double kStep = 1e-6;
  Matrix<3, N> result;
  for (std::size_t j = 0; j < N; ++j) {
    Vector<N> less = at, more = at;
    less[j] -= kStep;
    more[j] += kStep;
    const Vector<3> high = to_vector(f(more)), low = to_vector(f(less));
    for (std::size_t i = 0; i < 3; ++i) result(i, j) = (high[i] - low[i]) / (2 * kStep);
  }
  return result;
}

template <std::size_t N>
void expect_equal(const Matrix<3, N>& found, const Matrix<3, N>& expected) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < N; ++j) EXPECT_NEAR(found(i, j), expected(i, j), 2e-8) << i << ", " << j;
  }
}

// Straight on, nearly straight on, and anything.
WheelTurns some_turns(Random& random, int i) {
  const double left = random.uniform(-1, 1);
  const double same = left * kWheels.left_diameter / kWheels.right_diameter;
  if (i % 4 == 0) return {left, same};
  if (i % 4 == 1) return {left, same + 1e-5};
  return {left, random.uniform(-1, 1)};
}

robot::DifferentialGeometry geometry_of(const Vector<3>& v) { return {v[0], v[1], v[2]}; }
constexpr Vector<3> kWheelVector{{{{kWheels.left_diameter}, {kWheels.right_diameter}, {kWheels.base}}}};

TEST(WheelMotion, AQuarterTurnByHand) {
  // the left wheel stands: a circle about it, with the robot half a base away
  const double quarter = kPi / 2 * kWheels.base / (kPi * kWheels.right_diameter);
  const ArcMotion arc = arc_of(kWheels, {0, quarter});
  EXPECT_NEAR(arc.turned, kPi / 2, 1e-12);
  EXPECT_NEAR(arc.driven, kPi / 2 * kWheels.base / 2, 1e-12);
  const Pose2 pose = move_along({1, 2, 0}, arc);
  EXPECT_NEAR(pose.x, 1 + kWheels.base / 2, 1e-12);
  EXPECT_NEAR(pose.y, 2 + kWheels.base / 2, 1e-12);
}

TEST(WheelMotion, TwoHalvesOfAnArcAreTheArc) {
  const ArcMotion arc = arc_of(kWheels, {0.7, 1.1});
  const Pose2 whole = move_along({0.3, -1, 2}, arc);
  const Pose2 halves =
      move_along(move_along({0.3, -1, 2}, {arc.driven / 2, arc.turned / 2}), {arc.driven / 2, arc.turned / 2});
  EXPECT_NEAR(whole.x, halves.x, 1e-12);
  EXPECT_NEAR(whole.y, halves.y, 1e-12);
  EXPECT_NEAR(whole.theta, halves.theta, 1e-12);
}

TEST(WheelMotion, DerivativesOfAMoveAreItsDifferences) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Pose2 pose{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-1, 1)};
    const WheelTurns turns = some_turns(random, i);
    const Moved moved = move(pose, kWheels, turns);
    expect_equal(moved.by_pose, differences<3>(to_vector(pose), [&](const Vector<3>& p) {
                   return move({p[0], p[1], p[2]}, kWheels, turns).pose;
                 }));
    expect_equal(moved.by_geometry, differences<3>(kWheelVector, [&](const Vector<3>& v) {
                   return move(pose, geometry_of(v), turns).pose;
                 }));
    expect_equal(moved.by_turns, differences<2>({{{{turns.left}, {turns.right}}}}, [&](const Vector<2>& t) {
                   return move(pose, kWheels, {t[0], t[1]}).pose;
                 }));
  }
}

TEST(WheelMotion, DerivativesOfWhatASensorSeesAreItsDifferences) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Pose2 pose{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-1, 1)};
    const Pose2 mount{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-1.5, 1.5)};
    const Seen seen = see(pose, mount);
    expect_equal(seen.by_pose, differences<3>(to_vector(pose), [&](const Vector<3>& p) {
                   return see({p[0], p[1], p[2]}, mount).pose;
                 }));
    expect_equal(seen.by_mount, differences<3>(to_vector(mount), [&](const Vector<3>& m) {
                   return see(pose, {m[0], m[1], m[2]}).pose;
                 }));
    const WheelTurns turns = some_turns(random, i);
    const SeenMove step = see_move(kWheels, turns, mount);
    expect_equal(step.by_geometry, differences<3>(kWheelVector, [&](const Vector<3>& v) {
                   return see_move(geometry_of(v), turns, mount).moved;
                 }));
    expect_equal(step.by_mount, differences<3>(to_vector(mount), [&](const Vector<3>& m) {
                   return see_move(kWheels, turns, {m[0], m[1], m[2]}).moved;
                 }));
    expect_equal(step.by_turns, differences<2>({{{{turns.left}, {turns.right}}}}, [&](const Vector<2>& t) {
                   return see_move(kWheels, {t[0], t[1]}, mount).moved;
                 }));
  }
}

TEST(WheelMotion, ADisplacementIsTheWayBetweenTwoPosesOfTheSensor) {
  const Pose2 pose{1, -2, 0.7}, mount{0.1, -0.05, -1.4};
  const WheelTurns turns{0.4, 0.55};
  const Pose2 before = see(pose, mount).pose, after = see(move(pose, kWheels, turns).pose, mount).pose;
  const Pose2 between = inverse(before) * after, seen = see_move(kWheels, turns, mount).moved;
  EXPECT_NEAR(seen.x, between.x, 1e-12);
  EXPECT_NEAR(seen.y, between.y, 1e-12);
  EXPECT_NEAR(seen.theta, between.theta, 1e-12);
}

// Two roads: the covariance of many slipping moves.
TEST(WheelMotion, SlipSpreadsAsStated) {
  constexpr double kSlip = 1e-4;
  const WheelTurns turns{0.9, 1.1};
  const Moved moved = move({}, kWheels, turns);
  const Matrix<3, 3> stated = slip_covariance(kWheels, turns, moved, kSlip);
  const double left = kPi * kWheels.left_diameter * turns.left, right = kPi * kWheels.right_diameter * turns.right;
  Random random(3);
  Matrix<3, 3> found;
  constexpr int kRuns = 40000;
  for (int i = 0; i < kRuns; ++i) {
    const double real_left = left + sqrt(kSlip * left) * random.normal();
    const double real_right = right + sqrt(kSlip * right) * random.normal();
    const double aside = sqrt(kSlip * (left + right) / 2) * random.normal();
    const Pose2 pose =
        move_along({}, {(real_left + real_right) / 2, (real_right - real_left) / kWheels.base}) * Pose2{0, aside, 0};
    const Vector<3> off = to_vector(pose) - to_vector(moved.pose);
    found += off * transposed(off) / kRuns;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found(i, i) / stated(i, i), 1, 0.05) << i;
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(found(i, j), stated(i, j), 0.03 * std::sqrt(stated(i, i) * stated(j, j))) << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace forerun::estimate
