#include "forerun/sense/sensors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::sense {
namespace {

constexpr float kNoEcho = std::numeric_limits<float>::infinity();
constexpr std::size_t kLaser = 0, kSonar = 1, kInfrared = 2, kBumper = 3;  // places in the list

robot::Description make_robot() {
  robot::Description robot;
  robot.footprint.radius = 0.3;
  robot.sensors.push_back(robot::Laser{.height = 0.4, .beams = 181, .field_of_view = kPi, .max_range = 8, .noise = 0});
  robot.sensors.push_back(robot::SonarRing{
      .count = 4, .ring_radius = 0.3, .height = 0.5, .cone_angle = 0.26, .rays = 9, .max_range = 6, .noise = 0});
  robot.sensors.push_back(
      robot::InfraredRing{.count = 4, .ring_radius = 0.3, .height = 0.2, .max_range = 0.6, .noise = 0});
  robot.sensors.push_back(robot::BumperRing{.count = 4, .reach = 0.01, .low = 0.05, .high = 0.4});
  return robot;
}

// Room of 6 m by 4 m about the origin.
world::World room() { return make_room({-3, -2}, {3, 2}); }

struct Rig {
  explicit Rig(const world::World& world, const robot::Description& robot = make_robot())
      : sensors(world, robot), readings(make_readings(robot)) {}
  Sensors sensors;
  Readings readings;
  Random random{42};
};

// Bit i is set when switch i is.
unsigned pressed(Rig& rig, const Scene& scene) {
  rig.sensors.read(kBumper, scene, rig.random, rig.readings.sensors[kBumper]);
  unsigned bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= rig.readings.sensors[kBumper].values[i] == 1 ? 1U << i : 0U;
  return bits;
}

TEST(Laser, MeasuresTheRoomExactlyWithoutNoise) {
  Rig rig(room());
  rig.sensors.read(kLaser, {{0, 0, 0}, {}}, rig.random, rig.readings.sensors[kLaser]);
  const auto& ranges = rig.readings.sensors[kLaser].values;
  EXPECT_NEAR(ranges[90], 3, 1e-6);   // ahead
  EXPECT_NEAR(ranges[0], 2, 1e-6);    // right
  EXPECT_NEAR(ranges[180], 2, 1e-6);  // left
  EXPECT_NEAR(ranges[135], 2 / sin(kPi / 4), 1e-6);
}

TEST(Laser, LeavesOutOnlyWhatIsOutOfReach) {
  robot::Description robot = make_robot();
  const Pose2 mount{0.1, 0.05, 0.2};
  std::get<robot::Laser>(robot.sensors[kLaser]).mount = mount;
  Rig whole(room(), robot), near(room(), robot);
  const std::vector<world::Mover> movers{world::make_disc({1, 1}, 0.3, 1.8, 0),
                                         world::make_disc({-1, -1}, 0.3, 1.8, 0)};
  constexpr double kReach = 2.2;
  int n_left_out = 0;
  for (double heading = -3; heading < 3; heading += 0.25) {
    const Pose2 pose{0.4, -0.3, heading};
    whole.sensors.read(kLaser, {pose, movers}, whole.random, whole.readings.sensors[kLaser]);
    near.sensors.read(kLaser, {pose, movers, kReach}, near.random, near.readings.sensors[kLaser]);
    for (std::size_t b = 0; b < 181; ++b) {
      const float range = whole.readings.sensors[kLaser].values[b], seen = near.readings.sensors[kLaser].values[b];
      const double bearing = -0.5 * kPi + static_cast<double>(b) * kPi / 180;
      const double from_center = length(mount * (unit_vector(bearing) * static_cast<double>(range)));
      if (seen == range) continue;
      EXPECT_EQ(seen, kNoEcho);
      EXPECT_GT(from_center, kReach);
      ++n_left_out;
    }
  }
  EXPECT_GT(n_left_out, 500);
}

TEST(Laser, SeesMoversAsRaysDo) {
  // two roads: the beams that look towards a mover, and every beam on its own
  robot::Description robot = make_robot();
  std::get<robot::Laser>(robot.sensors[kLaser]).field_of_view = kTwoPi * 180 / 181;
  std::get<robot::Laser>(robot.sensors[kLaser]).min_range = 0;
  Random random(8);
  int n_seen = 0, n_in_doubt = 0;
  for (int i = 0; i < 200; ++i) {
    Rig rig(world::World{}, robot);
    const Pose2 pose{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-kPi, kPi)};
    const world::Mover mover = world::make_disc({random.uniform(-2, 2), random.uniform(-2, 2)}, 0.3, 1.8, 0);
    rig.sensors.read(kLaser, {pose, std::span(&mover, 1)}, rig.random, rig.readings.sensors[kLaser]);
    const double step = kTwoPi / 181, first = pose.theta - 0.5 * kTwoPi * 180 / 181;
    for (std::size_t b = 0; b < 181; ++b) {
      const Vec2 u = unit_vector(first + static_cast<double>(b) * step);
      world::Hit hit;
      cast_on(mover, {{pose.x, pose.y, 0.4}, {u.x, u.y, 0}, 8}, hit);
      const float expected = hit.found() ? static_cast<float>(hit.distance) : kNoEcho;
      const float seen = rig.readings.sensors[kLaser].values[b];
      n_seen += seen < kNoEcho ? 1 : 0;
      // at the very rim rounding decides
      if ((expected == kNoEcho) != (seen == kNoEcho)) {
        ++n_in_doubt;
      } else if (seen < kNoEcho) {
        ASSERT_NEAR(seen, expected, 1e-5) << i << " beam " << b;
      }
    }
  }
  EXPECT_GT(n_seen, 1500);
  EXPECT_LE(n_in_doubt, 2);
}

