#include "forerun/robot/reply.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace forerun::robot {
namespace {

TEST(Words, AreFitToBeShown) {
  EXPECT_EQ(Words("the gripper is open").view(), "the gripper is open");
  EXPECT_EQ(Words("a\x1b[2J\nb\x7f").view(), "a [2J b ");
  EXPECT_EQ(Words("c\xc2\x9b!").view(), "c !") << "a control character above ASCII";
  EXPECT_EQ(Words("stop \u202egnivird\u2029\u2067").view(), "stop  gnivird  ") << "written from right to left";
  EXPECT_EQ(Words("T\xc3\xbcr zu").view(), "T\xc3\xbcr zu");
  EXPECT_EQ(Words("x\xc3").view(), "x?") << "half a character";
  EXPECT_EQ(Words("\xff\xed\xa0\x80").view(), "????");
}

TEST(Words, AreCutBetweenCharacters) {
  EXPECT_EQ(Words(std::string(200, 'w')).view(), std::string(80, 'w'));
  const std::string just(79, 'w');
  EXPECT_EQ(Words(just + "\xc3\xbc").view(), just);
}

TEST(Refusal, HasAWordAndASentenceForEachKind) {
  std::set<std::string> words;
  for (std::uint8_t i = 0; i < kRefusals; ++i) {
    words.insert(to_string(static_cast<Refusal>(i)));
    EXPECT_FALSE(std::string(explain(static_cast<Refusal>(i))).empty());
  }
  EXPECT_EQ(words.size(), kRefusals);
  EXPECT_STREQ(to_string(static_cast<Refusal>(200)), "other");
}

}  // namespace
}  // namespace forerun::robot
