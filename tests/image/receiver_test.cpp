#include "forerun/image/receiver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/image/image_parts.hpp"

namespace forerun::image {
namespace {

using test::body_of;
using test::info_of;
using test::some_image;

bool take(Receiver& receiver, const std::vector<std::uint8_t>& body) {
  const auto part = decode_part(body);
  return part && receiver.on_part(*part);
}

TEST(ImageReceiver, SparePartsTakeTheirPlace) {
  const auto whole = some_image(5000);
  const Info info = info_of(1, whole.size());
  Receiver receiver;
  for (const std::uint8_t index : std::vector<std::uint8_t>{0, 2, 9, 6})
    EXPECT_TRUE(take(receiver, body_of(info, whole, index)));
  EXPECT_FALSE(receiver.newest());
  EXPECT_TRUE(take(receiver, body_of(info, whole, 9))) << "the same again is nothing new";
  EXPECT_FALSE(receiver.newest());
  EXPECT_TRUE(take(receiver, body_of(info, whole, 4)));
  ASSERT_TRUE(receiver.newest());
  EXPECT_EQ(receiver.newest()->bytes, whole);
  EXPECT_EQ(receiver.newest()->info.width, 320);
  EXPECT_NEAR(receiver.newest()->info.place.y, -2.5, 1e-4);
  EXPECT_NEAR(receiver.newest()->info.attitude.pitch, 0.1, 1e-4);
}

// Order on the way is not kept: the end of one image comes after the beginning of the next.
TEST(ImageReceiver, TwoImagesMayOverlap) {
  const auto first = some_image(2000, 1), second = some_image(2000, 2);
  const Info a = info_of(1, 2000), b = info_of(2, 2000);
  Receiver receiver;
  take(receiver, body_of(a, first, 0));
  take(receiver, body_of(b, second, 0));
  take(receiver, body_of(a, first, 1));
  ASSERT_TRUE(receiver.newest());
  EXPECT_EQ(receiver.newest()->bytes, first);
  take(receiver, body_of(b, second, 1));
  EXPECT_EQ(receiver.newest()->bytes, second);
  // and what is older than what is shown does not come back
  take(receiver, body_of(a, first, 0));
  take(receiver, body_of(a, first, 1));
  EXPECT_EQ(receiver.newest()->info.number, 2u);
  EXPECT_EQ(receiver.n_whole(), 2u);
}

TEST(ImageReceiver, AnImageThatIsNotWholeIsNotShown) {
  Receiver receiver;
  for (std::uint32_t number = 1; number < 50; ++number) {
    take(receiver, body_of(info_of(number, 2000), some_image(2000), static_cast<std::uint8_t>(number % 3)));
  }
  EXPECT_FALSE(receiver.newest());
  EXPECT_EQ(receiver.n_begun(), 49u);
}

TEST(ImageReceiver, PartsThatContradictEachOtherAreRefused) {
  const auto whole = some_image(2000);
  Receiver receiver;
  EXPECT_TRUE(take(receiver, body_of(info_of(1, 2000), whole, 0)));
  Info other = info_of(1, 2000);
  other.place.x += 1;
  EXPECT_FALSE(take(receiver, body_of(other, whole, 1)));
  const auto longer = some_image(5000);
  EXPECT_FALSE(take(receiver, body_of(info_of(1, 5000), longer, 1)));
  EXPECT_FALSE(receiver.newest());
}

TEST(ImageReceiver, ARobotSideThatBeginsAnewIsHeard) {
  const auto whole = some_image(100);
  Receiver receiver;
  take(receiver, body_of(info_of(7000, 100), whole, 0));
  ASSERT_TRUE(receiver.newest());
  receiver.forget();
  EXPECT_FALSE(receiver.newest());
  take(receiver, body_of(info_of(1, 100), whole, 0));
  EXPECT_TRUE(receiver.newest());
}

// What cannot be is refused before anything is kept of it.
TEST(ImageWire, NumbersThatCannotBeAreRefused) {
  const auto whole = some_image(2000);
  const auto good = body_of(info_of(1, 2000), whole, 0);
  ASSERT_TRUE(decode_part(good));
  const auto with = [&](std::size_t at, std::initializer_list<int> bytes) {
    auto changed = good;
    for (const int byte : bytes) changed[at++] = static_cast<std::uint8_t>(byte);
    return changed;
  };
  EXPECT_FALSE(decode_part(with(4, {0, 0, 0, 0, 0, 0, 0, 0x80}))) << "before 1970";
  EXPECT_FALSE(decode_part(with(12, {0, 0, 0, 0x7f}))) << "beyond 100 km";
  EXPECT_FALSE(decode_part(with(30, {0, 0}))) << "no field of view";
  EXPECT_FALSE(decode_part(with(30, {0xff, 0xff}))) << "looks behind itself";
  EXPECT_FALSE(decode_part(with(32, {0, 0}))) << "no width";
  EXPECT_FALSE(decode_part(with(34, {1, 0x10}))) << "too high";
  EXPECT_FALSE(decode_part(with(37, {0, 0, 0, 0}))) << "empty";
  EXPECT_FALSE(decode_part(with(37, {0xff, 0xff, 0xff, 0xff}))) << "too large";
  EXPECT_FALSE(decode_part(with(41, {128}))) << "no such part";
  EXPECT_FALSE(decode_part(with(42, {3}))) << "not so many parts";
  auto cut = good;
  cut.pop_back();
  EXPECT_FALSE(decode_part(cut));
  cut.resize(20);
  EXPECT_FALSE(decode_part(cut));
  cut = good;
  cut.push_back(0);
  EXPECT_FALSE(decode_part(cut));
}

TEST(ImageWire, ImagesThatCannotBeSentAreNotWritten) {
  std::array<std::uint8_t, kHeaderSize + kLargestPart> room;
  for (const double far : {std::nan(""), 2e5, 1e300}) {
    Info info = info_of(1, 100);
    info.place.z = far;
    EXPECT_TRUE(encode(Part{.info = info}, room).empty());
  }
  Info wide = info_of(1, 100);
  wide.field_of_view = 3.5;
  EXPECT_TRUE(encode(Part{.info = wide}, room).empty());
}

// An image of one camera makes none of another one old.
TEST(ImageReceiver, EachCameraHasANewestImage) {
  const auto ahead = some_image(500, 1), above = some_image(2000, 2);
  Receiver receiver;
  Info first = info_of(1, 2000), second = info_of(2, 500);
  first.camera = 1;
  take(receiver, body_of(first, above, 0));
  take(receiver, body_of(second, ahead, 0));
  take(receiver, body_of(first, above, 1));
  ASSERT_TRUE(receiver.newest(0) && receiver.newest(1));
  EXPECT_EQ(receiver.newest(0)->bytes, ahead);
  EXPECT_EQ(receiver.newest(1)->bytes, above);
  EXPECT_EQ(receiver.newest(1)->info.camera, 1);
}

TEST(ImageWire, ViewersThatKnowOneCameraGetTheFirst) {
  const auto look = decode_look(std::array<std::uint8_t, 3>{77, 120, 0});
  ASSERT_TRUE(look);
  EXPECT_EQ(look->cameras, kNoCamera);
  EXPECT_EQ(decode_look(encode(Look{.cameras = 0b11}))->cameras, 0b11);
  EXPECT_FALSE(decode_look(std::array<std::uint8_t, 2>{77, 120}));
}

}  // namespace
}  // namespace forerun::image