TEST(Laser, NoiseHasTheStatedDeviation) {
  robot::Description robot = make_robot();
  std::get<robot::Laser>(robot.sensors[kLaser]).noise = 0.02;
  Rig rig(room(), robot);
  double sum = 0, sum2 = 0;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    rig.sensors.read(kLaser, {{0, 0, 0}, {}}, rig.random, rig.readings.sensors[kLaser]);
    const double error = rig.readings.sensors[kLaser].values[90] - 3;
    sum += error;
    sum2 += error * error;
  }
  EXPECT_NEAR(sum / n, 0, 0.002);
  EXPECT_NEAR(std::sqrt(sum2 / n), 0.02, 0.001);
}

TEST(Laser, SaysInfinityBeyondItsReachAndMinusInfinityTooNear) {
  robot::Description robot = make_robot();
  std::get<robot::Laser>(robot.sensors[kLaser]).max_range = 2.5;
  std::get<robot::Laser>(robot.sensors[kLaser]).min_range = 0.5;
  Rig rig(room(), robot);
  rig.sensors.read(kLaser, {{0, 1.6, 0}, {}}, rig.random, rig.readings.sensors[kLaser]);
  EXPECT_EQ(rig.readings.sensors[kLaser].values[90], kNoEcho);
  EXPECT_EQ(rig.readings.sensors[kLaser].values[180], -kNoEcho);
}

TEST(Laser, SeesPeopleOnlyWhereTheyStand) {
  Rig rig(room());
  const std::vector<world::Mover> person{world::make_disc({2, 0}, 0.25, 1.7, 0)};
  rig.sensors.read(kLaser, {{0, 0, 0}, person}, rig.random, rig.readings.sensors[kLaser]);
  const auto& ranges = rig.readings.sensors[kLaser].values;
  EXPECT_NEAR(ranges[90], 1.75, 1e-6);
  EXPECT_NEAR(ranges[0], 2, 1e-6);
  // one degree beside the rim, whose half-angle is asin(0.25 / 2)
  EXPECT_GT(ranges[90 + 9], 2.9);
  EXPECT_LT(ranges[90 + 7], 2.1);
}

