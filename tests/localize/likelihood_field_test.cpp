// How far every place is from a wall.
#include "forerun/localize/likelihood_field.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::localize {
namespace {

// To the nearest edge of an occupied cell, cell by cell.
double distance_by_brute_force(const OccupancyMap& map, Vec2 p) {
  double nearest = kInfinity;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] != Occupancy::occupied) continue;
    const Vec2 c = map.frame().center(map.frame().cell_at(i));
    const double half = map.frame().cell_size / 2;
    const Vec2 off{std::max(std::fabs(p.x - c.x) - half, 0.0), std::max(std::fabs(p.y - c.y) - half, 0.0)};
    nearest = std::min(nearest, length(off));
  }
  return nearest;
}

TEST(LikelihoodField, IsTheDistanceByBruteForce) {
  Random random(3, 1);
  OccupancyMap map({37, 23, 0.1, {-1.2, 4.5}}, Occupancy::free);
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (random.uniform() < 0.01) map[i] = Occupancy::occupied;
    if (random.uniform() < 0.2) map[i] = Occupancy::unknown;
  }
  const LikelihoodField field(map);
  ASSERT_GE(field.frame().size(), 80u * 70u) << "there is room around the map";
  for (std::size_t i = 0; i < field.frame().size(); ++i) {
    const Vec2 p = field.frame().center(field.frame().cell_at(i));
    const double expected = std::min(distance_by_brute_force(map, p) * 100, 255.0);
    ASSERT_NEAR(field.distance_at(p), expected, 0.51) << p.x << ", " << p.y;
  }
}

TEST(LikelihoodField, NothingIsNearOffTheMap) {
  const OccupancyMap map({3, 3, 0.5, {}}, Occupancy::occupied);
  const LikelihoodField field(map);
  EXPECT_EQ(field.distance_at({0.7, 0.7}), 0);
  EXPECT_EQ(field.distance_at({1000, 0}), 255);
  EXPECT_EQ(field.distance_at({-1000, 0}), 255);
  EXPECT_EQ(field.distance_at({kInfinity, 0}), 255);
  EXPECT_EQ(field.distance_at({0, std::numeric_limits<double>::quiet_NaN()}), 255);
}

TEST(EchoTable, FallsFromOneToWhatOutliersLeave) {
  const EchoTable table({0.1, 0.2});
  EXPECT_EQ(table.explained(0), 1);
  EXPECT_NEAR(static_cast<double>(table.explained(10)), std::exp(-0.5), 1e-6) << "one σ";
  EXPECT_NEAR(static_cast<double>(table.log_likelihood(0)), 0, 1e-6);
  EXPECT_NEAR(static_cast<double>(table.log_likelihood(255)), std::log(0.2), 1e-6);
  for (int i = 1; i < 256; ++i) {
    EXPECT_LE(table.log_likelihood(static_cast<std::uint8_t>(i)),
              table.log_likelihood(static_cast<std::uint8_t>(i - 1)));
  }
}

}  // namespace
}  // namespace forerun::localize
