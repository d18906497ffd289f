// Fine matching finds displacements that are known, and says how well.
#include "forerun/mapping/line_match.hpp"

#include <gtest/gtest.h>

#include "tests/support/simulated_scans.hpp"

namespace forerun::mapping {
namespace {

constexpr double kDegree = kPi / 180;

// The view from `there` against the one from the origin, begun at a pose that is off by `off`.
LineMatch match(const test::Walls& walls, const Pose2& there, const Pose2& off, std::uint64_t seed,
                double outliers = 0) {
  Random random(seed, 0);
  const SurfaceIndex reference(test::see_walls(walls, {}, random), 0.3);
  auto points = test::see_walls(walls, there, random);
  for (SurfacePoint& point : points) {
    if (random.uniform() < outliers) point.at = point.at * random.uniform(0.3, 0.95);
  }
  return match_to_lines(reference, points, there * off);
}

TEST(LineMatch, FindsAKnownDisplacement) {
  Random random(1, 0);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Pose2 there{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.3, 0.3)};
    const Pose2 off{random.uniform(-0.08, 0.08), random.uniform(-0.08, 0.08), random.uniform(-0.05, 0.05)};
    const LineMatch found = match(test::odd_room(), there, off, seed);
    EXPECT_TRUE(found.converged) << seed;
    EXPECT_NEAR(found.reference_from_points.x, there.x, 0.015) << seed;
    EXPECT_NEAR(found.reference_from_points.y, there.y, 0.015) << seed;
    EXPECT_NEAR(found.reference_from_points.theta, there.theta, 0.3 * kDegree) << seed;
    EXPECT_GT(found.share_matched, 0.9) << seed;
  }
}

TEST(LineMatch, OutliersHardlyPull) {
  const Pose2 there{0.3, 0.2, 0.1};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const LineMatch found = match(test::odd_room(), there, {0.05, -0.05, 0.03}, seed, 0.3);
    EXPECT_LT(distance(found.reference_from_points.position(), there.position()), 0.03) << seed;
    EXPECT_NEAR(found.reference_from_points.theta, there.theta, 0.6 * kDegree) << seed;
  }
}

TEST(LineMatch, TheInverseDisplacementIsFoundTheOtherWayRound) {
  Random random(5, 0);
  const Pose2 there{0.4, -0.2, 0.2};
  const auto here_seen = test::see_walls(test::odd_room(), {}, random);
  const auto there_seen = test::see_walls(test::odd_room(), there, random);
  const Pose2 one = match_to_lines(SurfaceIndex(here_seen, 0.3), there_seen, there).reference_from_points;
  const Pose2 other = match_to_lines(SurfaceIndex(there_seen, 0.3), here_seen, inverse(there)).reference_from_points;
  const Pose2 both = one * other;
  EXPECT_LT(length(both.position()), 0.02);
  EXPECT_NEAR(both.theta, 0, 0.4 * kDegree);
}

TEST(LineMatch, ACorridorLeavesItsOwnDirectionOpen) {
  const test::Walls corridor{{{-50, 1}, {50, 1}}, {{50, -1}, {-50, -1}}};
  const LineMatch open = match(corridor, {0.2, 0.1, 0}, {}, 1), closed = match(test::odd_room(), {0.2, 0.1, 0}, {}, 1);
  EXPECT_GT(open.weakest_sigma, 0.1);
  EXPECT_LT(closed.weakest_sigma, 0.03);
  // across the corridor it is known all the same
  EXPECT_GT(open.information(1, 1), 100 * open.information(0, 0));
  EXPECT_NEAR(open.reference_from_points.y, 0.1, 0.01);
  EXPECT_NEAR(open.reference_from_points.x, 0.2, 0.05) << "it stays where it was believed";
}

TEST(LineMatch, DoorFramesTellHowFarAlongTheCorridorItIs) {
  test::Walls corridor{{{-50, 1}, {50, 1}}, {{50, -1}, {-50, -1}}};
  for (const double x : {1.0, 2.1, 3.7, 4.4}) test::add_rectangle(corridor, {x, 0.9}, {x + 0.12, 1});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const LineMatch found = match(corridor, {0.2, 0.1, 0}, {0.08, 0, 0}, seed);
    EXPECT_NEAR(found.reference_from_points.x, 0.2, 0.04) << seed;
  }
}

TEST(LineMatch, StatedSigmasHoldWhatHappens) {
  const Pose2 there{0.3, 0.1, 0.1};
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const LineMatch found = match(test::odd_room(), there, {}, seed);
    const Pose2& pose = found.reference_from_points;
    const Vector<3> error{{{{pose.x - there.x}, {pose.y - there.y}, {normalize_angle(pose.theta - there.theta)}}}};
    inside += (transposed(error) * found.information * error)(0, 0) < 7.81 ? 1 : 0;  // 95 % of three numbers
  }
  EXPECT_GE(inside, 54);
}

TEST(LineMatch, WithoutPointsItStays) {
  const SurfaceIndex reference({}, 0.3);
  const LineMatch found = match_to_lines(reference, {}, {1, 2, 0.5});
  EXPECT_EQ(found.reference_from_points, (Pose2{1, 2, 0.5}));
  EXPECT_EQ(found.share_matched, 0);
}

}  // namespace
}  // namespace forerun::mapping
