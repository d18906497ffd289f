#include "forerun/image/sender.hpp"

#include <gtest/gtest.h>

#include <map>

#include "forerun/image/receiver.hpp"
#include "tests/image/image_parts.hpp"

namespace forerun::image {
namespace {

using test::info_of;
using test::some_image;

constexpr Sender::Viewer kOperator{11, true}, kWatcher{12, false};

RobotTime at(double seconds) { return RobotTime{} + from_seconds(100 + seconds); }

struct Sent {
  double at = 0;
  std::uint32_t session = 0;
  std::uint32_t number = 0;
  std::uint8_t index = 0;
  std::size_t bytes = 0;
};

// Everything that is sent from one time to another, looked at every millisecond.
std::vector<Sent> run(Sender& sender, double from, double to) {
  std::vector<Sent> sent;
  for (double t = from; t < to; t += 0.001) {
    if (const auto due = sender.next(at(t))) {
      sent.push_back({t, due->session, due->part.info.number, due->part.index, due->part.bytes.size()});
    }
  }
  return sent;
}

TEST(ImageSender, NobodyLooksNothingIsSent) {
  Sender sender(32000);
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(5000)));
  EXPECT_FALSE(sender.bytes_per_s(at(0)));
  EXPECT_FALSE(sender.due());
  EXPECT_TRUE(run(sender, 0, 1).empty());
}

TEST(ImageSender, WhoNoLongerAsksLooksNoMore) {
  Sender sender(32000);
  EXPECT_TRUE(sender.on_look(kOperator, {}, at(0)));
  EXPECT_TRUE(sender.bytes_per_s(at(9)));
  EXPECT_FALSE(sender.bytes_per_s(at(11)));
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(5000)));
  EXPECT_TRUE(run(sender, 11, 12).empty());
}

TEST(ImageSender, EachPartGoesOutOnceAndAtItsPace) {
  Sender sender(32000);
  sender.on_look(kOperator, {}, at(0));
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(5000)));
  const auto sent = run(sender, 0, 5);
  ASSERT_EQ(sent.size(), 5u) << "no loss, no spare parts";
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(sent[i].index, i);
    EXPECT_EQ(sent[i].bytes, 1000u);
    // 4 kB/s at first, with what is around a part
    if (i > 1) {
      EXPECT_NEAR(sent[i].at - sent[i - 1].at, 1087 / 4000.0, 0.002);
    }
  }
  EXPECT_FALSE(sender.due()) << "it has the image";
}

TEST(ImageSender, ANewerImageCancelsTheRestOfTheOlder) {
  Sender sender(32000);
  sender.on_look(kOperator, {}, at(0));
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(5000)));
  const auto before = run(sender, 0, 0.4);
  ASSERT_EQ(before.size(), 2u);
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(3000, 2)));
  const auto after = run(sender, 0.4, 5);
  ASSERT_EQ(after.size(), 3u);
  for (const Sent& part : after) EXPECT_EQ(part.number, 2u);
  EXPECT_EQ(after[0].index, 0);
}

TEST(ImageSender, SparePartsAsTheLossCallsFor) {
  EXPECT_EQ(n_parts_to_send(8, 0), 8u);
  EXPECT_EQ(n_parts_to_send(8, 0.004), 9u);
  // 30 %: P(at least 8 of 17) = 0.987, as the binomial says; of 8 alone all come in one case of 17
  EXPECT_GE(n_parts_to_send(8, 0.3), 15u);
  EXPECT_LE(n_parts_to_send(8, 0.3), 18u);
  EXPECT_EQ(n_parts_to_send(64, 0.9), kMostSentParts);
  Sender sender(32000);
  sender.on_look(kOperator, {.lost = 0.3}, at(0));
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(8000)));
  EXPECT_EQ(run(sender, 0, 9).size(), n_parts_to_send(8, 0.3));
}

