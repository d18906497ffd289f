#include "forerun/bridge/usarsim_message.hpp"

#include <gtest/gtest.h>

namespace forerun::bridge {
namespace {

TEST(UsarsimMessage, KeywordAndSegments) {
  const auto message =
      UsarsimMessage::parse("INIT {ClassName USARBot.Kenaf} {Name R1} {Location 4.5,1.9,-1.8} {Rotation 0 0 0.5}");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->keyword(), "INIT");
  EXPECT_EQ(message->text("classname"), "USARBot.Kenaf");
  EXPECT_TRUE(message->is("NAME", "r1"));
  EXPECT_EQ(message->vector("Location"), (Vec3{4.5, 1.9, -1.8}));
  EXPECT_EQ(message->vector("rotation"), (Vec3{0, 0, 0.5}));
  EXPECT_FALSE(message->has("start"));
  EXPECT_EQ(message->text("start"), "");
}

TEST(UsarsimMessage, CaseAndSpacesDoNotMatter) {
  const auto message = UsarsimMessage::parse("  drive{LEFT  1.5 }{ right -2}  {Light True}");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->keyword(), "DRIVE");
  EXPECT_EQ(message->number("Left"), 1.5);
  EXPECT_EQ(message->number("RIGHT"), -2);
  EXPECT_TRUE(message->is_true("light"));
  EXPECT_EQ(message->vector("left"), std::nullopt);
}

TEST(UsarsimMessage, NumbersMustBeFinite) {
  const auto message = UsarsimMessage::parse("DRIVE {Left nan} {Right inf} {A 1e999} {B 1x} {C} {D +2} {E 1,2,inf}");
  ASSERT_TRUE(message);
  for (const char* name : {"left", "right", "a", "b", "c", "e"}) EXPECT_EQ(message->number(name), std::nullopt) << name;
  EXPECT_EQ(message->number("d"), 2);
  EXPECT_EQ(message->vector("e"), std::nullopt);
}

TEST(UsarsimMessage, BrokenLinesAreNone) {
  for (const char* line :
       {"", "   ", "{Left 1}", "DRIVE {Left 1", "DRIVE Left 1}", "DRIVE {Left {1}}", "DRIVE {A 1} x"}) {
    EXPECT_FALSE(UsarsimMessage::parse(line)) << line;
  }
  std::string many = "SET";
  for (int i = 0; i < 100; ++i) many += " {A 1}";
  EXPECT_FALSE(UsarsimMessage::parse(many));
}

TEST(LineGatherer, PutsPiecesTogetherAndDropsWhatIsTooLong) {
  LineGatherer lines;
  std::vector<std::string> got;
  const auto take = [&](std::string_view line) { got.emplace_back(line); };
  lines.add("DRI", take);
  lines.add("VE {Left 1}\r\n\r\nGETCONF", take);
  lines.add(" {Type Robot}\n" + std::string(kLongestLine + 1, 'x'), take);
  lines.add("still too long\nSTA\n", take);
  EXPECT_EQ(got, (std::vector<std::string>{"DRIVE {Left 1}", "GETCONF {Type Robot}", "STA"}));
}

}  // namespace
}  // namespace forerun::bridge
