#include "forerun/physics/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/physics/scene_text.hpp"

namespace forerun::physics {
namespace {

using robot::Crawler;

constexpr robot::FlipperAngles kUp{kPi / 2, kPi / 2, kPi / 2, kPi / 2};

Scene make_scene(const world::Terrain& terrain = {}) {
  auto scene = Scene::make(terrain);
  EXPECT_TRUE(scene) << scene.error().message;
  return std::move(*scene);
}

// With one robot, flippers up, that has settled.
Scene standing_robot(const world::Terrain& terrain = {}, const Pose2& place = {}) {
  Scene scene = make_scene(terrain);
  const auto added = scene.put_down(Crawler{}, place, kUp);
  EXPECT_TRUE(added) << added.error().message;
  return scene;
}

void run(Scene& scene, double seconds) {
  for (int i = 0; i < std::lround(seconds / kStep); ++i) scene.step();
}

std::uint64_t hash_of(const Scene& scene) {
  Hash hash;
  scene.add_to(hash);
  return hash.value();
}

// A plane through the origin that rises along x.
world::Terrain slope(double angle) {
  const Attitude tilted{0, -angle, 0};
  return {{{rotation(tilted).z * -0.5, {20, 20, 1}, tilted}}, {}};
}

TEST(Scene, ARobotComesToRestOnItsTracks) {
  Scene scene = standing_robot();
  run(scene, 1);
  const CrawlerState state = scene.state(0);
  EXPECT_NEAR(state.position.z, Crawler{}.track_radius, 0.002);
  EXPECT_NEAR(state.attitude.pitch, 0, 0.01);
  EXPECT_LT(length(state.velocity), 1e-3);
  EXPECT_NEAR(state.acceleration.z, 9.81, 0.05);
  EXPECT_EQ(standing(state), Standing::upright);
}

// Flippers level: 20 kg with the centre of gravity that was published.
TEST(Scene, MassesAreWhereTheyShallBe) {
  Scene scene = make_scene();
  ASSERT_TRUE(scene.add(Crawler{}, {0, 0, 0.5}, {0.1, -0.2, 0.7}));
  const CrawlerState state = scene.state(0);
  const Rotation axes = rotation(state.attitude);
  const Vec3 off = state.center_of_gravity - state.position;
  EXPECT_NEAR(dot(off, axes.x), -0.015, 1e-5);
  EXPECT_NEAR(dot(off, axes.y), 0, 1e-5);
  EXPECT_NEAR(dot(off, axes.z), -0.05, 1e-5);
  EXPECT_NEAR(state.attitude.roll, 0.1, 1e-9);
  EXPECT_NEAR(state.attitude.pitch, -0.2, 1e-9);
  EXPECT_NEAR(robot::total_mass(Crawler{}), 20, 1e-9);
}

TEST(Scene, DrivesAsFastAsItsBelts) {
  Scene scene = standing_robot();
  run(scene, 0.5);
  scene.command(0, {0.3, 0.3, kUp});
  run(scene, 1);
  const double before = scene.state(0).position.x, angle = scene.state(0).left_angle;
  run(scene, 2);
  const CrawlerState state = scene.state(0);
  EXPECT_NEAR(state.position.x - before, 0.6, 0.02);
  EXPECT_NEAR((state.left_angle - angle) * Crawler{}.track_radius, 0.6, 0.02);
  EXPECT_NEAR(state.position.y, 0, 0.01);
}

// The drive's `slip` in robots/kenaf.yaml.
TEST(Scene, TurnsOnTheSpotHalfAsFastAsWithoutSlip) {
  Scene scene = standing_robot();
  scene.command(0, {-0.1, 0.1, kUp});
  run(scene, 1);
  const double before = scene.state(0).attitude.yaw;
  run(scene, 3);
  const double turned = normalize_angle(scene.state(0).attitude.yaw - before);
  EXPECT_NEAR(3 * 0.1 / Crawler{}.track_offset / turned, 1.9, 0.15);
}

TEST(Scene, FlippersGoWhereTheyAreToldNoFasterThanTheyCan) {
  Scene scene = standing_robot();
  scene.command(0, {0, 0, {0.5, 0.5, 1, 1.2}});
  run(scene, 0.5);
  EXPECT_NEAR(scene.state(0).flippers[robot::kFrontLeft], kPi / 2 - 0.6, 0.1);
  run(scene, 2);
  const auto& flippers = scene.state(0).flippers;
  EXPECT_NEAR(flippers[robot::kFrontLeft], 0.5, 0.02);
  EXPECT_NEAR(flippers[robot::kRearLeft], 1, 0.02);
  EXPECT_NEAR(flippers[robot::kRearRight], 1.2, 0.02);
}

// Flippers pressed down carry the robot.
TEST(Scene, FlippersLiftTheRobot) {
  Scene scene = standing_robot();
  scene.command(0, {0, 0, {-0.6, -0.6, -0.6, -0.6}});
  run(scene, 3);
  EXPECT_GT(scene.state(0).position.z, Crawler{}.track_radius + 0.03);
  EXPECT_TRUE(scene.flippers_touch(0));
}

TEST(Scene, MotorsHaveNoMoreTorqueThanTheyHave) {
  world::Terrain wall{{{{0, 0, -0.5}, {20, 20, 1}, {}}, {{1, 0, 1}, {0.5, 4, 2}, {}}}, {}};
  Scene scene = standing_robot(wall);
  scene.command(0, {0.4, 0.4, kUp});
  double most = 0;
  for (int i = 0; i < 2000; ++i) {
    scene.step();
    most = std::max(most, std::fabs(scene.state(0).left_torque));
  }
  EXPECT_LE(most, Crawler{}.track_torque);
  EXPECT_GT(most, 0.3 * Crawler{}.track_torque);
  EXPECT_LT(scene.state(0).position.x, 0.75 + 0.2);  // it may rear up, but not go through
}

TEST(Scene, WeakMotorsDoNotClimb) {
  Crawler weak;
  weak.track_torque = 3;
  for (const Crawler& c : {Crawler{}, weak}) {
    Scene scene = make_scene(slope(0.5));
    ASSERT_TRUE(scene.add(c, {0, 0, 0.13}, {0, -0.5, 0}, kUp));
    scene.command(0, {0.2, 0.2, kUp});
    run(scene, 3);
    EXPECT_EQ(scene.state(0).position.x > 0.3, c.track_torque > 10) << c.track_torque;
  }
}

// Belts hold along themselves up to their friction, and slide across at less.
TEST(Scene, HoldsAlongItsBeltsAndSlidesAcross) {
  constexpr double kAngle = 0.5;  // tan 0.55: between side friction 0.45 and friction 1.3
  const auto moved = [](double yaw) {
    Scene scene = make_scene(slope(kAngle));
    EXPECT_TRUE(scene.add(Crawler{}, {0, 0, 0.13},
                          attitude(Rotation{rotation({0, -kAngle, 0}) * Vec3{std::cos(yaw), std::sin(yaw), 0},
                                            rotation({0, -kAngle, 0}) * Vec3{-std::sin(yaw), std::cos(yaw), 0},
                                            rotation({0, -kAngle, 0}).z}),
                          kUp));
    run(scene, 1);
    const double x = scene.state(0).position.x;
    run(scene, 1.5);
    return scene.state(0).position.x - x;
  };
  EXPECT_NEAR(moved(0), 0, 0.01);
  EXPECT_LT(moved(kPi / 2), -0.05);
}

TEST(Scene, SameCommandsSameBits) {
  Scene a = standing_robot(), b = standing_robot();
  for (Scene* scene : {&a, &b}) {
    scene->command(0, {0.2, 0.3, {}});
    run(*scene, 2);
  }
  EXPECT_EQ(hash_of(a), hash_of(b));
}

TEST(Scene, GoesOnFromASnapshotAsItDid) {
  Scene scene = standing_robot();
  scene.command(0, {0.3, 0.1, {}});
  run(scene, 0.7);
  const Scene::Snapshot then = scene.save();
  run(scene, 1);
  const auto once = hash_of(scene);
  run(scene, 0.3);
  scene.restore(then);
  run(scene, 1);
  EXPECT_EQ(hash_of(scene), once);
}

TEST(Scene, RobotsComeAndGoAndOthersStandWhereTheyStood) {
  Scene scene = standing_robot();
  scene.command(0, {0.2, 0.2, kUp});
  run(scene, 1);
  const CrawlerState before = scene.state(0);
  const auto second = scene.put_down(Crawler{}, Pose2{0, 2, 1}, kUp);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(scene.state(0).position, before.position);
  EXPECT_EQ(scene.state(0).velocity, before.velocity);
  EXPECT_EQ(scene.state(0).left_angle, before.left_angle);
  run(scene, 1);
  EXPECT_GT(scene.state(0).position.x, before.position.x + 0.15);
  EXPECT_NEAR(scene.state(*second).position.y, 2, 0.01);
  scene.remove(0);
  ASSERT_EQ(scene.size(), 1u);
  EXPECT_NEAR(scene.state(0).position.y, 2, 0.01);
}

TEST(Scene, TwoRobotsDoNotGoThroughEachOther) {
  Scene scene = standing_robot();
  ASSERT_TRUE(scene.put_down(Crawler{}, Pose2{1.2, 0, kPi}, kUp));
  for (const std::size_t i : {0u, 1u}) scene.command(i, {0.2, 0.2, kUp});
  run(scene, 2.2);
  EXPECT_GT(scene.state(1).position.x - scene.state(0).position.x, 0.4);
}

TEST(Scene, ImpossiblePlacesAreRefusedAndChangeNothing) {
  world::Terrain block{{{{0, 0, -0.5}, {4, 4, 1}, {}}, {{1, 0, 0.5}, {1, 1, 1}, {}}}, {}};
  Scene scene = standing_robot(block, {-1, 0, 0});
  run(scene, 0.2);
  const auto before = hash_of(scene);
  EXPECT_FALSE(scene.add(Crawler{}, {1, 0, 0.3}, {}));       // in the block
  EXPECT_FALSE(scene.add(Crawler{}, {-1, 0.1, 0.1}, {}));    // in the other robot
  EXPECT_FALSE(scene.put_down(Crawler{}, Pose2{30, 0, 0}));  // beyond the ground
  EXPECT_FALSE(scene.add(Crawler{}, {-1, 1, 5}, {}));        // high in the air
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_EQ(hash_of(scene), before);
}

TEST(Scene, SaysWhenARobotHasFallenOver) {
  Scene scene = make_scene();
  ASSERT_TRUE(scene.add(Crawler{}, {0, 0, 0.4}, {kPi, 0, 0}));
  run(scene, 2);
  EXPECT_EQ(standing(scene.state(0)), Standing::upside_down);
  CrawlerState lost;
  lost.position.z = -100;
  EXPECT_EQ(standing(lost), Standing::lost);
  lost.position.z = std::nan("");
  EXPECT_EQ(standing(lost), Standing::lost);
}

TEST(Scene, ARobotOnItsEndIsNotOnItsSide) {
  constexpr double kDegree = kPi / 180;
  const auto leaning = [&](double roll_deg, double pitch_deg) {
    CrawlerState state;
    state.attitude = {roll_deg * kDegree, pitch_deg * kDegree, 1.1};
    return standing(state);
  };
  for (const double sign : {-1.0, 1.0}) {
    for (const double lean : {77.0, 90.0, 103.0}) {
      EXPECT_EQ(leaning(sign * lean, 0), Standing::on_its_side) << sign * lean;
      EXPECT_EQ(leaning(sign * lean, 20), Standing::on_its_side) << sign * lean;
      EXPECT_EQ(leaning(0, sign * lean), Standing::upside_down) << sign * lean;
    }
    EXPECT_EQ(leaning(sign * 73, 0), Standing::upright);
    EXPECT_EQ(leaning(0, sign * 73), Standing::upright);
    EXPECT_EQ(leaning(sign * 107, 0), Standing::upside_down);
  }
}

TEST(Scene, HeightsCarryIt) {
  world::Terrain hill;
  hill.height_maps.push_back({{-4, -4}, 0.5, 17, 17, std::vector<float>(17 * 17)});
  for (int row = 0; row < 17; ++row) {
    for (int column = 0; column < 17; ++column)
      hill.height_maps[0].heights[static_cast<std::size_t>(row * 17 + column)] = 0.1f * static_cast<float>(column);
  }
  Scene scene = make_scene(hill);
  EXPECT_NEAR(scene.ground_below({0.1, 0.2, 10}), 0.82, 1e-3);
  ASSERT_TRUE(scene.add(Crawler{}, {0, 0, 1.0}, {}));
  run(scene, 2);
  EXPECT_NEAR(scene.state(0).attitude.pitch, -std::atan(0.2), 0.03);
}

}  // namespace
}  // namespace forerun::physics
