// Camera images beside reports and commands, over both ends of the link.
#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "tests/image/image_parts.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::test {
namespace {

bool is_long(const Letter& letter) { return !letter.up && letter.bytes.size() > 1000; }

// An image twice a second, from now on.
void run_with_images(VirtualLink& link, double seconds, std::size_t size = 3000, int n_cameras = 1) {
  for (int i = 0; i < static_cast<int>(seconds * 2); ++i) {
    image::Info info = info_of(0, 0);
    info.camera = static_cast<std::uint8_t>(i % n_cameras);
    info.taken = link.robot_time();
    EXPECT_TRUE(link.server->publish_image(info, some_image(size, static_cast<std::uint8_t>(i))));
    link.run(0.5);
  }
}

TEST(ImageLink, WhoDoesNotLookGetsNoImages) {
  VirtualLink link;
  link.run(1);
  run_with_images(link, 3);
  EXPECT_EQ(link.server->counts().image_parts, 0u);
  EXPECT_FALSE(link.client->images().newest());
}

TEST(ImageLink, WhoLooksGetsTheNewestImage) {
  VirtualLink link;
  link.run(1);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 6);
  ASSERT_TRUE(link.client->images().newest());
  EXPECT_EQ(link.client->images().newest()->bytes, some_image(3000, 11));
  EXPECT_GE(link.client->images().n_whole(), 9u);
  EXPECT_EQ(link.client->counts().drops.total(), 0u);
  EXPECT_EQ(link.server->counts().drops.total(), 0u);
  // and who looks away gets no more
  link.client->look(link.viewer_time(), image::kNoCamera);
  run_with_images(link, 12);
  const std::uint64_t sent = link.server->counts().image_parts;
  run_with_images(link, 3);
  EXPECT_EQ(link.server->counts().image_parts, sent);
}

// Images of two cameras by turns: each viewer gets those of the cameras that it has named.
TEST(ImageLink, WhoLooksNamesTheCameras) {
  VirtualLink link;
  link.run(1);
  link.client->look(link.viewer_time(), 0b10);
  run_with_images(link, 6, 3000, 2);
  EXPECT_EQ(link.server->wanted_cameras(link.robot_time()), 0b10);
  EXPECT_TRUE(link.server->image_bytes_per_s(link.robot_time(), 1));
  EXPECT_FALSE(link.server->image_bytes_per_s(link.robot_time(), 0));
  const image::Receiver& images = link.client->images();
  EXPECT_FALSE(images.newest(0));
  ASSERT_TRUE(images.newest(1));
  EXPECT_EQ(images.newest(1)->bytes, some_image(3000, 11));
  // and then both
  link.client->look(link.viewer_time(), 0b11);
  run_with_images(link, 6, 3000, 2);
  ASSERT_TRUE(images.newest(0));
  EXPECT_EQ(images.newest(0)->bytes, some_image(3000, 10));
  EXPECT_EQ(images.newest(1)->bytes, some_image(3000, 11));
  EXPECT_EQ(link.client->counts().drops.total(), 0u);
  EXPECT_EQ(link.server->counts().drops.total(), 0u);
}

TEST(ImageLink, ImagesArriveWholeWhereAThirdIsLost) {
  VirtualLink link;
  std::uint64_t n = 0;
  Random random(5, 1);
  link.takes = [&](const Letter&) { return ++n < 20 || random.uniform() > 0.3; };
  link.run(20);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 8, 2000);
  const std::uint64_t before = link.client->images().n_whole();
  run_with_images(link, 30, 2000);
  EXPECT_GE(link.client->images().n_whole() - before, 54u) << "of 60";
}

// A report that images overtook is the newest all the same.
TEST(ImageLink, AReportThatAnImageOvertookCounts) {
  VirtualLink link;
  link.run(2);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 4);
  link.publishing = false;
  link.run(0.5);
  // reports are held back until three parts have gone by
  std::deque<Letter> held;
  link.takes = [&](const Letter& letter) {
    if (letter.up || is_long(letter)) return true;
    held.push_back(letter);
    return false;
  };
  const std::uint64_t reports = link.client->counts().reports, parts = link.server->counts().image_parts;
  link.publish();
  run_with_images(link, 1);
  ASSERT_GE(link.server->counts().image_parts, parts + 3);
  ASSERT_FALSE(held.empty());
  link.takes = {};
  for (const Letter& letter : held) link.hand_over(letter);
  EXPECT_EQ(link.client->counts().reports, reports + 1);
}

// An image that came says nothing about a report that did not: the robot side must know that it is missing.
TEST(ImageLink, AnImageIsNoReceiptForAReport) {
  VirtualLink link;
  link.run(2);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 4);
  link.publishing = false;
  link.run(2);
  const std::uint32_t arrived = link.report.sequence;
  ASSERT_TRUE(link.server->receipt());
  EXPECT_EQ(link.server->receipt()->sequence, arrived);
  // of what the robot side sends only images come through
  link.takes = [](const Letter& letter) { return letter.up || is_long(letter); };
  link.publish();
  run_with_images(link, 3);
  EXPECT_GT(link.client->images().n_whole(), 6u);
  EXPECT_EQ(link.server->receipt()->sequence, arrived);
}

TEST(ImageLink, ImagesCountAsSentAndLost) {
  VirtualLink link;
  link.run(2);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 5);
  EXPECT_EQ(link.client->lost_fraction(link.viewer_time()), 0);
  std::uint64_t n = 0;
  link.takes = [&](const Letter& letter) { return !is_long(letter) || ++n % 2 == 0; };
  run_with_images(link, 60);
  EXPECT_GT(link.client->lost_fraction(link.viewer_time()), 0.15);
}

TEST(ImageLink, ImagesGoOnWhenTheKeysAreRenewed) {
  VirtualLink link({.client = {.rekey_s = 12}});
  link.run(1);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 8);
  const std::uint64_t before = link.client->images().n_whole();
  run_with_images(link, 10);
  EXPECT_GE(link.client->counts().sessions_begun, 2u);
  EXPECT_GE(link.client->images().n_whole() - before, 18u);
}

TEST(ImageLink, AfterARestartImagesCountAnew) {
  VirtualLink link;
  link.run(1);
  link.client->look(link.viewer_time(), image::kFirstCamera);
  run_with_images(link, 10);
  link.start_server();
  run_with_images(link, 20);
  ASSERT_TRUE(link.client->images().newest());
  EXPECT_EQ(link.client->images().newest()->bytes, some_image(3000, 39));
}

}  // namespace
}  // namespace forerun::test