// Whoever looks gets whole images, not a share of the parts of each.
TEST(ImageSender, LookersTakeTurnsImageByImage) {
  Sender sender(8000);
  std::map<std::uint32_t, Receiver> receivers;
  for (int tick = 0; tick < 20'000; ++tick) {
    const RobotTime now = at(tick * 0.001);
    if (tick % 1000 == 0) {
      sender.on_look(kOperator, {}, now);
      sender.on_look(kWatcher, {}, now);
    }
    // each image takes nearly all of the time to the next
    if (tick % 700 == 0) {
      ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(5000)));
    }
    if (const auto due = sender.next(now)) receivers[due->session].on_part(due->part);
  }
  EXPECT_GE(receivers[kOperator.session].n_whole(), 8u);
  EXPECT_GE(receivers[kWatcher.session].n_whole(), 8u);
}

TEST(ImageSender, TheRateGrowsWhileNothingWaits) {
  Sender sender(32000);
  for (int second = 0; second < 6; ++second) sender.on_look(kOperator, {}, at(second));
  EXPECT_GT(*sender.bytes_per_s(at(6)), 28000);
  // a queue has formed: less, and then carefully more
  for (int second = 6; second < 12; ++second) sender.on_look(kOperator, {.wait_s = 0.3}, at(second));
  const double slow = *sender.bytes_per_s(at(12));
  EXPECT_LT(slow, 2000);
  sender.on_look(kOperator, {}, at(13));
  EXPECT_NEAR(*sender.bytes_per_s(at(13)), 1.05 * slow, 1);
  // who asks more often than once a second gets no more
  for (int i = 0; i < 100; ++i) sender.on_look(kOperator, {}, at(13.001 + i * 0.001));
  EXPECT_NEAR(*sender.bytes_per_s(at(13.2)), 1.05 * slow, 1);
}

TEST(ImageSender, OperatorsComeBeforeWatchers) {
  Sender sender(32000);
  for (std::uint32_t i = 0; i < Sender::kMostLookers; ++i) EXPECT_TRUE(sender.on_look({100 + i, false}, {}, at(0)));
  EXPECT_FALSE(sender.on_look({200, false}, {}, at(0)));
  EXPECT_TRUE(sender.on_look(kOperator, {}, at(0)));
  EXPECT_FALSE(sender.on_look({100, false}, {}, at(0))) << "the first has made room";
}

TEST(ImageSender, WhatCannotBeSentIsRefused) {
  Sender sender(32000);
  EXPECT_FALSE(sender.publish(info_of(0, 0), {}));
  EXPECT_FALSE(sender.publish(info_of(0, 0), some_image(kLargestImage + 1)));
  EXPECT_TRUE(sender.publish(info_of(0, 0), some_image(kLargestImage)));
  Info far = info_of(0, 0);
  far.place.x = 1e9;
  EXPECT_FALSE(sender.publish(far, some_image(100)));
  EXPECT_EQ(sender.n_published(), 1u);
}

TEST(ImageSender, ASessionMayGoOnUnderAnotherNumber) {
  Sender sender(32000);
  sender.on_look(kOperator, {}, at(0));
  sender.rename(kOperator.session, 77);
  ASSERT_TRUE(sender.publish(info_of(0, 0), some_image(500)));
  const auto due = sender.next(at(0.5));
  ASSERT_TRUE(due);
  EXPECT_EQ(due->session, 77u);
  sender.forget(77);
  EXPECT_FALSE(sender.bytes_per_s(at(1)));
}

TEST(ImageSender, EachCameraGoesToWhoLooksThroughIt) {
  Sender sender(32000);
  sender.on_look(kOperator, {.cameras = 0b10}, at(0));
  sender.on_look(kWatcher, {}, at(0));  // of a viewer that knows one camera
  EXPECT_EQ(sender.wanted(at(0)), 0b11);
  for (const std::uint8_t camera : {std::uint8_t{0}, std::uint8_t{1}}) {
    Info info = info_of(0, 0);
    info.camera = camera;
    ASSERT_TRUE(sender.publish(info, some_image(1000)));
    const auto due = sender.next(at(1 + camera));
    ASSERT_TRUE(due);
    EXPECT_EQ(due->session, camera == 1 ? kOperator.session : kWatcher.session);
    EXPECT_EQ(due->part.info.camera, camera);
    EXPECT_FALSE(sender.due()) << "the other does not want it";
  }
  sender.on_look(kOperator, {.cameras = 0b1}, at(2));
  EXPECT_FALSE(sender.bytes_per_s(at(2), 1));
}

}  // namespace
}  // namespace forerun::image
