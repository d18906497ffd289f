// Control latency predicted away.
#include "forerun/latency/latency_study.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "forerun/io/robot_file.hpp"
#include "forerun/latency/course.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::latency {
namespace {

robot::Description ssl() { return *io::load_robot(test::source_path("robots/ssl.yaml")); }

LatencyParams quick(int seed) {
  LatencyParams params;
  params.drives = 2;
  params.drive_s = 90;
  params.laps = 3;
  params.targets = 6;
  params.seed = seed;
  return params;
}

TEST(LatencyStudy, KeepsThePapersOrder) {
  const auto result = run_latency_study(ssl(), quick(11));
  ASSERT_TRUE(result) << result.error().message;
  const auto json = to_json(*result);
  for (const char* what : {"position_cm", "heading_rad"}) {
    const auto error = [&](const char* name) { return json[name][what].get<double>(); };
    EXPECT_LT(error("linear"), 0.8 * error("velocity"));
    EXPECT_LT(error("network"), 0.8 * error("velocity"));
    EXPECT_LT(error("best"), error("linear"));
    EXPECT_LT(error("best"), error("network"));
  }
  EXPECT_LT(result->loop_with.error_m, result->loop_without.error_m / 3);
  EXPECT_LT(result->target_with.error_m, result->target_without.error_m / 3);
}

TEST(LatencyStudy, IsStableWhenTheDeadTimeIsHalfOff) {
  const auto result = run_latency_study(ssl(), quick(12));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LT(result->loop_longer.error_m, result->loop_without.error_m);
  EXPECT_LT(result->loop_shorter.error_m, result->loop_without.error_m);
}

TEST(LatencyStudy, FindsTheDeadTimeThatTheRigHas) {
  LatencyParams params = quick(13);
  params.rig.dead_time_s = 0.2;
  params.rig.lag_s = 0.05;
  const auto result = run_latency_study(ssl(), params);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->ahead_s, 0.25, 0.02) << "dead time and lag together";
  EXPECT_LT(result->loop_with.error_m, result->loop_without.error_m / 3);
}

TEST(LatencyStudy, NeedsARobotThatDrivesSideways) {
  const auto turtle = io::load_robot(test::source_path("robots/turtle.yaml"));
  const auto result = run_latency_study(*turtle, quick(1));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "the robot 'turtle' cannot drive sideways, but this experiment is one with such a robot");
}

TEST(FreeKickLoop, IsOneLineThatGoesRound) {
  const FreeKickLoop loop(1);
  const double length = FreeKickLoop::length();
  Vec2 before = loop.at(0).place;
  double driven = 0;
  for (double along = 0.005; along <= length; along += 0.005) {
    const Wish now = loop.at(along);
    EXPECT_NEAR(FreeKickLoop::distance(now.place), 0, 1e-9) << along;
    EXPECT_NEAR(forerun::length(now.velocity), 1, 1e-3) << along;
    driven += forerun::length(now.place - before);
    before = now.place;
  }
  EXPECT_NEAR(driven, length, 0.02);
  EXPECT_NEAR(forerun::length(loop.at(length).place - loop.at(0).place), 0, 1e-9);
  EXPECT_NEAR(FreeKickLoop::distance({FreeKickLoop::kHalfLength + FreeKickLoop::kRadius + 0.1, 0}), 0.1, 1e-9);
  EXPECT_NEAR(FreeKickLoop::distance({0, 0}), FreeKickLoop::kHalfWidth + FreeKickLoop::kRadius, 1e-9);
}

TEST(CameraRig, ACommandShowsAfterTheDeadTime) {
  RigParams params{.dead_time_s = 0.3, .lag_s = 0, .slip = 0, .noise_m = 0, .noise_rad = 0, .dropped = 0};
  const robot::Description robot = ssl();
  CameraRig rig(robot, params, {}, 1);
  rig.command({1, 0, 0});
  for (int frame = 1; frame <= 9; ++frame) {
    EXPECT_NEAR(rig.advance()->pose.x, 0, 1e-9) << frame;
  }
  (void)rig.advance();
  EXPECT_GT(rig.advance()->pose.x, 1e-4);
}

}  // namespace
}  // namespace forerun::latency
