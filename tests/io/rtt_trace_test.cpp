#include "forerun/io/rtt_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/source_path.hpp"

namespace forerun::io {
namespace {

namespace fs = std::filesystem;

RttTrace read(const std::string& text, double rate_hz = 10) {
  const auto trace = parse_rtt_trace(text, "t.csv", rate_hz);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? *trace : RttTrace{};
}

std::string complaint(const std::string& text) {
  const auto trace = parse_rtt_trace(text, "t.csv", 10);
  return trace ? "none" : trace.error().message;
}

TEST(RttTrace, PlainRoundTripsArePlayedAtTheRate) {
  const RttTrace trace = read("215\n92.5\r\n\n4692\n", 5);
  ASSERT_EQ(trace.samples.size(), 3u);
  EXPECT_FALSE(trace.timed);
  EXPECT_DOUBLE_EQ(trace.samples[0].round_trip, 0.215);
  EXPECT_DOUBLE_EQ(trace.samples[1].round_trip, 0.0925);
  EXPECT_DOUBLE_EQ(trace.samples[2].round_trip, 4.692);
  EXPECT_EQ(trace.samples[0].at, 0);
  EXPECT_DOUBLE_EQ(trace.samples[2].at, 0.4);
  EXPECT_DOUBLE_EQ(trace.length, 0.6);
}

TEST(RttTrace, TablesHaveTheirOwnTimes) {
  const RttTrace trace = read(
      "pub_time(ms) sub_time(ms) delay(ms) cellid(db)\n"
      "1721200386000 1721200386042 42 5C42 8 -71 \n"
      "1721200386050 1721200386074 24 5C42\n"
      "1721200386200 1721200386230 30 5C42\n");
  ASSERT_EQ(trace.samples.size(), 3u);
  EXPECT_TRUE(trace.timed);
  EXPECT_EQ(trace.samples[0].at, 0);
  EXPECT_DOUBLE_EQ(trace.samples[1].at, 0.05);
  EXPECT_DOUBLE_EQ(trace.samples[1].round_trip, 0.024);
  EXPECT_DOUBLE_EQ(trace.length, 0.3) << "the last one counts as long as the others on average";
}

TEST(RttTrace, LinesOfATableMayBeMixed) {
  const RttTrace trace = read("pub_time delay\n500 1\n400 2\n600 3\n");
  ASSERT_EQ(trace.samples.size(), 3u);
  EXPECT_EQ(trace.samples[0].at, 0);
  EXPECT_DOUBLE_EQ(trace.samples[0].round_trip, 0.002);
  EXPECT_DOUBLE_EQ(trace.samples[2].at, 0.2);
  EXPECT_DOUBLE_EQ(trace.length, 0.3);
}

TEST(RttTrace, ASingleRoundTripIsARecording) {
  EXPECT_DOUBLE_EQ(read("7").length, 0.1);
  EXPECT_DOUBLE_EQ(read("pub_time delay\n5 7\n").length, 0.1);
  EXPECT_DOUBLE_EQ(read("pub_time delay\n5 7\n5 8\n").length, 0.1);
}

TEST(RttTrace, BadInputIsNamed) {
  EXPECT_EQ(complaint(""), "t.csv holds no round trip, but must hold at least one");
  EXPECT_EQ(complaint("\n \n"), "t.csv holds no round trip, but must hold at least one");
  EXPECT_EQ(complaint("pub_time delay\n"), "t.csv holds no round trip, but must hold at least one");
  const std::string rest = ", but must be a number of milliseconds from 0 to 10000000000";
  EXPECT_EQ(complaint("12\nnan\n"), "t.csv:2: the round trip is \"nan\"" + rest);
  EXPECT_EQ(complaint("12\n13\n-4\n"), "t.csv:3: the round trip is \"-4\"" + rest);
  EXPECT_EQ(complaint("inf"), "t.csv:1: the round trip is \"inf\"" + rest);
  EXPECT_EQ(complaint("time\n12"), "t.csv:1: the round trip is \"time\"" + rest);
  EXPECT_EQ(complaint("12 13\n"), "t.csv:1: \"13\" follows the round trip, but a line must hold one number");
  EXPECT_EQ(complaint("pub_time sub_time delay\n1 2\n"), "t.csv:2: the delay is \"\"" + rest);
  EXPECT_EQ(complaint("pub_time sub_time delay\n1 2 nan\n"), "t.csv:2: the delay is \"nan\"" + rest);
  EXPECT_EQ(complaint("pub_time delay\n5 1\n2e10 1\n"),
            "t.csv:3: the pub_time is 20000000000, but must lie within four months of the first, 5");
}

TEST(RttTrace, ReadsEveryRecordingThatIsThere) {
  const fs::path data = fs::path(test::source_path()) / ".." / "shared" / "data";
  if (!fs::exists(data / "network-rtt") || !fs::exists(data / "network-5g")) {
    GTEST_SKIP() << "the recorded round trips are not beside this repository";
  }
  int timed = 0, plain = 0;
  for (const char* folder : {"network-rtt", "network-5g"}) {
    for (const auto& entry : fs::directory_iterator(data / folder)) {
      const std::string path = entry.path().string();
      if (path.ends_with("_metadata.txt")) continue;
      const auto trace = load_rtt_trace(path, 10);
      ASSERT_TRUE(trace) << trace.error().message;
      EXPECT_GT(trace->samples.size(), 500u) << path;
      EXPECT_GT(trace->length, trace->samples.back().at) << path;
      EXPECT_TRUE(std::is_sorted(trace->samples.begin(), trace->samples.end(),
                                 [](const auto& a, const auto& b) { return a.at < b.at; }));
      EXPECT_EQ(trace->timed, folder == std::string("network-5g")) << path;
      (trace->timed ? timed : plain) += 1;
    }
  }
  EXPECT_GT(timed, 0);
  EXPECT_GT(plain, 0);
}

}  // namespace
}  // namespace forerun::io
