#include "forerun/kenaf/datagram.hpp"

#include <gtest/gtest.h>

namespace forerun::kenaf {
namespace {

Datagram some_datagram() { return {0x01020304, 0xfffffffe, {encode(TrackSpeeds{1, 2, 3}), ask_for_status()}}; }

TEST(KenafDatagram, ComesBackAsItWas) {
  const auto bytes = encode(some_datagram());
  ASSERT_EQ(bytes.size(), 16u + 2 * 12);
  const std::vector<std::uint8_t> begin{'H', 'R', 'T',  'K',  1,    2,    0,    0,    4, 3,
                                        2,   1,   0xfe, 0xff, 0xff, 0xff, 0x10, 0x01, 8, 0};
  EXPECT_TRUE(std::equal(begin.begin(), begin.end(), bytes.begin()));
  const auto back = decode(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->session, 0x01020304u);
  EXPECT_EQ(back->sequence, 0xfffffffeu);
  EXPECT_EQ(back->frames, some_datagram().frames);
}

TEST(KenafDatagram, OneByteMoreOrLessIsNone) {
  auto bytes = encode(some_datagram());
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decode({bytes.data(), n})) << n;
  bytes.push_back(0);
  EXPECT_FALSE(decode(bytes));
}

TEST(KenafDatagram, WhatIsNotAsItIsWrittenIsNone) {
  // magic, version, count, what must be zero; a frame's number, length and padding
  for (const std::size_t at : {0, 3, 4, 5, 6, 7, 17, 18, 19, 39}) {
    auto bytes = encode(some_datagram());
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ 0x80);
    EXPECT_FALSE(decode(bytes)) << at;
  }
}

TEST(KenafDatagram, TakesNoMoreFramesThanFit) {
  Datagram many;
  many.frames.resize(20);
  EXPECT_EQ(encode(many).size(), kLargestDatagram);
  EXPECT_EQ(decode(encode(many))->frames.size(), kMostFrames);
}

TEST(KenafDatagram, NumbersBeginAnew) {
  EXPECT_TRUE(is_newer(1, 0));
  EXPECT_FALSE(is_newer(0, 0));
  EXPECT_FALSE(is_newer(0, 1));
  EXPECT_TRUE(is_newer(0, 0xffffffff));
  EXPECT_FALSE(is_newer(0xffffffff, 0));
}

}  // namespace
}  // namespace forerun::kenaf
