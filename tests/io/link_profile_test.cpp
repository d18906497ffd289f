#include <gtest/gtest.h>

#include "forerun/impair/link.hpp"
#include "forerun/io/link_profile_file.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

std::string complaint(const std::string& text) {
  const auto profile = parse_link_profile(text, "p.yaml");
  return profile ? "none" : profile.error().message;
}

TEST(LinkProfile, ReadsEverything) {
  const auto p = parse_link_profile(R"(
name: a bad day
sync_interval_s: 6
both: {delay_s: 0.1, jitter_s: 0.02, loss: 0.3, rate_bps: 64000, queue_bytes: 9000}
down: {delay_s: 0.2, burst_good_s: 5, burst_bad_s: 1}
blackouts:
  - {at_s: 10, for_s: 5}
  - {every_s: 60, for_s: 3}
  - {at_s: 0, every_s: 70, for_s: 1}
trace: t.csv
trace_rate_hz: 20
split: 0.4
)",
                                    "p.yaml");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->name, "a bad day");
  EXPECT_EQ(p->sync_interval, 6);
  EXPECT_EQ(p->up.delay, 0.1);
  EXPECT_EQ(p->down.delay, 0.2);
  EXPECT_EQ(p->up.loss, 0.3);
  EXPECT_EQ(p->down.loss, 0.3);
  EXPECT_EQ(p->down.queue, 9000);
  EXPECT_EQ(p->up.burst_good, 0);
  EXPECT_EQ(p->down.burst_good, 5);
  ASSERT_EQ(p->blackouts.size(), 3u);
  EXPECT_EQ(p->blackouts[0].at, 10);
  EXPECT_EQ(p->blackouts[0].every, 0);
  EXPECT_EQ(p->blackouts[1].at, 60) << "begins good";
  EXPECT_EQ(p->blackouts[2].at, 0);
  EXPECT_EQ(p->trace_file, "t.csv");
  EXPECT_EQ(p->trace_rate_hz, 20);
  EXPECT_EQ(p->trace_split, 0.4);
}

TEST(LinkProfile, BadInputIsNamed) {
  EXPECT_EQ(complaint("both: {los: 0.3}"),
            "p.yaml:1: both has the unknown key \"los\"; the nearest known one is \"loss\"");
  EXPECT_EQ(complaint("upp: {loss: 0.3}"),
            "p.yaml:1: the file has the unknown key \"upp\"; the nearest known one is \"up\"");
  EXPECT_EQ(complaint("up:\n  loss: 1.5"), "p.yaml:2: up.loss is 1.5, but must lie between 0 and 1");
  EXPECT_EQ(complaint("up: {delay_s: .nan}"), "p.yaml:1: up.delay_s is .nan, but must be a finite number");
  EXPECT_EQ(complaint("up: {delay_s: 0.2, max_delay_s: 0.1}"),
            "p.yaml:1: up.max_delay_s is 0.1, but must be 0 or at least delay_s, 0.2");
  EXPECT_EQ(complaint("down: {burst_good_s: 2}"),
            "p.yaml:1: down has a burst_good_s of 2 and a burst_bad_s of 0, but both must be 0 or neither");
  EXPECT_EQ(complaint("blackouts: [{for_s: 2}]"),
            "p.yaml:1: blackouts[0] has neither at_s nor every_s, but must have one of them");
  EXPECT_EQ(complaint("blackouts: [{at_s: 2}]"), "p.yaml:1: blackouts[0].for_s is missing");
  EXPECT_EQ(complaint("blackouts: [{every_s: 2, for_s: 2}]"),
            "p.yaml:1: blackouts[0].every_s is 2, but must exceed for_s, 2");
  EXPECT_EQ(complaint("up: {rate_bps: 1e-300}"), "p.yaml:1: up.rate_bps is 1e-300, but must be 0 or at least 100");
  EXPECT_EQ(complaint("split: 2"), "p.yaml:1: split is 2, but must lie between 0 and 1");
}

