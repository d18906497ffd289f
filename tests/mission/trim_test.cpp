#include "forerun/mission/trim.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "tests/mission/paths.hpp"

namespace forerun::mission {
namespace {

double length_of(std::span<const PathPoint> path) { return lengths_along(path).back(); }

TEST(Trim, CutsTheBumpAndTheWayBackFromIt) {
  HandDrive drive;
  drive.forward(1).bump().back(0.3).turn(kPi / 2).forward(1);
  const Trim trim = find_cuts(drive.path(), {});
  ASSERT_EQ(trim.cuts.size(), 1u);
  EXPECT_EQ(trim.cuts[0].kind, Redundant::bump);
  EXPECT_NEAR(trim.cuts[0].length_m, 0.6, 0.03);
  EXPECT_LT(trim.cuts[0].gap_m, 0.01);
  const TrimmedPath trimmed = apply_cuts(drive.path(), trim.cuts);
  EXPECT_EQ(count_bumps(trimmed.points), 0);
  EXPECT_NEAR(length_of(trimmed.points), 1.7, 0.04);
  ASSERT_EQ(trimmed.joints.size(), 1u);
  EXPECT_NEAR(trimmed.points[trimmed.joints[0]].pose.x, 0.7, 0.03);
}

TEST(Trim, CutsALoopAndABackAndForthByTheirNames) {
  HandDrive drive;
  drive.forward(1).go({0.2, 0, 0.5}, kTwoPi / 0.5).forward(1);  // a circle of 0.4 m radius
  drive.turn(kPi / 2).forward(0.5).turn(-kPi).forward(0.5).turn(kPi / 2).forward(1);
  const Trim trim = find_cuts(drive.path(), {});
  ASSERT_EQ(trim.cuts.size(), 2u);
  EXPECT_EQ(trim.cuts[0].kind, Redundant::loop);
  EXPECT_EQ(trim.cuts[1].kind, Redundant::back_and_forth);
  EXPECT_NEAR(length_of(apply_cuts(drive.path(), trim.cuts).points), 3, 0.1);
}

TEST(Trim, APlaceWithAnActionIsNeverCut) {
  HandDrive drive;
  drive.forward(1).go({0.2, 0, 0.5}, kTwoPi / 0.5).forward(1);
  RecordedPath path = drive.path();
  ASSERT_EQ(find_cuts(path, {}).cuts.size(), 1u);
  path[path.size() / 2].action = "photo";
  const Trim trim = find_cuts(path, {});
  EXPECT_TRUE(trim.cuts.empty());
  ASSERT_FALSE(trim.uncut.empty());
  EXPECT_EQ(trim.uncut[0].why, Uncut::Why::waypoint);
}

TEST(Trim, RoundsAreCutOneByOne) {
  HandDrive drive;
  drive.forward(1).go({0.2, 0, 0.5}, 5 * kTwoPi / 0.5).forward(1);
  const Trim trim = find_cuts(drive.path(), {});
  EXPECT_EQ(trim.cuts.size(), 5u);
  EXPECT_NEAR(length_of(apply_cuts(drive.path(), trim.cuts).points), 2, 0.25);
}

TEST(Trim, CutsOnlyWhatTheUserCallsRedundant) {
  HandDrive drive;
  drive.forward(1).bump().back(0.3).turn(kPi / 2).forward(1).go({0.2, 0, 0.5}, kTwoPi / 0.5).forward(1).stand(9);
  Redundancy none{.bump_m = 0, .back_and_forth_m = 0, .loop_m = 0, .dwell_s = 0};
  EXPECT_TRUE(find_cuts(drive.path(), none).cuts.empty());
  Redundancy only_bumps = none;
  only_bumps.bump_m = 1;
  const Trim trim = find_cuts(drive.path(), only_bumps);
  ASSERT_EQ(trim.cuts.size(), 1u);
  EXPECT_EQ(trim.cuts[0].kind, Redundant::bump);
  // the loop is 2.5 m long
  const Trim short_loops = find_cuts(drive.path(), {.loop_m = 2});
  EXPECT_EQ(short_loops.cuts.size(), 2u);
  ASSERT_FALSE(short_loops.uncut.empty());
  EXPECT_EQ(short_loops.uncut[0].why, Uncut::Why::too_long);
}

TEST(Trim, KeptRegionsLoseNothing) {
  HandDrive drive;
  drive.forward(1).go({0.2, 0, 0.5}, kTwoPi / 0.5).forward(1).stand(20);
  const KeptRegion inspection{{1, 0.8}, 0.1};  // the top of the loop
  const KeptRegion stop{{2, 0}, 0.2};
  const Trim trim = find_cuts(drive.path(), {}, std::vector{inspection, stop});
  EXPECT_TRUE(trim.cuts.empty());
  ASSERT_EQ(trim.uncut.size(), 2u);
  EXPECT_EQ(trim.uncut[0].why, Uncut::Why::kept_region);
  EXPECT_EQ(trim.uncut[1].kind, Redundant::dwell);
  EXPECT_EQ(apply_cuts(drive.path(), trim.cuts).points.size(), drive.path().size());
}

TEST(Trim, WaypointsAreNotLost) {
  HandDrive drive;
  drive.forward(1).turn(kPi / 2).forward(0.5);
  const std::size_t there = drive.here();
  drive.stand(9).turn(-kPi).forward(0.5).turn(kPi / 2).forward(1);
  RecordedPath path = drive.path();
  EXPECT_EQ(find_cuts(path, {}).cuts.size(), 1u);
  for (std::size_t i = there; path[i].velocity == robot::Twist{} || i == there; ++i) path[i].waypoint = true;
  const Trim trim = find_cuts(path, {});
  EXPECT_TRUE(trim.cuts.empty());
  ASSERT_EQ(trim.uncut.size(), 2u);  // the way there and back, and the wait
  EXPECT_EQ(trim.uncut[0].why, Uncut::Why::waypoint);
}

TEST(Trim, ShortensALongStandToTheTimeAllowed) {
  HandDrive drive;
  drive.forward(1).stand(30).forward(1);
  const Trim trim = find_cuts(drive.path(), {.dwell_s = 5});
  ASSERT_EQ(trim.cuts.size(), 1u);
  EXPECT_EQ(trim.cuts[0].kind, Redundant::dwell);
  EXPECT_NEAR(trim.cuts[0].duration_s, 25, 0.2);
}

TEST(Trim, ACutTakenBackLeavesThePathWhole) {
  HandDrive drive;
  drive.forward(1).bump().back(0.3).turn(kPi / 2).forward(1).go({0.2, 0, 0.5}, kTwoPi / 0.5).forward(1);
  Trim trim = find_cuts(drive.path(), {});
  ASSERT_EQ(trim.cuts.size(), 2u);
  const std::size_t n_trimmed = apply_cuts(drive.path(), trim.cuts).points.size();
  trim.cuts[0].applied = false;
  const TrimmedPath one = apply_cuts(drive.path(), trim.cuts);
  EXPECT_EQ(one.joints.size(), 1u);
  EXPECT_EQ(count_bumps(one.points), 1);
  EXPECT_GT(one.points.size(), n_trimmed);
  trim.cuts[1].applied = false;
  EXPECT_EQ(apply_cuts(drive.path(), trim.cuts).points.size(), drive.path().size());
}

TEST(Trim, CutsOfAnyDriveFollowOneAnotherAndJoinNearPoints) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    HandDrive drive;
    for (int i = 0; i < 60; ++i) {
      const double turn = random.uniform(-1, 1);
      drive.go({random.uniform() < 0.2 ? -0.2 : 0.2, 0, turn}, random.uniform(0.5, 3));
    }
    const Trim trim = find_cuts(drive.path(), {});
    std::size_t last = 0;
    for (const Cut& cut : trim.cuts) {
      EXPECT_GE(cut.from, last);
      EXPECT_GT(cut.to, cut.from);
      EXPECT_LE(cut.gap_m, 0.05 + 1e-9);
      last = cut.to;
    }
    ASSERT_FALSE(trim.cuts.empty());
    EXPECT_NE(describe(trim.cuts[0], drive.path()).find(to_string(trim.cuts[0].kind)), std::string::npos);
  }
}

}  // namespace
}  // namespace forerun::mission
