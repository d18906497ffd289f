// Robots that could be the real one: their middle, and how far they spread.
#include "forerun/predict/ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

class EnsembleTest : public testing::Test {
 protected:
  EnsembleTest()
      : model_(*make_replica_model(make_hall(), make_hall_robot())),
        plan_(std::make_shared<navigate::GoalPlan>(model_.planning, 3)) {}

  Ensemble make(const EnsembleParams& params = {}) { return {model_, known_drivers(), plan_, params}; }

  // Under way through the hall, and this sure of where it was.
  Ensemble::Start start(const PoseCovariance& covariance, std::size_t driver = 0) {
    Ensemble::Start start;
    start.driver = driver;
    start.report.time = RobotTime{} + from_seconds(5);
    start.report.state = {{2, 1.5, 0.8}, {0.3, 0, 0}};
    start.report.goal = Vec2{8, 1.5};
    start.report.task = robot::TaskState::driving;
    start.report.until_decision = from_seconds(0.1);
    start.pose = {2.03, 1.46, 0.81};
    start.covariance = covariance;
    start.circumstances.limits = model_.robot.limits;
    start.speed_variance = 0.0004;
    start.goals = &goals_;
    return start;
  }

  ReplicaModel model_;
  std::shared_ptr<navigate::GoalPlan> plan_;
  GoalMemory goals_;
};

TEST_F(EnsembleTest, BeginsWithExactlyTheSpreadThatItIsGiven) {
  Random random(3, 3);
  Ensemble ensemble = make();
  const double floor = square(EnsembleParams{}.floor);
  for (int i = 0; i < 50; ++i) {
    const double a = random.uniform(0.001, 0.1), b = random.uniform(0.001, 0.1), mix = random.uniform(-0.95, 0.95);
    const Ensemble::Start begin = start({a * a, mix * a * b, b * b, 0.0003});
    ensemble.resync(begin);
    const Spread spread = ensemble.spread(begin.pose.position());
    EXPECT_NEAR(spread.xx - floor, a * a, 1e-12);
    EXPECT_NEAR(spread.xy, mix * a * b, 1e-12);
    EXPECT_NEAR(spread.yy - floor, b * b, 1e-12);
    // as many to each side: the middle is where they began from
    const Pose2 middle = ensemble.middle(begin.pose);
    EXPECT_NEAR(distance(middle.position(), begin.pose.position()), 0, 1e-9);
    EXPECT_NEAR(middle.theta, begin.pose.theta, 0.6 * std::sqrt(0.0003));
  }
}

TEST_F(EnsembleTest, SpreadsTheMoreTheLongerTheGap) {
  Ensemble ensemble = make();
  const Ensemble::Start begin = start({0.0004, 0, 0.0004, 0.0001});
  ensemble.resync(begin);
  double before = 0;
  for (const double gap : {0.0, 1.0, 3.0, 6.0, 10.0}) {
    ensemble.advance(begin.report.time + from_seconds(gap));
    const Pose2 middle = ensemble.middle(begin.pose);
    const Spread spread = ensemble.spread(middle.position());
    const double size = std::sqrt(spread.xx + spread.yy);
    EXPECT_GT(size, 0.9 * before) << gap;  // eight are few: by chance they may close up a little for a moment
    before = size;
  }
  EXPECT_GT(before, 0.1);
}

// Members whose speeds differ by σ are after a straight drive of a few seconds apart by σ of the way.
TEST_F(EnsembleTest, SpeedsThatAreNotKnownSpreadAlongTheWay) {
  Ensemble ensemble = make({.weight_spread = 0, .speed_spread = 0, .velocity_noise = 0, .period_noise = 0});
  Ensemble::Start begin = start({}, 1);
  begin.report.state = {{1.5, 1.5, 0}, {model_.robot.limits.max_speed, 0, 0}};
  begin.report.goal = Vec2{5, 1.5};
  begin.pose = begin.report.state.pose;
  begin.speed_variance = square(0.05);
  ensemble.resync(begin);
  const double time = 1.5 / model_.robot.limits.max_speed;
  ensemble.advance(begin.report.time + from_seconds(time));
  const Spread spread = ensemble.spread({1.5 + 1.5, 1.5});
  EXPECT_NEAR(std::sqrt(spread.xx), 0.05 * 1.5, 0.03);
  EXPECT_LT(spread.yy, 0.1 * spread.xx);
}

TEST_F(EnsembleTest, ACertainRobotHasTheLeastSpread) {
  Ensemble ensemble = make();
  const Ensemble::Start begin = start({});
  ensemble.resync(begin);
  const Spread spread = ensemble.spread(begin.pose.position());
  EXPECT_NEAR(std::sqrt(spread.xx), EnsembleParams{}.floor, 1e-9);
  EXPECT_NEAR(std::sqrt(spread.yy), EnsembleParams{}.floor, 1e-9);
  EXPECT_GE(spread.evenness, 0.25);
  EXPECT_LE(spread.evenness, 1);
}

TEST_F(EnsembleTest, WithoutMembersTheLikeliestRobotIsAllThereIs) {
  Ensemble ensemble = make({.members = 0});
  const Ensemble::Start begin = start({0.01, 0, 0.01, 0.01});
  ensemble.resync(begin);
  ensemble.advance(begin.report.time + from_seconds(3));
  EXPECT_EQ(ensemble.middle(begin.pose), begin.pose);
  EXPECT_NEAR(ensemble.spread({7, 7}).xx, square(EnsembleParams{}.floor), 1e-12);
}

TEST_F(EnsembleTest, HasNoMoreMembersThanThereIsRoomFor) {
  Ensemble ensemble = make({.members = 1000});
  const Ensemble::Start begin = start({0.01, 0.002, 0.02, 0.01});
  ensemble.resync(begin);
  EXPECT_NEAR(ensemble.spread(begin.pose.position()).xy, 0.002, 1e-9);
}

TEST_F(EnsembleTest, ResyncsAndAdvancesWithoutAllocating) {
  Ensemble ensemble = make();
  const Ensemble::Start begin = start({0.0025, 0, 0.0025, 0.0003});
  const AllocationCounter counter;
  ensemble.resync(begin);
  ensemble.advance(begin.report.time + from_seconds(4));
  EXPECT_GT(ensemble.spread(ensemble.middle(begin.pose).position()).xx, 0);
  EXPECT_EQ(counter.count(), 0u);
}

TEST(Limits, AreAllScaledByTheSameFactor) {
  const robot::Limits limits{.max_speed = 1,
                             .max_turn_rate = 2,
                             .acceleration = 3,
                             .deceleration = 4,
                             .turn_acceleration = 5,
                             .turn_deceleration = 6};
  const robot::Limits half = scaled(limits, 0.5);
  EXPECT_EQ(half.max_speed, 0.5);
  EXPECT_EQ(half.max_turn_rate, 1);
  EXPECT_EQ(half.acceleration, 1.5);
  EXPECT_EQ(half.deceleration, 2);
  EXPECT_EQ(half.turn_acceleration, 2.5);
  EXPECT_EQ(half.turn_deceleration, 3);
}

}  // namespace
}  // namespace forerun::predict
