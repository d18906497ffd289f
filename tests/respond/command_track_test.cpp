// What was commanded when.
#include "forerun/respond/command_track.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::respond {
namespace {

TEST(CommandTrack, HoldsACommandUntilTheNext) {
  CommandTrack track;
  EXPECT_EQ(track.at(5), robot::Twist{}) << "nothing was commanded yet";
  track.give(1, {0.5, 0, 0});
  track.give(2, {0.5, 0, 1});
  EXPECT_EQ(track.at(0.9), robot::Twist{});
  EXPECT_EQ(track.at(1), (robot::Twist{0.5, 0, 0}));
  EXPECT_EQ(track.at(1.9), (robot::Twist{0.5, 0, 0}));
  EXPECT_EQ(track.at(9), (robot::Twist{0.5, 0, 1}));
}

TEST(CommandTrack, IgnoresWhatIsOlderThanTheNewest) {
  CommandTrack track;
  track.give(2, {1, 0, 0});
  track.give(1, {9, 0, 0});
  EXPECT_EQ(track.at(3), (robot::Twist{1, 0, 0}));
  track.give(2, {0.4, 0, 0});
  EXPECT_EQ(track.at(2), (robot::Twist{0.4, 0, 0})) << "of two at one time the later one counts";
}

TEST(CommandTrack, KnowsWhatWasInForceHoweverLongAgo) {
  CommandTrack track;
  for (int i = 0; i < 100; ++i) track.give(0.1 * i, {0.01 * (i + 1), 0, 0});
  EXPECT_EQ(track.at(-0.05), robot::Twist{});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(track.at(0.1 * i + 0.05), (robot::Twist{0.01 * (i + 1), 0, 0})) << i;
}

TEST(CommandTrack, MeansAgreeWithASumOfManySmallSteps) {
  CommandTrack track;
  Random random(3, 0);
  double time = 0;
  for (int i = 0; i < 100; ++i) {
    time += random.uniform(0.006, 0.1);
    track.give(time, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3)});
  }
  for (int i = 0; i < 50; ++i) {
    const double from = random.uniform(-0.5, time), to = from + random.uniform(0.01, 1);
    robot::Twist sum;
    constexpr int kSteps = 20'000;
    for (int k = 0; k < kSteps; ++k) {
      const robot::Twist now = track.at(from + (to - from) * (k + 0.5) / kSteps);
      sum = {sum.vx + now.vx / kSteps, sum.vy + now.vy / kSteps, sum.w + now.w / kSteps};
    }
    const robot::Twist mean = track.mean(from, to);
    EXPECT_NEAR(mean.vx, sum.vx, 2e-3);
    EXPECT_NEAR(mean.vy, sum.vy, 2e-3);
    EXPECT_NEAR(mean.w, sum.w, 6e-3);
  }
}

TEST(CommandTrack, RemembersARobotThatIsToldEveryMillisecond) {
  CommandTrack track;
  for (int i = 0; i < 5000; ++i) track.give(i * 0.001, {i * 0.001, 0, 0});
  EXPECT_NEAR(track.at(2.6).vx, 2.6, 0.006) << "two seconds and more ago";
  EXPECT_NEAR(track.mean(3, 4).vx, 3.5, 0.006);
}

TEST(CommandTrack, ForgetsTheOldestChanges) {
  CommandTrack track;
  for (std::size_t i = 0; i < CommandTrack::kChanges + 10; ++i) {
    track.give(static_cast<double>(i), {static_cast<double>(i), 0, 0});
  }
  EXPECT_EQ(track.at(-5).vx, 10) << "what was forgotten counts as the oldest one known";
  EXPECT_EQ(track.at(1e9).vx, static_cast<double>(CommandTrack::kChanges + 9));
}

}  // namespace
}  // namespace forerun::respond
