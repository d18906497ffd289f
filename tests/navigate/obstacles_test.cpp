#include "forerun/navigate/obstacles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

#include "forerun/base/random.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::navigate {
namespace {

constexpr float kNoEcho = std::numeric_limits<float>::infinity();

robot::Description make_robot() {
  robot::Description robot;
  robot.sensors.push_back(robot::Laser{.beams = 3, .field_of_view = kPi, .min_range = 0.05, .max_range = 10});
  robot.sensors.push_back(robot::SonarRing{.count = 4, .ring_radius = 0.2, .cone_angle = 0.26, .min_range = 0.1});
  robot.sensors.push_back(robot::InfraredRing{.count = 4, .ring_radius = 0.2});
  return robot;
}

struct Field {
  robot::Description robot = make_robot();
  sense::Readings readings = sense::make_readings(robot);
  std::unique_ptr<ObstacleField> obstacles = std::make_unique<ObstacleField>();

  std::span<const Obstacle> update(const Pose2& odometry = {}) {
    obstacles->update(robot, readings, odometry, 5);
    return obstacles->nearest_first();
  }
};

TEST(Obstacles, NothingHeardIsNothingThere) {
  Field field;
  EXPECT_TRUE(field.update().empty());
}

TEST(Obstacles, LaserBeamsBecomePointsNearestFirst) {
  Field field;
  field.readings.sensors[0].values = {2.0F, 3.0F, 1.0F};  // right, ahead, left
  const auto points = field.update();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[0].point_in_robot.y, 1, 1e-9);
  EXPECT_NEAR(points[1].point_in_robot.y, -2, 1e-9);
  EXPECT_NEAR(points[2].point_in_robot.x, 3, 1e-9);
}

TEST(Obstacles, MoveWithTheOdometrySinceTheScan) {
  Field field;
  field.readings.sensors[0].values = {kNoEcho, 3.0F, kNoEcho};
  // driven 1 m and turned left by 90°: what was ahead is now to the right
  const auto points = field.update({1, 0, kPi / 2});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].point_in_robot.x, 0, 1e-9);
  EXPECT_NEAR(points[0].point_in_robot.y, -2, 1e-9);
}

TEST(Obstacles, PressedSwitchesStandAtTheRim) {
  Field field;
  field.robot.sensors.push_back(robot::BumperRing{.count = 4});
  field.readings = sense::make_readings(field.robot);
  EXPECT_TRUE(field.update().empty());
  field.readings.sensors[3].values = {0, 1, 0, 0};
  const auto points = field.update({1, 0, 0});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].point_in_robot.y, field.robot.footprint.radius, 1e-9);
}

TEST(Obstacles, LasersExplainASonarThatStandsBeforeThem) {
  Field field;
  std::reverse(field.robot.sensors.begin(), field.robot.sensors.end());
  field.readings = sense::make_readings(field.robot);
  field.readings.sensors[1].values = {1.0F, kNoEcho, kNoEcho, kNoEcho};
  field.readings.sensors[2].values = {kNoEcho, 1.22F, kNoEcho};
  EXPECT_EQ(field.update().size(), 1u);
}

TEST(Obstacles, TooNearToMeasureIsAsNearAsCanBeMeasured) {
  Field field;
  field.readings.sensors[0].values = {kNoEcho, -kNoEcho, kNoEcho};
  const auto points = field.update();
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].range, 0.05, 1e-9);
}

TEST(Obstacles, AnEchoThatNoLaserExplainsSpansItsCone) {
  Field field;
  field.readings.sensors[1].values = {1.0F, kNoEcho, kNoEcho, kNoEcho};
  EXPECT_EQ(field.update().size(), 3u);
}

TEST(Obstacles, AnEchoThatALaserExplainsAddsNothing) {
  Field field;
  field.readings.sensors[1].values = {1.0F, kNoEcho, kNoEcho, kNoEcho};
  field.readings.sensors[0].values = {kNoEcho, 1.22F, kNoEcho};
  EXPECT_EQ(field.update().size(), 1u);
  // a laser that looks past something nearer explains nothing
  field.readings.sensors[0].values = {kNoEcho, 3.0F, kNoEcho};
  EXPECT_EQ(field.update().size(), 4u);
}

TEST(Obstacles, PreparedOrNotTheyAreTheSame) {
  Field prepared, plain;
  prepared.robot.sensors.push_back(robot::BumperRing{.count = 8});
  plain.robot = prepared.robot;
  prepared.obstacles->prepare(prepared.robot);
  prepared.readings = sense::make_readings(prepared.robot);
  Random random(10);
  for (sense::Reading& reading : prepared.readings.sensors)
    for (float& value : reading.values) value = static_cast<float>(random.uniform(0.2, 2));
  plain.readings = prepared.readings;
  const auto expected = plain.update({0.3, 0.1, 0.5}), points = prepared.update({0.3, 0.1, 0.5});
  ASSERT_EQ(points.size(), expected.size());
  ASSERT_GT(points.size(), 15u);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].point_in_robot, expected[i].point_in_robot);
}

TEST(Obstacles, AreSortedHoweverTheyLie) {
  Random random(11);
  const auto field = std::make_unique<ObstacleField>();
  for (const double spread : {3.0, 1e-3, 0.0}) {  // all around, on a thin ring, on top of each other
    std::vector<Vec2> points;
    for (int i = 0; i < 500; ++i)
      points.push_back(unit_vector(random.uniform(-3, 3)) * (1 + random.uniform(0, spread)));
    for (int i = 0; i < 40; ++i) points.push_back(points[0]);
    field->update(points);
    const auto sorted = field->nearest_first();
    ASSERT_EQ(sorted.size(), points.size());
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), [](const Obstacle& a, const Obstacle& b) {
      return std::tuple(a.range, a.point_in_robot.x, a.point_in_robot.y) <
             std::tuple(b.range, b.point_in_robot.x, b.point_in_robot.y);
    })) << spread;
    for (const Vec2 p : points)
      EXPECT_TRUE(std::any_of(sorted.begin(), sorted.end(), [&](const Obstacle& o) { return o.point_in_robot == p; }));
  }
}

TEST(Obstacles, FreeWayIsExactForADisc) {
  // two roads: the pruned search and every point on its own
  Random random(9);
  const auto field = std::make_unique<ObstacleField>();
  for (int i = 0; i < 300; ++i) {
    std::vector<Vec2> points;
    for (int k = 0; k < 25; ++k) points.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
    field->update(points);
    const Vec2 u = unit_vector(random.uniform(-kPi, kPi));
    double way = 2.5;
    for (const Vec2 p : points) {
      const double ahead = dot(p, u), aside = cross(u, p);
      if (ahead > 0 && std::fabs(aside) < 0.3)
        way = std::min(way, std::max(0.0, ahead - std::sqrt(0.09 - aside * aside)));
    }
    EXPECT_EQ(field->free_way(u, 0.3, 2.5), way);
  }
}

TEST(Obstacles, UpdateAllocatesNothing) {
  Field field;
  field.readings.sensors[0].values = {2.0F, 3.0F, 1.0F};
  field.readings.sensors[1].values = {1.0F, 1.0F, 1.0F, 1.0F};
  const AllocationCounter allocations;
  field.update();
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
