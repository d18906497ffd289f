#include "forerun/predict/shared_scans.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/world/outline.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

constexpr double kReach = 3;  // [m]

class SharedScansTest : public testing::Test {
 protected:
  [[nodiscard]] static Pose2 somewhere(Random& random) {
    return {random.uniform(0.5, 5.5), random.uniform(0.5, 5.5), random.uniform(-kPi, kPi)};
  }
  // All that was seen, in the world.
  [[nodiscard]] std::vector<Vec2> points(const sense::Readings& readings) const {
    std::vector<Vec2> seen;
    for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
      const auto& laser = std::get<robot::Laser>(model_.robot.sensors[i]);
      const sense::Reading& scan = readings.sensors[i];
      const double step = laser.field_of_view / (laser.beams - 1);
      for (std::size_t b = 0; b < scan.values.size(); ++b) {
        const auto range = static_cast<double>(scan.values[b]);
        const double bearing = static_cast<double>(b) * step - 0.5 * laser.field_of_view;
        if (range < kInfinity) seen.push_back(scan.odometry * laser.mount * (unit_vector(bearing) * range));
      }
    }
    return seen;
  }

  ReplicaModel model_ = *make_replica_model(make_hall(), make_hall_robot());
};

TEST_F(SharedScansTest, ShowTheWallsWhereTheyAreFromCentimetresOff) {
  SharedScans scans(model_);
  const world::Outline walls(make_hall(), {0.3, 0.5});
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Pose2 pose = somewhere(random);
    const sense::Readings& seen = scans.near(pose, kReach, model_.sensors);
    EXPECT_LT(distance(seen.sensors[0].odometry.position(), pose.position()), 0.05);
    const std::vector<Vec2> all = points(seen);
    for (const Vec2 p : all) ASSERT_LT(walls.distance(p, 1), 1e-5);
    // and nothing near is missing
    double nearest = kInfinity;
    for (const Vec2 p : all) nearest = std::min(nearest, distance(p, pose.position()));
    ASSERT_LT(nearest, walls.distance(pose.position(), kReach) + 0.02) << i;
  }
}

// However many others ask, and where: a prediction must not depend on how often it is asked for.
TEST_F(SharedScansTest, AreTheSameWhoeverHasBeenThere) {
  SharedScans busy(model_);
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Pose2 pose = somewhere(random), beside{pose.x + 0.01, pose.y - 0.02, pose.theta + 0.03};
    static_cast<void>(busy.near(beside, kReach, model_.sensors));
    static_cast<void>(busy.near(somewhere(random), kReach, model_.sensors));
    SharedScans fresh(model_);
    ASSERT_EQ(points(busy.near(pose, kReach, model_.sensors)), points(fresh.near(pose, kReach, model_.sensors))) << i;
  }
}

TEST_F(SharedScansTest, AreTakenAgainForALongerReach) {
  SharedScans scans(model_);
  const std::size_t n_near = points(scans.near({3, 3, 0}, 1, model_.sensors)).size();
  EXPECT_GT(points(scans.near({3, 3, 0}, 5, model_.sensors)).size(), n_near);
  EXPECT_EQ(points(scans.near({3, 3, 0}, 1, model_.sensors)).size(), n_near);
}

TEST_F(SharedScansTest, TakeAsMuchMemoryAsTheySay) {
  // two lasers of 90 beams each: at least the ranges, and not much more
  const double ranges = 128 * 2 * 90 * sizeof(float);
  EXPECT_GT(SharedScans::bytes_for(model_.robot), ranges);
  EXPECT_LT(SharedScans::bytes_for(model_.robot), 2 * ranges);
}

TEST_F(SharedScansTest, AllocateNothing) {
  SharedScans scans(model_);
  Random random(6);
  const AllocationCounter counter;
  for (int i = 0; i < 300; ++i) static_cast<void>(scans.near(somewhere(random), kReach, model_.sensors));
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace forerun::predict
