// A map drawn from scans whose poses are known.
#include "forerun/localize/scan_map.hpp"

#include <gtest/gtest.h>

#include "tests/localize/drawn_map.hpp"

namespace forerun::localize {
namespace {

TEST(ScanMap, OneBeamFreesItsWayAndEndsInAWall) {
  const std::vector<float> ranges{2.02f};
  const PosedScan posed{{1.03, 1.03, kPi / 2}, {.max_range = 10, .ranges = ranges}};
  const OccupancyMap map = draw_map({&posed, 1}, {.cell_size = 0.1});
  const auto at = [&](double x, double y) { return map[map.frame().cell_of({x, y})]; };
  EXPECT_EQ(at(1.03, 3.05), Occupancy::occupied);
  for (double y = 1.05; y < 3; y += 0.1) EXPECT_EQ(at(1.03, y), Occupancy::free) << y;
  EXPECT_EQ(at(1.15, 2), Occupancy::unknown);
}

TEST(ScanMap, DrawsWhatTheLaserSaw) {
  const OccupancyMap rooms = test::three_rooms();
  Random random(1, 1);
  std::vector<std::vector<float>> ranges;
  std::vector<PosedScan> scans;
  ranges.reserve(100);
  for (double x = 2; x < 14; x += 0.5) {
    const Pose2 pose{x, 4.6, 0.3 * x};
    ranges.push_back(test::seen_ranges(rooms, pose, random));
    scans.push_back({pose, {.step = kTwoPi / test::kBeams, .max_range = 19, .ranges = ranges.back()}});
  }
  const OccupancyMap map = draw_map(scans, {.cell_size = 0.1});
  const LikelihoodField truth(rooms);
  std::size_t n_walls = 0, n_wrong = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] != Occupancy::occupied) continue;
    ++n_walls;
    n_wrong += truth.distance_at(map.frame().center(map.frame().cell_at(i))) > 10 ? 1 : 0;
  }
  EXPECT_GT(n_walls, 200u);
  EXPECT_LT(n_wrong, n_walls / 50);
}

TEST(ScanMap, WhatIsBeyondTheLongestBeamIsLeftOut) {
  const std::vector<float> ranges{50, 3};
  const PosedScan posed{{}, {.step = 1, .max_range = 80, .ranges = ranges}};
  const GridFrame frame = frame_of({&posed, 1}, {.longest_beam = 30});
  EXPECT_LT(frame.width, 100);
}

}  // namespace
}  // namespace forerun::localize