TEST(Laser, SeesAMoverBehindTheSeamOfTheFan) {
  // a laser that looks backwards, with the person across ±180°
  robot::Description robot = make_robot();
  std::get<robot::Laser>(robot.sensors[kLaser]).mount = {0, 0, kPi};
  Rig rig(room(), robot);
  const std::vector<world::Mover> person{world::make_disc({-2, 0}, 0.25, 1.7, 0)};
  rig.sensors.read(kLaser, {{0, 0, 0}, person}, rig.random, rig.readings.sensors[kLaser]);
  for (const std::size_t beam : {85u, 90u, 95u}) EXPECT_LT(rig.readings.sensors[kLaser].values[beam], 1.9) << beam;
}

TEST(Laser, PassesOverWhatIsLow) {
  world::World world = room();
  add_box(world, {1.5, 0, 0}, {0.4, 0.4}, 0.3);
  Rig rig(world);
  rig.sensors.read(kLaser, {{0, 0, 0}, {}}, rig.random, rig.readings.sensors[kLaser]);
  EXPECT_NEAR(rig.readings.sensors[kLaser].values[90], 3, 1e-6);
}

TEST(Sonar, HearsTheNearestPointOfItsCone) {
  world::World world = room();
  // a thin post beside the axis, inside the cone: a line would miss it
  add_box(world, {1.5, 0.1, 0}, {0.1, 0.1}, 2);
  Rig rig(world);
  rig.sensors.read(kSonar, {{0, 0, 0}, {}}, rig.random, rig.readings.sensors[kSonar]);
  EXPECT_NEAR(rig.readings.sensors[kSonar].values[0], 1.45 - 0.3, 0.02);
}

TEST(Sonar, LosesTheEchoOfASlantingWall) {
  world::World world = room();
  world.materials[0] = {.reflection_angle = 0.3, .reflection_angle_slope = 0, .reflection_range = 0.1};
  Rig rig(world);
  // head-on there is an echo, turned by 45° every ray of the cone glances off
  rig.sensors.read(kSonar, {{0, 0, 0}, {}}, rig.random, rig.readings.sensors[kSonar]);
  EXPECT_NEAR(rig.readings.sensors[kSonar].values[0], 2.7, 1e-6);
  rig.sensors.read(kSonar, {{0, 0, kPi / 4}, {}}, rig.random, rig.readings.sensors[kSonar]);
  EXPECT_EQ(rig.readings.sensors[kSonar].values[0], kNoEcho);
}

TEST(Sonar, LosesEchoesAsOftenAsTheModelSays) {
  robot::Description robot = make_robot();
  std::get<robot::SonarRing>(robot.sensors[kSonar]).rays = 1;
  world::World world = room();
  world.materials[0] = {.reflection_angle = 0.2, .reflection_angle_slope = 0, .reflection_range = 0.4};
  Rig rig(world, robot);
  // the axis meets the wall ahead under 0.3 rad: P = (0.3 − 0.2) / 0.4
  int lost = 0;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    rig.sensors.read(kSonar, {{0, 0, 0.3}, {}}, rig.random, rig.readings.sensors[kSonar]);
    lost += rig.readings.sensors[kSonar].values[0] == kNoEcho ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(lost) / n, 0.25, 0.03);
}

TEST(Sonar, HearsMoversAsRaysDo) {
  // two roads: movers that stand in a cone, and every ray on its own
  world::World world;
  world.materials.push_back({.reflection_angle = 2, .reflection_angle_slope = 0});
  Random random(9);
  const auto cone = cone_directions(0.26, 9);
  int n_heard = 0;
  Rig rig(world);
  for (int i = 0; i < 500; ++i) {
    const Pose2 pose{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-kPi, kPi)};
    const Pose2 there{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-kPi, kPi)};
    const world::Mover mover =
        i % 2 == 0 ? world::make_disc(there.position(), 0.25, 1.8, 0) : world::make_box(there, {0.6, 0.3}, 1.8, 0);
    rig.sensors.read(kSonar, {pose, std::span(&mover, 1)}, rig.random, rig.readings.sensors[kSonar]);
    for (int sonar = 0; sonar < 4; ++sonar) {
      const Transform2 in_world(Pose2{pose.x, pose.y, pose.theta + sonar * kPi / 2});
      const Vec2 origin = in_world * Vec2{0.3, 0};
      world::Hit hit;
      for (const Vec3& ray : cone) {
        const Vec2 d = in_world.rotate({ray.x, ray.y});
        cast_on(mover, {{origin.x, origin.y, 0.5}, {d.x, d.y, ray.z}, 6}, hit);
      }
      const float heard = rig.readings.sensors[kSonar].values[static_cast<std::size_t>(sonar)];
      if (heard < kNoEcho) ++n_heard;
      ASSERT_EQ(heard < kNoEcho, hit.found()) << i << " sonar " << sonar;
      if (heard > 0 && heard < kNoEcho) {
        ASSERT_NEAR(heard, hit.distance, 1e-6) << i << " sonar " << sonar;
      }
    }
  }
  EXPECT_GT(n_heard, 100);
}