TEST(LinkProfile, ARecordingIsFoundBesideTheProfile) {
  const test::TempFolder folder;
  folder.write("sub/t.csv", "100\n200\n");
  const std::string path = folder.write("sub/p.yaml", "trace: t.csv\ntrace_rate_hz: 4\n");
  const auto profile = load_link_profile(path);
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->trace.size(), 2u);
  EXPECT_EQ(profile->trace[1].at, 0.25);
  EXPECT_EQ(profile->trace_length, 0.5);
  EXPECT_EQ(profile->name, "p");
}

TEST(LinkProfile, AMissingRecordingIsNamed) {
  const test::TempFolder folder;
  const std::string path = folder.write("p.yaml", "trace: none.csv\n");
  const auto profile = load_link_profile(path);
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find("none.csv does not exist"), std::string::npos) << profile.error().message;
}

TEST(LinkProfile, ARecordingAloneIsAProfile) {
  const test::TempFolder folder;
  for (const char* name : {"walk.csv", "walk.txt"}) {
    const auto profile = load_link_profile(folder.write(name, "100\n300\n"));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->name, "walk");
    ASSERT_EQ(profile->trace.size(), 2u);
    EXPECT_DOUBLE_EQ(impair::mean_delay(*profile, impair::Way::up), 0.1);
  }
}

TEST(LinkProfile, TheNearestNameIsOffered) {
  const auto profile = load_link_profile("satelite");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().message,
            "\"satelite\" is neither a file nor the name of a link profile; the nearest known name is \"satellite\"");
}

// What a ready-made profile does to a datagram every interval over six hours.
struct Summary {
  double lost = 0;
  double mean = 0;
  double largest = 0;
};

Summary summarize(const impair::LinkProfile& profile, impair::Way way) {
  impair::Link link(profile, way, 1);
  Summary summary;
  double n_lost = 0, n_arrived = 0;
  for (double t = 0; t < 6 * 3600; t += profile.sync_interval) {
    const auto delays = link.carry(from_seconds(t), 128);
    if (delays.empty()) {
      ++n_lost;
      continue;
    }
    ++n_arrived;
    summary.mean += to_seconds(delays[0]);
    summary.largest = std::max(summary.largest, to_seconds(delays[0]));
  }
  summary.lost = n_lost / (n_lost + n_arrived);
  summary.mean /= n_arrived;
  return summary;
}

TEST(LinkProfile, TheReadyMadeOnesDoWhatTheirNamesSay) {
  struct Expected {
    const char* name;
    double lost_low, lost_high, mean_low, mean_high, largest;
  };
  for (const Expected& expected : {
           Expected{"paper", 0.27, 0.33, 0.08, 0.12, 0.3},
           Expected{"4g", 0.002, 0.01, 0.05, 0.065, 2.3},
           Expected{"satellite", 0.002, 0.01, 0.29, 0.32, 0.71},
           Expected{"wifi-walls", 0.06, 0.1, 0.006, 0.01, 0.5},
           Expected{"severe", 0.25, 0.45, 0.15, 0.4, 5},
           Expected{"blackout-30s", 0.2, 0.26, 0.009, 0.012, 0.1},
       }) {
    const auto profile = load_link_profile(expected.name);
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->name, expected.name);
    for (const impair::Way way : {impair::Way::up, impair::Way::down}) {
      const Summary summary = summarize(*profile, way);
      EXPECT_GE(summary.lost, expected.lost_low) << expected.name;
      EXPECT_LE(summary.lost, expected.lost_high) << expected.name;
      EXPECT_GE(summary.mean, expected.mean_low) << expected.name;
      EXPECT_LE(summary.mean, expected.mean_high) << expected.name;
      EXPECT_LE(summary.largest, expected.largest + 1e-9) << expected.name;
    }
  }
}

TEST(LinkProfile, ThePaperSendsTenPacketsAMinute) { EXPECT_EQ(load_link_profile("paper")->sync_interval, 6); }

}  // namespace
}  // namespace forerun::io
