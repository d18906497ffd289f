// The robot a moment after it was seen.
#include "forerun/respond/responder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "forerun/base/math.hpp"
#include "tests/respond/simulated_robot.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::respond {
namespace {

const Response kTruth{{0.12, 0.08, 0.95}, {0.12, 0.08, 0.95}, {0.1, 0.05, 1.02}};

// Nothing learned but the response.
Model make_model(const Response& response) {
  Model model;
  model.response = response;
  model.delays = response;
  for (AxisResponse* axis : {&model.delays.forward, &model.delays.sideways, &model.delays.turn}) axis->lag = 0;
  for (const double horizon : {0.13, 0.5, 1.0}) {
    HorizonModel one;
    one.horizon = horizon;
    for (Squares& squares : one.squares) squares = {1e-4, 1e-4};
    model.horizons.push_back(one);
  }
  return model;
}

struct Errors {
  double rms = 0;    // of predictions [m]
  double still = 0;  // had it stayed
};

Errors follow(const Model& model, const SimulatedDrive& drive, double ahead, double from = 5) {
  Responder responder(model);
  Errors errors;
  std::size_t command = 0, truth = 0;
  int n = 0;
  for (const SeenAt& seen : drive.seen) {
    for (; command < drive.commands.size() && drive.commands[command].time <= seen.time + ahead; ++command) {
      responder.give(drive.commands[command].time, drive.commands[command].command);
    }
    responder.see(seen.time, seen.pose);
    while (truth < drive.true_poses.size() && drive.true_poses[truth].time < seen.time + ahead - 1e-9) ++truth;
    if (truth == drive.true_poses.size()) break;
    if (seen.time < from) continue;
    const SeenAt& then = drive.true_poses[truth];
    const auto said = responder.at(then.time);
    EXPECT_TRUE(said);
    errors.rms += square(said->x - then.pose.x) + square(said->y - then.pose.y);
    errors.still += square(seen.pose.x - then.pose.x) + square(seen.pose.y - then.pose.y);
    ++n;
  }
  return {std::sqrt(errors.rms / n), std::sqrt(errors.still / n)};
}

TEST(Responder, AheadOfARobotThatAnswersAsUsual) {
  const SimulatedDrive drive = simulate({.response = kTruth});
  const Model model = make_model(kTruth);
  for (const double ahead : {0.13, 0.5, 1.0}) {
    const Errors errors = follow(model, drive, ahead);
    EXPECT_LT(errors.rms, 0.006) << ahead;
    EXPECT_GT(errors.still, 10 * errors.rms) << ahead;
  }
}

TEST(Responder, FollowsARobotThatDeviates) {
  // a fifth slower than it was when it was recorded
  Response slower = kTruth;
  slower.forward.gain *= 0.8;
  const SimulatedDrive drive = simulate({.response = slower, .noise_m = 0.0002, .noise_rad = 0.0005});
  Response usual = kTruth;
  const Errors errors = follow(make_model(usual), drive, 0.5);
  const Errors known = follow(make_model(slower), drive, 0.5);
  EXPECT_LT(known.rms, 0.006);
  EXPECT_LT(errors.rms, 0.045);
  EXPECT_GT(errors.still, 3 * errors.rms);
}

TEST(Responder, KnowsStrangersToo) {
  const SimulatedDrive drive = simulate({.response = {}});
  EXPECT_LT(follow(make_model({{0.3, 0.3, 0.7}, {0.3, 0.3, 0.7}, {0.3, 0.3, 0.7}}), drive, 0.5, 20).rms, 0.02)
      << "a robot that does what it is told at once, although the recordings were of a slow one";
}

TEST(Responder, BeginsAnewAfterAGap) {
  const Model model = make_model(kTruth);
  Responder responder(model);
  EXPECT_FALSE(responder.at(1)) << "nothing was seen yet";
  responder.give(0, {1, 0, 0});
  for (int i = 0; i < 60; ++i) responder.see(i / 30.0, {i / 30.0, 0, 0});
  responder.see(10, {-5, 3, 1});
  const auto here = responder.at(10);
  ASSERT_TRUE(here);
  EXPECT_EQ(*here, (Pose2{-5, 3, 1}));
  EXPECT_NEAR(responder.origin().deviations[2].velocity.vx, 0, 1e-9) << "nothing from before the gap counts";
}

TEST(Responder, SaysNothingBeyondItsModel) {
  const Model model = make_model(kTruth);
  Responder responder(model);
  responder.see(0, {});
  EXPECT_TRUE(responder.at(1.4));
  EXPECT_FALSE(responder.at(1.6));
  EXPECT_TRUE(responder.at(-1)) << "before the newest pose it is where it was seen";
}

TEST(Responder, AllocatesNothing) {
  const Model model = make_model(kTruth);
  Responder responder(model);
  AllocationCounter counter;
  for (int i = 0; i < 300; ++i) {
    responder.give(i / 30.0, {std::sin(i * 0.1), 0, std::cos(i * 0.13)});
    responder.see(i / 30.0, {0.01 * i, 0, 0});
    (void)responder.at(i / 30.0 + 0.7);
  }
  EXPECT_EQ(counter.count(), 0U);
}

TEST(Model, RefusesWhatCannotBe) {
  Model model = make_model(kTruth);
  EXPECT_TRUE(check_model(model));
  model.horizons[1].residual[2][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_model(model));
  model = make_model(kTruth);
  model.response.turn.lag = -1;
  EXPECT_FALSE(check_model(model));
  model = make_model(kTruth);
  model.horizons[1].horizon = 0.1;
  EXPECT_FALSE(check_model(model)) << "horizons must rise";
  model = make_model(kTruth);
  model.horizons[0].network.in[7][2] = kInfinity;
  EXPECT_FALSE(check_model(model));
}

}  // namespace
}  // namespace forerun::respond
