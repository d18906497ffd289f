// Relations are read, matched to scans, and judge a map.
#include "forerun/mapping/relations.hpp"

#include <gtest/gtest.h>

namespace forerun::mapping {
namespace {

std::string complaint(const std::string& text, const std::vector<double>& stamps = {1, 2, 3}) {
  const auto relations = parse_relations(text, "r.txt");
  if (!relations) return relations.error().message;
  const auto matched = match_relations(*relations, "r.txt", stamps);
  return matched ? "none" : matched.error().message;
}

TEST(Relations, JudgeByTheMeanOfTheirErrors) {
  const auto relations =
      parse_relations("# truth\n1 2 1 0 0 0 0 0.5\n2.0004 3 2 0 0 0 0 -6.2\n1 2.5 9 9 0 0 0 0\n", "r");
  ASSERT_TRUE(relations) << relations.error().message;
  const auto matched = match_relations(*relations, "r", {1, 2, 3});
  ASSERT_TRUE(matched) << matched.error().message;
  ASSERT_EQ(matched->size(), 2u) << "there is no scan at 2.5 s";
  const Pose2 poses[] = {{0, 0, 0}, {1, 0.3, 0.4}, {1, 0.3, 0.4}};
  const RelationScore score = score_relations(*matched, [&](std::size_t scan) { return poses[scan]; });
  EXPECT_NEAR(score.error, (0.3 + 2) / 2, 1e-12);
  EXPECT_NEAR(score.turn_error, (0.1 + (kTwoPi - 6.2)) / 2, 1e-9);
}

TEST(Relations, WhatIsNoneIsSaid) {
  EXPECT_EQ(complaint("1 2 0 0 0 0 0\n"),
            "r.txt:1: \"1 2 0 0 0 0 0\" is no relation: two stamps, dx, dy, dz, roll, pitch and yaw");
  EXPECT_NE(complaint("\n1 2 0 x 0 0 0 0\n").find("r.txt:2: "), std::string::npos);
  EXPECT_NE(complaint("1 2 0 nan 0 0 0 0\n").find("no relation"), std::string::npos);
  EXPECT_NE(complaint("1 2 0 0 0 0 0 0 0\n").find("no relation"), std::string::npos);
  EXPECT_EQ(complaint("# nothing\n"), "r.txt has no relations");
}

TEST(Relations, UnknownStampsAreSaid) {
  EXPECT_EQ(complaint("1 99 0 0 0 0 0 0\n"), "r.txt names the stamp 99, but the log goes from 1 to 3");
  EXPECT_NE(complaint("1.5 2.5 0 0 0 0 0 0\n").find("names no two scans"), std::string::npos);
  EXPECT_EQ(complaint("1 3.0001 0 0 0 0 0 0\n"), "none");
}

TEST(Relations, ScansAreFoundWhoseStampsGoBack) {
  const auto relations = parse_relations("2.5 4 1 0 0 0 0 0\n", "r");
  const auto matched = match_relations(*relations, "r", {1, 3, 2.5, 4});
  ASSERT_TRUE(matched) << matched.error().message;
  EXPECT_EQ(matched->front().from, 2u);
  EXPECT_EQ(matched->front().to, 3u);
}

TEST(Relations, TheNearestStampCounts) {
  EXPECT_EQ(find_stamp({1, 2, 2.0008, 3}, 2.0009), 2u);
  EXPECT_EQ(find_stamp({1, 2, 3}, 2.0011), std::nullopt);
  EXPECT_EQ(find_stamp({}, 2), std::nullopt);
}

}  // namespace
}  // namespace forerun::mapping
