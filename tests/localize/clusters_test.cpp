// Where particles gather.
#include "forerun/localize/clusters.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::localize {
namespace {

void add(std::vector<Particle>& particles, const Pose2& mean, double sigma, int n, double weight) {
  Random random(particles.size(), 4);
  for (int i = 0; i < n; ++i) {
    particles.push_back({{mean.x + sigma * random.normal(), mean.y + sigma * random.normal(),
                          normalize_angle(mean.theta + 0.05 * random.normal())},
                         weight / n});
  }
}

TEST(Clusters, TheHeaviestPlaceComesFirst) {
  std::vector<Particle> particles;
  add(particles, {1, 1, 0.2}, 0.05, 400, 0.3);
  // this one is wide, so that none of its bins is as heavy as the other's
  add(particles, {6, 2, kPi}, 0.25, 900, 0.6);
  add(particles, {1, 1, -2}, 0.05, 50, 0.1);
  ClusterFinder finder(2000);
  const Clusters clusters = finder.find(particles);
  ASSERT_GE(clusters.size(), 3u);
  EXPECT_NEAR(clusters[0].share, 0.6, 0.01);
  EXPECT_NEAR(clusters[0].mean.x, 6, 0.05);
  EXPECT_NEAR(std::fabs(clusters[0].mean.theta), kPi, 0.02) << "headings have no end at ±π";
  EXPECT_NEAR(std::sqrt(clusters[0].covariance(0, 0)), 0.25, 0.03);
  EXPECT_NEAR(std::sqrt(clusters[0].covariance(2, 2)), 0.05, 0.01);
  EXPECT_NEAR(clusters[1].share, 0.3, 0.01);
  EXPECT_NEAR(clusters[2].share, 0.1, 0.01) << "the same place, looking elsewhere";
}

TEST(Clusters, FarAndWideIsNoPlace) {
  std::vector<Particle> particles;
  Random random(9, 1);
  for (int i = 0; i < 3000; ++i) {
    particles.push_back({{random.uniform(-50, 50), random.uniform(-50, 50), random.uniform(-kPi, kPi)}, 1.0 / 3000});
  }
  ClusterFinder finder(3000);
  for (const Cluster& cluster : finder.find(particles)) EXPECT_LT(cluster.share, 0.05);
}

TEST(Clusters, NothingIsNowhere) {
  ClusterFinder finder(10);
  EXPECT_TRUE(finder.find({}).empty());
}

}  // namespace
}  // namespace forerun::localize
