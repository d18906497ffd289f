// Coarse matching finds the best pose of a window, as looking at each of them would.
#include "forerun/mapping/coarse_match.hpp"

#include <gtest/gtest.h>

#include "tests/support/simulated_scans.hpp"

namespace forerun::mapping {
namespace {

double score_at(const LikelihoodGrid& grid, std::span<const SurfacePoint> points, const Pose2& middle, Cell shift) {
  int sum = 0;
  for (const SurfacePoint& point : points) {
    const Cell cell = grid.frame().cell_of(middle * point.at);
    sum += grid.value({cell.x + shift.x, cell.y + shift.y}, 0);
  }
  return sum / (255.0 * static_cast<double>(points.size()));
}

TEST(CoarseMatch, IsTheBestOfAllPosesInTheWindow) {
  Random random(3, 0);
  const LikelihoodGrid grid(test::see_walls(test::odd_room(), {}, random), 20);
  for (int trial = 0; trial < 5; ++trial) {
    const Pose2 there{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.2)};
    const auto points = test::see_walls(test::odd_room(), there, random);
    const SearchWindow window{{0, 0, 0}, 0.6, 0.25};
    const CoarseMatch found = match_coarsely(grid, points, window, 0.025);
    double best = 0;
    for (int a = -10; a <= 10; ++a) {
      for (int y = -12; y <= 12; ++y) {
        for (int x = -12; x <= 12; ++x) best = std::max(best, score_at(grid, points, {0, 0, a * 0.025}, {x, y}));
      }
    }
    EXPECT_DOUBLE_EQ(found.score, best) << trial;
    EXPECT_LT(distance(found.reference_from_points.position(), there.position()), 0.1) << trial;
    EXPECT_NEAR(found.reference_from_points.theta, there.theta, 0.03) << trial;
  }
}

TEST(CoarseMatch, FindsWhatIsFarOff) {
  Random random(4, 0);
  const LikelihoodGrid grid(test::see_walls(test::odd_room(), {}, random), 20);
  const Pose2 there{-1.4, 0.9, 0.4};
  const CoarseMatch found = match_coarsely(grid, test::see_walls(test::odd_room(), there, random), {{}, 2, 0.6});
  EXPECT_LT(distance(found.reference_from_points.position(), there.position()), 0.1);
  EXPECT_NEAR(found.reference_from_points.theta, there.theta, 0.02);
  EXPECT_LT(found.runner_up, 0.9 * found.score) << "no other place looks like this";
}

TEST(CoarseMatch, InACorridorAnotherPlaceIsAsGood) {
  const test::Walls corridor{{{-50, 1}, {50, 1}}, {{50, -1}, {-50, -1}}};
  // beams so near to each other that single ones do not show
  const test::Laser dense{-kPi / 2, kPi / 1440, 1441};
  Random random(5, 0);
  const LikelihoodGrid grid(test::see_walls(corridor, {}, random, dense), 20);
  const auto points = thin_out(test::see_walls(corridor, {3, 0, 0}, random), 0.05);
  const CoarseMatch alone = match_coarsely(grid, points, {{3, 0, 0}, 2, 0.1});
  EXPECT_GT(alone.runner_up, 0.95 * alone.score);
  // what is believed decides
  const CoarseMatch held = match_coarsely(grid, points, {{3, 0, 0}, 2, 0.1, 0.2, 0.05});
  EXPECT_NEAR(held.reference_from_points.x, 3, 0.15);
}

TEST(CoarseMatch, WithoutPointsItIsTheMiddle) {
  const LikelihoodGrid grid({}, 20);
  const CoarseMatch found = match_coarsely(grid, {}, {{1, 2, 0.5}, 1, 0.3});
  EXPECT_EQ(found.reference_from_points, (Pose2{1, 2, 0.5}));
  EXPECT_EQ(found.score, 0);
}

}  // namespace
}  // namespace forerun::mapping
