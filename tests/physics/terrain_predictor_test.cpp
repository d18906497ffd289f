#include "forerun/physics/terrain_predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/atlas/setting.hpp"
#include "forerun/physics/crawler_body.hpp"
#include "forerun/physics/scene_text.hpp"

namespace forerun::physics {
namespace {

constexpr RobotTime kBegin{1'000'000'000};

// A robot that is a little heavier and slips more than the one that is predicted.
class RealRobot {
 public:
  RealRobot(const world::World& world, robot::Description robot, const Pose2& start)
      : robot_(std::move(robot)), scene_(std::move(*Scene::make(world.terrain))) {
    robot_.crawler->body_mass *= 1.05;
    robot_.crawler->friction *= 0.93;
    EXPECT_TRUE(scene_.put_down(*robot_.crawler, start));
  }

  void drive(const robot::Twist& velocity, const robot::FlipperAngles& flippers, double seconds) {
    CrawlerCommand command = belts_for(robot_.drive, *robot_.crawler, velocity);
    command.flippers = flippers;
    scene_.command(0, command);
    for (int i = 0; i < std::lround(seconds / kStep); ++i) scene_.step();
  }
  [[nodiscard]] RobotTime time() const { return kBegin + from_seconds(scene_.time()); }
  [[nodiscard]] robot::Report report() const {
    const CrawlerState s = scene_.state(0);
    robot::Report report;
    report.time = time();
    report.state = planar_state(s);
    report.posture = posture_of(s);
    return report;
  }

 private:
  robot::Description robot_;
  Scene scene_;
};

struct Errors {
  double physics = 0, extrapolated = 0, believed = 0, pitch = 0, pitch_held = 0;
};

// Over steps of 10 and 20 cm by the flippers, with a report every `every` seconds; errors just before each.
Errors drive_over_steps(double every, bool told) {
  const world::World world = *atlas::load_named_world("kenaf-course");
  const robot::Description robot = *atlas::load_named_robot("kenaf");
  RealRobot real(world, robot, {0.2, -1.6, 0});
  auto made = TerrainPredictor::make(world, robot);
  EXPECT_TRUE(made) << made.error().message;
  TerrainPredictor predictor = std::move(*made);
  const robot::FlipperAngles climbing{0.8, 0.8, 0, 0};
  Errors sum;
  const int n = static_cast<int>(16 / every);
  if (told) predictor.give(real.time(), {0.25, 0, 0}, climbing);
  for (int i = 0; i < n; ++i) {
    const robot::Report before = real.report();
    predictor.take(before);
    real.drive({0.25, 0, 0}, climbing, every);
    const auto now = predictor.at(real.time());
    EXPECT_TRUE(now);
    const robot::Report truth = real.report();
    const auto off = [&](const Pose2& pose) { return length(pose.position() - truth.state.pose.position()) / n; };
    sum.physics += off(now->experts[TerrainPredictor::kPhysics]);
    sum.extrapolated += off(now->experts[TerrainPredictor::kExtrapolates]);
    sum.believed += off(now->pose);
    sum.pitch += std::fabs(now->posture.pitch - truth.posture->pitch) / n;
    sum.pitch_held += std::fabs(before.posture->pitch - truth.posture->pitch) / n;
  }
  return sum;
}

TEST(TerrainPredictor, KnowsTheStepsThatExtrapolationDoesNot) {
  const Errors errors = drive_over_steps(2, true);
  EXPECT_LT(errors.physics, 0.6 * errors.extrapolated) << errors.physics << " " << errors.extrapolated;
  EXPECT_LT(errors.believed, 0.8 * errors.extrapolated);
  EXPECT_LT(errors.pitch, 0.6 * errors.pitch_held) << errors.pitch << " " << errors.pitch_held;
}

TEST(TerrainPredictor, GoesOnWithWhatTheBeltsDidWhenNobodyTellsIt) {
  const Errors errors = drive_over_steps(2, false);
  EXPECT_LE(errors.believed, 1.05 * errors.extrapolated) << errors.believed << " " << errors.extrapolated;
  EXPECT_LT(errors.pitch, errors.pitch_held);
}

TEST(TerrainPredictor, AReportAtOnceIsWhereTheRobotIs) {
  const world::World world = *atlas::load_named_world("kenaf-course");
  const robot::Description robot = *atlas::load_named_robot("kenaf");
  RealRobot real(world, robot, {0.2, -1.6, 0});
  auto predictor = std::move(*TerrainPredictor::make(world, robot));
  EXPECT_FALSE(predictor.at(kBegin));
  robot::Report report = real.report();
  report.posture.reset();
  predictor.take(report);
  EXPECT_FALSE(predictor.at(kBegin)) << "a report without a posture says nothing";
  predictor.take(real.report());
  const auto now = predictor.at(real.time());
  ASSERT_TRUE(now);
  EXPECT_NEAR(now->pose.x, 0.2, 1e-3);
  EXPECT_NEAR(now->posture.height, real.report().posture->height, 1e-3);
  const auto later = predictor.at(real.time() + from_seconds(3600));
  ASSERT_TRUE(later);
  EXPECT_NEAR(later->pose.x, 0.2, 0.02) << "it stands, however long ago that was";
}

}  // namespace
}  // namespace forerun::physics
