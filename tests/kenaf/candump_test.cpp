#include "forerun/kenaf/candump.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/source_tree.hpp"

namespace forerun::kenaf {
namespace {

TEST(Candump, ReadsAndWritesItsLines) {
  const std::string line = "(1436509052.249713) can0 110#E80313FC07000000";
  const auto logged = parse_candump(line);
  ASSERT_TRUE(logged);
  EXPECT_EQ(logged->time_us, 1436509052249713);
  EXPECT_EQ(logged->interface, "can0");
  EXPECT_EQ(logged->frame, encode(TrackSpeeds{100, -100.5, 7}));
  EXPECT_EQ(to_candump(*logged), line);
  EXPECT_EQ(to_candump(*parse_candump("(1.000002) vcan0 11f#")), "(1.000002) vcan0 11F#");
}

TEST(Candump, OtherLinesAreNone) {
  for (const char* line :
       {"", "(", "(1.0) can0 110#00", "(1.000000) can0", "(1.000000) can0 110", "(1.000000) can0 00000110#00",
        "(1.000000) can0 110#R", "(1.000000) can0 110#0", "(1.000000) can0 110#001122334455667788",
        "(1.000000) can0 110##000", "(1.000000)  110#00", "(-1.000000) can0 110#00", "(1.000000) can0 FFF#00"}) {
    EXPECT_FALSE(parse_candump(line)) << line;
  }
}

// Whatever a frame says, it says the same when it is written again.
void expect_same_bytes(const CanFrame& frame, StatusGatherer& gatherer, std::map<int, int>& counts) {
  if (const auto tracks = decode_tracks(frame)) {
    EXPECT_EQ(encode(*tracks), frame);
    ++counts[kTracksId];
  }
  if (const auto status = gatherer.take(frame)) {
    EXPECT_EQ(encode(*status)[3], frame);
    ++counts[kStateId];
  }
}

// What the library logged (HRT_KENAF_LOG) in the first seconds of the square in the simulator.
TEST(Candump, ARecordedDriveIsReadAndWrittenAgainToTheByte) {
  const std::string text = test::read_source("tests/kenaf/square.candump").text;
  std::map<int, int> counts;
  StatusGatherer gatherer;
  for (const std::string& line : test::split_lines(text)) {
    const auto logged = parse_candump(line);
    ASSERT_TRUE(logged) << line;
    EXPECT_EQ(to_candump(*logged), line);
    expect_same_bytes(logged->frame, gatherer, counts);
  }
  EXPECT_GT(counts[kTracksId], 50);
  EXPECT_GT(counts[kStateId], 20);
}

}  // namespace
}  // namespace forerun::kenaf
