#include "forerun/kenaf/can_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace forerun::kenaf {
namespace {

Status some_status() {
  return {.left_ticks = -123456,
          .right_ticks = 2000000000,
          .flipper_ticks = {1, -2, 500, -900},
          .roll_deg = -1.25,
          .pitch_deg = 30.5,
          .yaw_deg = -179.99,
          .battery_s = 1199,
          .fallen = false,
          .timed_out = true,
          .command = 200,
          .counter = 65535};
}

std::optional<Status> gather(StatusGatherer& gatherer, const std::array<CanFrame, 4>& frames) {
  std::optional<Status> status;
  for (const CanFrame& frame : frames) status = gatherer.take(frame);
  return status;
}

// docs/kenaf.md says so.
TEST(CanFrames, AreTheDocumentedBytes) {
  EXPECT_EQ(encode(TrackSpeeds{100, -100.5, 7}), (CanFrame{0x110, 8, {0xe8, 0x03, 0x13, 0xfc, 7, 0, 0, 0}}));
  EXPECT_EQ(encode(FlipperAngles{90, -90, 0.01, 0}), (CanFrame{0x111, 8, {0x28, 0x23, 0xd8, 0xdc, 1, 0, 0, 0}}));
  EXPECT_EQ(ask_for_status(), (CanFrame{0x11f, 0, {}}));
  const auto frames = encode(some_status());
  EXPECT_EQ(frames[0], (CanFrame{0x210, 8, {0xc0, 0x1d, 0xfe, 0xff, 0x00, 0x94, 0x35, 0x77}}));
  EXPECT_EQ(frames[1], (CanFrame{0x211, 8, {1, 0, 0xfe, 0xff, 0xf4, 0x01, 0x7c, 0xfc}}));
  EXPECT_EQ(frames[2], (CanFrame{0x212, 8, {0x83, 0xff, 0xea, 0x0b, 0xb1, 0xb9, 0xff, 0xff}}));
  EXPECT_EQ(frames[3], (CanFrame{0x213, 8, {0xaf, 0x04, 2, 200, 0xff, 0xff, 0, 0}}));
}

TEST(CanFrames, CommandsComeBackAsTheyWere) {
  const auto tracks = decode_tracks(encode(TrackSpeeds{-600, 123.4, 255}));
  ASSERT_TRUE(tracks);
  EXPECT_DOUBLE_EQ(tracks->left_mm, -600);
  EXPECT_DOUBLE_EQ(tracks->right_mm, 123.4);
  EXPECT_EQ(tracks->counter, 255);
  const auto flippers = decode_flippers(encode(FlipperAngles{-90.5, 12.34, 0, 180}));
  ASSERT_TRUE(flippers);
  EXPECT_EQ(*flippers, (FlipperAngles{-90.5, 12.34, 0, 180}));
}

TEST(CanFrames, ValuesThatNoFrameCanSayAreTheNearestOnes) {
  const auto tracks = decode_tracks(encode(TrackSpeeds{1e9, -INFINITY, 0}));
  EXPECT_DOUBLE_EQ(tracks->left_mm, 3276.7);
  EXPECT_EQ(tracks->right_mm, 0);
  EXPECT_EQ((*decode_flippers(encode(FlipperAngles{NAN, -1e9, 0, 0})))[1], -327.67);
}

TEST(CanFrames, OtherNumbersAndLengthsAreNone) {
  CanFrame frame = encode(TrackSpeeds{});
  EXPECT_FALSE(decode_flippers(frame));
  frame.length = 7;
  EXPECT_FALSE(decode_tracks(frame));
}

TEST(CanFrames, AStatusIsGathered) {
  StatusGatherer gatherer;
  const auto status = gather(gatherer, encode(some_status()));
  ASSERT_TRUE(status);
  const Status was = some_status();
  EXPECT_EQ(status->left_ticks, was.left_ticks);
  EXPECT_EQ(status->right_ticks, was.right_ticks);
  EXPECT_EQ(status->flipper_ticks, was.flipper_ticks);
  EXPECT_DOUBLE_EQ(status->yaw_deg, was.yaw_deg);
  EXPECT_DOUBLE_EQ(status->battery_s, was.battery_s);
  EXPECT_FALSE(status->fallen);
  EXPECT_TRUE(status->timed_out);
  EXPECT_EQ(status->command, 200);
  EXPECT_EQ(encode(*status), encode(was));
}

TEST(CanFrames, AStatusThatLacksAFrameOrMixesTwoIsNone) {
  const auto frames = encode(some_status());
  for (std::size_t lost = 0; lost < 4; ++lost) {
    StatusGatherer gatherer;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == lost) continue;
      EXPECT_FALSE(gatherer.take(frames[i])) << lost;
    }
    // and the next one is whole again
    EXPECT_TRUE(gather(gatherer, frames)) << lost;
  }
  StatusGatherer gatherer;
  Status next = some_status();
  next.counter = 0;
  EXPECT_FALSE(gather(gatherer, {frames[0], frames[1], frames[2], encode(next)[3]}));
}

}  // namespace
}  // namespace forerun::kenaf
