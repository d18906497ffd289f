// Drives: the truth between its moments, and which messages arrive.
#include "forerun/learn/drive.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace forerun::learn {
namespace {

TEST(Drive, TruthIsBetweenItsNeighboursAndEndsWhereTheDriveEnds) {
  const Drive drive{.start = 10, .truth = {{{0, 0, 0}, 0}, {{1, 2, 0.5}, 3}, {{1, 2, 0.5}, 3}}};
  EXPECT_FALSE(drive.at(9.99));
  EXPECT_FALSE(drive.at(10.11));
  EXPECT_EQ(drive.at(10)->pose, (Pose2{0, 0, 0}));
  EXPECT_NEAR(drive.at(10.025)->pose.x, 0.5, 1e-9);
  EXPECT_NEAR(drive.at(10.025)->pose.y, 1, 1e-9);
  EXPECT_NEAR(drive.at(10.025)->pose.theta, 0.25, 1e-9);
  EXPECT_NEAR(drive.at(10.025)->driven, 1.5, 1e-9);
  EXPECT_EQ(drive.at(10.1)->driven, 3);
  EXPECT_FALSE(Drive{}.at(0));
}

TEST(Drive, HeadingsAreInterpolatedTheShortWayRound) {
  const DrivePoint middle = between({{0, 0, 3.1}, 0}, {{0, 0, -3.1}, 0}, 0.5);
  EXPECT_NEAR(std::abs(middle.pose.theta), kPi, 1e-9);
}

TEST(Drive, TimesSince1970AreInTheDrive) {
  const Drive drive{.start = 1763224354.123, .truth = {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}}};
  EXPECT_TRUE(drive.at(to_seconds(from_seconds(drive.start))));
  EXPECT_TRUE(drive.at(to_seconds(from_seconds(drive.start + kTruthStep))));
}

TEST(Drive, MessagesAreLostAsOftenAsSaidAndTheFirstArrives) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_TRUE(draw_arrivals(3, 0.99, seed)[0]);
  const auto arrived = draw_arrivals(10000, 0.3, 1);
  EXPECT_NEAR(static_cast<double>(std::count(arrived.begin(), arrived.end(), true)), 7000, 200);
  EXPECT_EQ(draw_arrivals(10000, 0.3, 1), arrived);
  EXPECT_NE(draw_arrivals(10000, 0.3, 2), arrived);
  const auto all = draw_arrivals(100, 0, 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), true), 100);
}

}  // namespace
}  // namespace forerun::learn
