// What odometry says, spread.
#include "forerun/localize/odometry_model.hpp"

#include <gtest/gtest.h>

namespace forerun::localize {
namespace {

TEST(OdometryModel, WithoutErrorItIsWhatOdometrySays) {
  Random random(1, 1);
  const Pose2 from{1, 2, 0.5}, step{0.3, -0.1, 0.2};
  const Pose2 to = OdometryModel(step, {0, 0, 0, 0}).sample(from, random);
  const Pose2 expected = from * step;
  EXPECT_NEAR(to.x, expected.x, 1e-12);
  EXPECT_NEAR(to.y, expected.y, 1e-12);
  EXPECT_NEAR(to.theta, expected.theta, 1e-12);
}

TEST(OdometryModel, WhoDoesNotMoveDoesNotSpread) {
  Random random(1, 1);
  EXPECT_EQ(OdometryModel({}, {}).sample({1, 2, 0.5}, random), (Pose2{1, 2, 0.5}));
}

TEST(OdometryModel, SpreadsAsItsParametersSay) {
  Random random(1, 1);
  const OdometryParams params{.turn_per_turn = 0.1, .turn_per_metre = 0.05, .move_per_metre = 0.1, .move_per_turn = 0};
  const OdometryModel model({2, 0, 1}, params);
  double sum = 0, square_turn = 0, square_side = 0;
  constexpr int kSamples = 20'000;
  for (int i = 0; i < kSamples; ++i) {
    const Pose2 to = model.sample({}, random);
    sum += to.theta;
    square_turn += square(to.theta - 1);
    // sideways: half of what the turn is off, and the slip
    square_side += square(to.y);
  }
  EXPECT_NEAR(sum / kSamples, 1, 0.005);
  const double turn = std::sqrt(0.1 * 0.1 + 0.1 * 0.1);
  EXPECT_NEAR(std::sqrt(square_turn / kSamples), turn, 0.005);
  EXPECT_NEAR(std::sqrt(square_side / kSamples), std::sqrt(0.2 * 0.2 + turn * turn), 0.01);
}

// The spread turns with the robot: seen from where it began, it is the same.
TEST(OdometryModel, DoesNotCareWhereNorth) {
  const OdometryModel model({0.5, 0.2, 0.3}, {});
  const Pose2 from{3, -4, 2};
  Random one(7, 1), other(7, 1);
  for (int i = 0; i < 100; ++i) {
    const Pose2 here = model.sample({}, one), there = inverse(from) * model.sample(from, other);
    ASSERT_NEAR(here.x, there.x, 1e-12);
    ASSERT_NEAR(here.y, there.y, 1e-12);
    ASSERT_NEAR(normalize_angle(here.theta - there.theta), 0, 1e-12);
  }
}

}  // namespace
}  // namespace forerun::localize
