// The middle of several poses, which strays hardly move.
#include "forerun/geom/geometric_median.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/base/random.hpp"

namespace forerun {
namespace {

double mean_distance(Vec2 place, const Pose2& first, double count, const std::vector<Pose2>& others) {
  double sum = count * distance(place, first.position());
  for (const Pose2& pose : others) sum += distance(place, pose.position());
  return sum / (count + static_cast<double>(others.size()));
}

// Looks everywhere, then ever more closely where it was best.
Vec2 search(const Pose2& first, double count, const std::vector<Pose2>& others) {
  Vec2 best = first.position();
  for (double step = 0.2; step > 1e-4; step /= 5) {
    const Vec2 middle = best;
    for (int x = -25; x <= 25; ++x) {
      for (int y = -25; y <= 25; ++y) {
        const Vec2 place = middle + Vec2{x * step, y * step};
        if (mean_distance(place, first, count, others) < mean_distance(best, first, count, others)) best = place;
      }
    }
  }
  return best;
}

std::vector<Pose2> random_poses(Random& random, int n) {
  std::vector<Pose2> poses;
  // most about each other, a few far away
  for (int i = 0; i < n; ++i) {
    const double size = random.uniform() < 0.7 ? 0.3 : 2;
    poses.push_back({size * random.normal(), size * random.normal(), random.uniform(-0.5, 0.5)});
  }
  return poses;
}

TEST(GeometricMedian, HasTheLeastMeanDistanceToAllPoses) {
  Random random(1, 9);
  double sum_off = 0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<Pose2> others = random_poses(random, 8);
    const Pose2 first{0.3 * random.normal(), 0.3 * random.normal(), 0};
    const Vec2 found = geometric_median(first, 2, others).position();
    const Vec2 best = search(first, 2, others);
    // flat about its lowest place, and only a few steps are made: what counts is the height
    EXPECT_LT(mean_distance(found, first, 2, others), mean_distance(best, first, 2, others) + 0.02) << i;
    EXPECT_LT(distance(found, best), 0.3) << i;
    sum_off += distance(found, best) / 60;
  }
  EXPECT_LT(sum_off, 0.06);  // on average [m]
}

TEST(GeometricMedian, StaysWhereMostOfThemAre) {
  std::vector<Pose2> poses(5, Pose2{1, 1, 0.2});
  poses.push_back({50, -20, 3});
  poses.push_back({50, 20, 3});
  const Pose2 middle = geometric_median({1, 1, 0.2}, 2, poses);
  EXPECT_LT(distance(middle.position(), {1, 1}), 0.02);
  EXPECT_NEAR(middle.theta, 0.2, 0.01);
}

TEST(GeometricMedian, OfASinglePoseIsThatPose) {
  const Pose2 pose{3, -2, 3.1};
  EXPECT_EQ(geometric_median(pose, 2, {}), pose);
  const std::vector<Pose2> same(8, pose);
  const Pose2 middle = geometric_median(pose, 2, same);
  EXPECT_NEAR(distance(middle.position(), pose.position()), 0, 1e-12);
  EXPECT_NEAR(middle.theta, pose.theta, 1e-12);
}

TEST(GeometricMedian, HeadingsAreAveragedAcrossTheHalfTurn) {
  const std::vector<Pose2> others{{0, 0, -kPi + 0.1}, {0, 0, -kPi + 0.1}};
  EXPECT_NEAR(std::fabs(geometric_median({0, 0, kPi - 0.1}, 2, others).theta), kPi, 1e-9);
}

}  // namespace
}  // namespace forerun
