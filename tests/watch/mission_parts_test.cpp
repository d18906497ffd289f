#include "forerun/watch/mission_parts.hpp"

#include <gtest/gtest.h>

#include "forerun/sync/delivery.hpp"

namespace forerun::watch {
namespace {

TEST(MissionParts, AreTheWholeWhenTheLastOneHasCome) {
  MissionParts parts;
  EXPECT_FALSE(*parts.take(1, {0, 3, "YWJj"}));
  EXPECT_FALSE(*parts.take(1, {1, 3, "ZGVm"}));
  const auto whole = parts.take(1, {2, 3, "Z2hp"});
  ASSERT_TRUE(whole && *whole);
  EXPECT_EQ(std::string((*whole)->begin(), (*whole)->end()), "abcdefghi");
  EXPECT_FALSE(parts.take(1, {2, 3, "Z2hp"})) << "nothing is left of it";
  EXPECT_TRUE(parts.take(1, {0, 1, "YWJj"})->has_value()) << "one part may be all";
}

TEST(MissionParts, ComeInTheirOrderFromOneBrowser) {
  MissionParts parts;
  EXPECT_FALSE(parts.take(1, {1, 3, "YWJj"})) << "without a first one";
  ASSERT_TRUE(parts.take(1, {0, 3, "YWJj"}));
  EXPECT_FALSE(parts.take(1, {2, 3, "YWJj"})) << "one is missing";
  EXPECT_FALSE(parts.take(1, {1, 3, "YWJj"})) << "it must begin anew";
  ASSERT_TRUE(parts.take(1, {0, 3, "YWJj"}));
  EXPECT_FALSE(parts.take(2, {1, 3, "YWJj"})) << "another browser's";
  EXPECT_FALSE(parts.take(1, {0, 2, "no base64!"}));
  EXPECT_FALSE(parts.take(1, {5, 2, "YWJj"}));
}

TEST(MissionParts, HoldNoMoreThanARobotTakes) {
  MissionParts parts;
  const std::string large(4 * 300'000, 'A');
  std::uint32_t i = 0;
  while (parts.take(1, {i, 4000, large})) ++i;
  EXPECT_EQ(i, sync::Inbox::kMostBytes / 900'000);
}

}  // namespace
}  // namespace forerun::watch
