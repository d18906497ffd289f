#include "forerun/io/image.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::io {
namespace {

using namespace std::string_literals;

std::string complaint(const std::string& bytes) {
  const auto image = parse_image(bytes, "m.pgm");
  return image ? "none" : image.error().message;
}

TEST(Image, ReadsPlainPgm) {
  const auto image = parse_image("P2\n# a comment\n2 2 # another\n100\n0 50\n100 25\n", "m.pgm");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->width, 2);
  EXPECT_EQ(image->height, 2);
  EXPECT_EQ(image->brightness, (std::vector<float>{0, 0.5f, 1, 0.25f}));
}

TEST(Image, ReadsBinaryPgmOfOneAndTwoBytes) {
  const auto narrow = parse_image("P5 2 1 255\n\x00\xff"s, "m.pgm");
  ASSERT_TRUE(narrow) << narrow.error().message;
  EXPECT_EQ(narrow->brightness, (std::vector<float>{0, 1}));
  const auto wide = parse_image("P5 2 1 65535\n\x00\x00\xff\xff"s, "m.pgm");
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_EQ(wide->brightness, (std::vector<float>{0, 1}));
}

TEST(Image, PixelsMayLookLikeBlanks) {
  // only one blank stands between the header and the pixels
  const auto image = parse_image("P5 3 1 255\n\n #"s, "m.pgm");
  ASSERT_TRUE(image);
  EXPECT_FLOAT_EQ(image->brightness[0], 10.0f / 255);
  EXPECT_FLOAT_EQ(image->brightness[1], 32.0f / 255);
}

TEST(Image, ReadsPng) {
  const std::vector<std::uint8_t> pixels{255, 255, 255, 255, 0, 0, 0, 255, 30, 60, 90, 255, 9, 9, 9, 0};
  const auto png = encode_png(2, 2, pixels);
  ASSERT_TRUE(png);
  const auto image = parse_image(*png, "m.png");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->brightness[0], 1);
  EXPECT_EQ(image->brightness[1], 0);
  EXPECT_FLOAT_EQ(image->brightness[2], 60.0f / 255);
  EXPECT_EQ(image->visible, (std::vector<std::uint8_t>{1, 1, 1, 0}));
}

TEST(Image, WhatIsNoImageIsSaid) {
  EXPECT_EQ(complaint(""), "m.pgm is not an image: it begins with \"\", but must be a PGM (P2 or P5) or a PNG");
  EXPECT_EQ(complaint("P3 1 1 255 0 0 0"),
            "m.pgm is not an image: it begins with \"P3 1 1 2\", but must be a PGM (P2 or P5) or a PNG");
  EXPECT_EQ(complaint("P2 x"), "m.pgm has no width, height and white level after its P2");
  EXPECT_EQ(complaint("P2 0 1 255"), "m.pgm has 0 × 1 pixels, but must have 1 to 67108864");
  EXPECT_EQ(complaint("P5 9999999 9999999 255\n"), "m.pgm has 9999999 × 9999999 pixels, but must have 1 to 67108864");
  EXPECT_EQ(complaint("P5 99999999999 1 255\n"), "m.pgm has no width, height and white level after its P5");
  EXPECT_EQ(complaint("P2 1 1 0 0"), "m.pgm has the white level 0, but it must lie between 1 and 65535");
  EXPECT_EQ(complaint("P2 2 1 255 7"), "m.pgm is cut short: it must hold 2 pixels");
  EXPECT_EQ(complaint("P5 2 1 255\nx"), "m.pgm is cut short: it must hold 2 pixels");
  EXPECT_EQ(complaint("P2 1 1 255 256"), "m.pgm has a pixel of 256, but its white is 255");
}

TEST(Image, ABrokenPngIsAnErrorAndNoCrash) {
  const auto png = encode_png(3, 3, std::vector<std::uint8_t>(36, 128));
  ASSERT_TRUE(png);
  for (std::size_t n = 8; n + 12 < png->size(); ++n) EXPECT_NE(complaint(png->substr(0, n)), "none") << n;
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = *png;
    bytes[8 + random.below(bytes.size() - 8)] = static_cast<char>(random.below(256));
    complaint(bytes);
  }
}

}  // namespace
}  // namespace forerun::io