TEST(Sonar, ConeIsSpreadEvenlyUpToItsRim) {
  const auto cone = cone_directions(0.26, 9);
  ASSERT_EQ(cone.size(), 9u);
  EXPECT_EQ(cone[0], (Vec3{1, 0, 0}));
  Vec3 sum;
  for (const Vec3& ray : cone) {
    EXPECT_NEAR(length(ray), 1, 1e-12);
    EXPECT_GE(ray.x, cos(0.13) - 1e-12);
    sum = sum + ray;
  }
  EXPECT_NEAR(sum.y / 9, 0, 0.02);
  EXPECT_NEAR(sum.z / 9, 0, 0.02);
  EXPECT_EQ(cone_directions(0.26, 1).size(), 1u);
}

TEST(Infrared, MeasuresOnlyNearby) {
  Rig rig(room());
  rig.sensors.read(kInfrared, {{2.3, 0, 0}, {}}, rig.random, rig.readings.sensors[kInfrared]);
  EXPECT_NEAR(rig.readings.sensors[kInfrared].values[0], 0.4, 1e-6);
  EXPECT_EQ(rig.readings.sensors[kInfrared].values[1], kNoEcho);
}

TEST(Bumper, FeelsTheSideThatTouches) {
  Rig rig(room());
  EXPECT_EQ(pressed(rig, {{0, 0, 0}, {}}), 0u);
  EXPECT_EQ(pressed(rig, {{2.695, 0, 0}, {}}), 1u);        // ahead
  EXPECT_EQ(pressed(rig, {{0, 1.695, 0}, {}}), 2u);        // left
  EXPECT_EQ(pressed(rig, {{0, 1.695, kPi / 2}, {}}), 1u);  // ahead, after turning
  const std::vector<world::Mover> person{world::make_disc({-0.549, 0}, 0.25, 1.7, 0)};
  EXPECT_EQ(pressed(rig, {{0, 0, 0}, person}), 4u);  // behind
}

TEST(Sensors, SameSeedSameReadings) {
  robot::Description robot = make_robot();
  std::get<robot::Laser>(robot.sensors[kLaser]).noise = 0.02;
  Rig a(room(), robot), b(room(), robot);
  a.sensors.read(kLaser, {{0.3, 0.1, 0.5}, {}}, a.random, a.readings.sensors[kLaser]);
  b.sensors.read(kLaser, {{0.3, 0.1, 0.5}, {}}, b.random, b.readings.sensors[kLaser]);
  EXPECT_EQ(a.readings.sensors[kLaser].values, b.readings.sensors[kLaser].values);
  Random other(43);
  b.sensors.read(kLaser, {{0.3, 0.1, 0.5}, {}}, other, b.readings.sensors[kLaser]);
  EXPECT_NE(a.readings.sensors[kLaser].values, b.readings.sensors[kLaser].values);
}

TEST(Sensors, AllocateNothing) {
  Rig rig(room());
  const std::vector<world::Mover> person{world::make_disc({2, 0}, 0.25, 1.7, 0)};
  const Scene scene{{0.3, 0.1, 0.5}, person};
  const AllocationCounter allocations;
  rig.sensors.read(kLaser, scene, rig.random, rig.readings.sensors[kLaser]);
  rig.sensors.read(kSonar, scene, rig.random, rig.readings.sensors[kSonar]);
  rig.sensors.read(kInfrared, scene, rig.random, rig.readings.sensors[kInfrared]);
  EXPECT_EQ(pressed(rig, scene), 0u);
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::sense
