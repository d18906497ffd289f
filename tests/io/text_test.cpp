#include "forerun/io/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/lines.hpp"

namespace forerun::io {
namespace {

TEST(Text, ShowsTheShortestNumberThatReadsBackTheSame) {
  EXPECT_EQ(show(0.1), "0.1");
  EXPECT_EQ(show(99), "99");
  EXPECT_EQ(show(-2.5), "-2.5");
  EXPECT_EQ(show(100000), "100000");
  EXPECT_EQ(show(1e300), "1e+300");
  EXPECT_EQ(show(0), "0");
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-1e6, 1e6);
    EXPECT_EQ(parse_number(show(x)), x);
  }
}

TEST(Text, QuotesAreShortAndOnOneLine) {
  EXPECT_EQ(quote("a\nb"), "\"a?b\"");
  EXPECT_LT(quote(std::string(1000, 'x')).size(), 70u);
}

TEST(Text, EditDistanceCountsSlipsOfThePen) {
  EXPECT_EQ(edit_distance("goal", "goal"), 0);
  EXPECT_EQ(edit_distance("gaol", "goal"), 1);
  EXPECT_EQ(edit_distance("gols", "goals"), 1);
  EXPECT_EQ(edit_distance("goalss", "goals"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
}

TEST(Text, EditDistanceIsSymmetric) {
  Random random(2);
  const auto word = [&] {
    std::string w;
    for (std::uint64_t n = random.below(8); n > 0; --n) w += static_cast<char>('a' + random.below(3));
    return w;
  };
  for (int i = 0; i < 500; ++i) {
    const std::string a = word(), b = word();
    EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
    EXPECT_EQ(edit_distance(a, b) == 0, a == b);
  }
}

TEST(Text, FindsTheNearestWord) {
  EXPECT_EQ(nearest_word("max_sped_mps", {"max_turn_rate_radps", "max_speed_mps"}), "max_speed_mps");
  EXPECT_EQ(nearest_word("x", {}), "");
}

TEST(Text, ParsesWholeNumbersOnly) {
  EXPECT_EQ(parse_number("+1.5e3"), 1500);
  EXPECT_FALSE(parse_number(""));
  EXPECT_FALSE(parse_number("1 2"));
  EXPECT_FALSE(parse_number("+-1"));
  EXPECT_FALSE(parse_number("0x10"));
  EXPECT_TRUE(std::isinf(*parse_number("1e999")));
  EXPECT_TRUE(std::isnan(*parse_number("nan")));
}

TEST(Text, JoinsChoices) {
  EXPECT_EQ(join_choices({"a"}), "a");
  EXPECT_EQ(join_choices({"a", "b", "c"}), "a, b or c");
}

TEST(Text, ABareNameHasNoFolderAndNoEnding) {
  EXPECT_EQ(bare_name("worlds/museum.world.yaml"), "museum");
  EXPECT_EQ(bare_name("museum"), "museum");
  EXPECT_EQ(bare_name("a.b/c"), "c");
}

TEST(Base64, MatchesThePublishedExamples) {
  // RFC 4648, section 10
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foo"), "Zm9v");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
}

TEST(Lines, KnowBothEndingsAndCount) {
  Lines lines("a\r\n\nb");
  std::string_view line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_EQ(lines.number(), 3);
  EXPECT_FALSE(lines.next(line));
}

}  // namespace
}  // namespace forerun::io
