// Scan logs: CARMEN's lines and Radish's JSON.
#include "forerun/io/scan_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "tests/support/source_path.hpp"

namespace forerun::io {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

std::string complaint(const std::string& text) {
  const auto log = parse_scan_log(text, "s.log");
  return log ? "none" : log.error().message;
}

std::string flaser(const std::string& ranges, double stamp, const std::string& laser = "1 2 0.5",
                   const std::string& robot = "1 2 0.5") {
  return "FLASER " + ranges + " " + laser + " " + robot + " " + std::to_string(stamp) + " pippo 1\n";
}

TEST(ScanLog, ReadsFlaserLines) {
  const auto log =
      parse_scan_log("# a comment\nPARAM robot_front_laser_max 30 x 0\nODOM 0 0 0 0 0 0 1 h 1\n" +
                         flaser("4 1 2.5 40 3", 5) + "ODOM 1 2 0.5 0 0 0 0 h 0\nODOM 2 2 7 0 0 0 6 h 1\r\n",
                     "s.log");
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->scans.size(), 1u);
  const LoggedScan& scan = log->scans[0];
  EXPECT_EQ(scan.time, 5);
  EXPECT_EQ(scan.odometry, (Pose2{1, 2, 0.5}));
  EXPECT_FALSE(scan.corrected.has_value()) << "both poses are the same";
  EXPECT_EQ(scan.ranges, (std::vector<float>{1, 2.5f, kNoEcho, 3})) << "40 m is beyond the limit of 30 m";
  EXPECT_NEAR(log->first_angle, -90 * kDegree, 1e-12);
  EXPECT_NEAR(log->step, 45 * kDegree, 1e-12);
  ASSERT_EQ(log->odometry.size(), 2u) << "the line without a stamp counts for nothing";
  EXPECT_EQ(log->odometry[1].time, 6);
  EXPECT_NEAR(log->odometry[1].pose.theta, 7 - 2 * std::numbers::pi, 1e-12);
}

TEST(ScanLog, KnowsTheFanByTheNumberOfBeams) {
  const auto fan = [](std::size_t n) {
    std::string ranges = std::to_string(n);
    for (std::size_t i = 0; i < n; ++i) ranges += " " + std::to_string(i + 1);
    const auto log = parse_scan_log(flaser(ranges, 1), "s.log");
    return std::pair(log->first_angle / kDegree, log->step / kDegree);
  };
  EXPECT_NEAR(fan(180).first, -90, 1e-9);
  EXPECT_NEAR(fan(180).second, 1, 1e-9);
  EXPECT_NEAR(fan(181).second, 1, 1e-9);
  EXPECT_NEAR(fan(361).second, 0.5, 1e-9);
  EXPECT_NEAR(fan(401).first, -50, 1e-9);
  EXPECT_NEAR(fan(401).second, 0.25, 1e-9);
}

TEST(ScanLog, ReadsRobotlaserLines) {
  const std::string line = " 0 -1 2 0.5 20 0.01 0 5 1 2 20 4 5 2 9 9 3.25 4 0.1 3 4 0.1 0 0 0 0 0 7 host 7\n";
  const auto log = parse_scan_log("ROBOTLASER1" + line + "FLASER 2 1 1 0 0 0 0 0 0 8 h 8\n", "s.log");
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->scans.size(), 1u) << "the form that comes first counts";
  EXPECT_EQ(log->first_angle, -1);
  EXPECT_EQ(log->step, 0.5);
  EXPECT_EQ(log->max_range, 20);
  EXPECT_EQ(log->scans[0].ranges, (std::vector<float>{1, 2, kNoEcho, 4, 5}));
  EXPECT_EQ(log->scans[0].time, 7);
  EXPECT_EQ(log->scans[0].odometry, (Pose2{3, 4, 0.1}));
  EXPECT_NEAR(log->robot_from_laser.x, 0.25 * std::cos(0.1), 1e-12);
  EXPECT_NEAR(log->robot_from_laser.y, -0.25 * std::sin(0.1), 1e-12);
}

TEST(ScanLog, TellsAMountFromCorrectedPoses) {
  const auto mounted = parse_scan_log(
      flaser("2 1 2", 1, "0.3 0 0", "0.2 0 0") + flaser("2 1 2", 2, "1 1.1 1.5707963", "1 1 1.5707963"), "s.log");
  ASSERT_TRUE(mounted) << mounted.error().message;
  EXPECT_FALSE(mounted->has_corrected());
  EXPECT_NEAR(mounted->robot_from_laser.x, 0.1, 1e-6);
  const auto corrected =
      parse_scan_log(flaser("2 1 2", 1, "0 0 0", "0 0 0") + flaser("2 1 2", 2, "1.2 0 0", "1 0 0"), "s.log");
  ASSERT_TRUE(corrected) << corrected.error().message;
  ASSERT_TRUE(corrected->has_corrected());
  EXPECT_EQ(*corrected->scans[1].corrected, (Pose2{1.2, 0, 0}));
  EXPECT_EQ(corrected->scans[1].odometry, (Pose2{1, 0, 0}));
  EXPECT_EQ(corrected->robot_from_laser, Pose2());
}

TEST(ScanLog, NoEchoHasManyNames) {
  const auto log = parse_scan_log(flaser("6 0 nan inf -1 2 81.83", 1), "s.log");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->scans[0].ranges, (std::vector<float>{kNoEcho, kNoEcho, kNoEcho, kNoEcho, 2, kNoEcho}));
}

TEST(ScanLog, TheRangeThatIsOftenTheLargestIsNoEcho) {
  const auto log = parse_scan_log(flaser("5 1 2 3 29.9 29.9", 1) + flaser("5 1 2 3 29.9 4", 2), "s.log");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_NEAR(log->max_range, 29.9, 1e-6);
  EXPECT_EQ(log->scans[0].ranges, (std::vector<float>{1, 2, 3, kNoEcho, kNoEcho}));
  const auto once = parse_scan_log(flaser("5 1 2 3 29.8 29.9", 1), "s.log");
  EXPECT_EQ(once->max_range, 80) << "a wall far off";
}

TEST(ScanLog, SmallStepsBackInTimeKeepTheOrderOfTheFile) {
  const auto log = parse_scan_log(flaser("2 1 2", 5) + flaser("2 2 2", 4.5) + flaser("2 3 3", 6), "s.log");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->scans[1].time, 5);
  EXPECT_EQ(log->scans[1].stamp, 4.5);
  EXPECT_EQ(log->scans[1].ranges[0], 2);
  EXPECT_EQ(log->n_stamps_raised, 1u);
  EXPECT_EQ(order_note(*log, "s.log"),
            "1 of the 3 scans in s.log are stamped earlier than one before them: the order of the file counts");
  EXPECT_EQ(order_note(*parse_scan_log(flaser("2 1 2", 5), "s.log"), "s.log"), "");
  EXPECT_EQ(complaint(flaser("2 1 2", 5) + flaser("2 1 2", 3)),
            "s.log:2: the stamp falls from 5 to 3, but must not go back by more than 1 s");
}

TEST(ScanLog, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(complaint(""), "s.log is empty, but must hold at least one scan");
  EXPECT_EQ(complaint(" \n"), "s.log is empty, but must hold at least one scan");
  EXPECT_EQ(complaint("ODOM 0 0 0 0 0 0 1 h 1\n"),
            "s.log holds no scan, but must be a CARMEN log with FLASER or ROBOTLASER1, or JSON of a Radish pair");
  EXPECT_EQ(complaint(flaser("2 1 2", 1) + flaser("3 1 1 2", 2)),
            "s.log:2: the scan has 3 ranges, but must have as many as the first, 2");
  EXPECT_EQ(complaint("FLASER 2 1"), "s.log:1: the range is missing, but must be a number");
  EXPECT_EQ(complaint("FLASER 3 1 two 3 0 0 0 0 0 0 1 h 1"), "s.log:1: the range is \"two\", but must be a number");
  EXPECT_EQ(complaint("FLASER many 1"),
            "s.log:1: the number of ranges is \"many\", but must be a number from 0 to 10000");
  EXPECT_EQ(complaint("FLASER 2.5 1 1"), "s.log:1: the number of ranges must be a whole number");
  EXPECT_EQ(complaint(flaser("1 1", 1)), "s.log:1: the number of ranges is 1, but must be from 2 to 10000");
  EXPECT_EQ(complaint("FLASER 2 1 1 0 nan 0 0 0 0 1 h 1"),
            "s.log:1: the pose of the laser is \"nan\", but must be a number from -1000000 to 1000000");
  EXPECT_EQ(complaint("FLASER 2 1 1 0 0 0 0 0 0 inf h 1"),
            "s.log:1: the stamp is \"inf\", but must be a number from -100000000000 to 100000000000");
  EXPECT_EQ(complaint(flaser("2 0 0", 1)), "s.log: no beam of any scan has an echo, but at least one must");
  EXPECT_EQ(complaint("ODOM 0 x 0 0 0 0 1 h 1\n" + flaser("2 1 2", 1)),
            "s.log:1: the odometry is \"x\", but must be a number from -1000000 to 1000000");
  EXPECT_EQ(complaint("ROBOTLASER1 0 -1 2 0.5 20 0.01 0 2 1 2 0 0 0 0 0 0 0 0 0 0 0 0 7 h 7\n"
                      "ROBOTLASER1 0 -2 2 0.5 20 0.01 0 2 1 2 0 0 0 0 0 0 0 0 0 0 0 0 8 h 8\n"),
            "s.log:2: the scan begins at -2 rad in steps of 0.5, but must be as the first, -1 and 0.5");
}

TEST(ScanLog, ReadsRadishJsonInTheOrderOfItsStamps) {
  const auto log = parse_scan_log(
      R"({"map": {"10.5": {"range": [1, 2], "x": 1, "y": 2, "theta": 7}, "9.25": {"range": [null, 4], "theta": 0, "x": 0, "y": 0}}})",
      "s.json");
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->scans.size(), 2u);
  EXPECT_EQ(log->scans[0].time, 9.25);
  EXPECT_EQ(log->scans[0].ranges, (std::vector<float>{kNoEcho, 4}));
  EXPECT_EQ(log->scans[1].odometry.x, 1);
  EXPECT_NEAR(log->scans[1].odometry.theta, 7 - 2 * std::numbers::pi, 1e-12);
}

TEST(ScanLog, SaysWhatIsWrongWithJson) {
  const std::string shape = "s.log is no scan log: JSON must be {\"map\": {\"<stamp>\": {\"range\", …}}}";
  EXPECT_EQ(complaint("{"), shape);
  EXPECT_EQ(complaint("{\"map\": 3}"), shape);
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "theta": 0, "range": [1, NaN]}}})"),
            shape + ", and knows neither NaN nor Infinity: a beam without an echo is null");
  EXPECT_EQ(complaint(R"({"map": {"1": {"range": [[[[1]]]]}}})"), shape) << "nested too deep";
  EXPECT_EQ(complaint("{\"map\": {}}"), "s.log has no scan, but must hold at least one");
  EXPECT_EQ(complaint(R"({"map": {"soon": {}}})"),
            "s.log: scan \"soon\": the stamp must be a number of seconds within ±100000000000");
  EXPECT_EQ(complaint(R"({"map": {"1": 3}})"), "s.log: scan \"1\" must be an object with range, x, y and theta");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "range": [1, 2]}}})"),
            "s.log: scan \"1\": theta is missing, but must be a number within ±1000000");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": "a", "y": 0, "theta": 0, "range": [1, 2]}}})"),
            "s.log: scan \"1\": x is \"\"a\"\", but must be a number within ±1000000");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "theta": 0}}})"),
            "s.log: scan \"1\": range must be a list of ranges");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "theta": 0, "range": [1]}}})"),
            "s.log: scan \"1\": the number of ranges is 1, but must be from 2 to 10000");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "theta": 0, "range": [1, "b"]}}})"),
            "s.log: scan \"1\": range 2 is \"\"b\"\", but must be a number");
  EXPECT_EQ(complaint(R"({"map": {"1": {"x": 0, "y": 0, "theta": 0, "range": [1, 1]},
                                  "2": {"x": 0, "y": 0, "theta": 0, "range": [1, 1, 1]}}})"),
            "s.log: scan \"2\": the scan has 3 ranges, but must have as many as the first, 2");
}

TEST(ScanLog, CorrectedPosesComeByTheirStamps) {
  auto log = *parse_scan_log(flaser("2 1 2", 1) + flaser("2 1 2", 2), "s.log");
  const auto truth = parse_scan_log(R"({"map": {"1.0": {"x": 5, "y": 6, "theta": 0, "range": [1, 1]},
                                                "2": {"x": 7, "y": 8, "theta": 0, "range": [1, 1]}}})",
                                    "t.json");
  ASSERT_TRUE(add_corrected(log, *truth, "t.json"));
  EXPECT_EQ(log.scans[1].best(), (Pose2{7, 8, 0}));
  auto later = *parse_scan_log(flaser("2 1 2", 1) + flaser("2 1 2", 3), "s.log");
  EXPECT_EQ(add_corrected(later, *truth, "t.json").error().message,
            "t.json has no pose of time 3, but must have one for every scan");
  EXPECT_FALSE(later.has_corrected()) << "all of them or none";
}

TEST(ScanLog, AScanWhoseStampGoesBackGetsItsOwnTruth) {
  auto log = *parse_scan_log(flaser("2 1 2", 5) + flaser("2 1 2", 4.5) + flaser("2 1 2", 6), "s.log");
  const auto truth = parse_scan_log(R"({"map": {"4.5": {"x": 2, "y": 0, "theta": 0, "range": [1, 1]},
                                 "5": {"x": 1, "y": 0, "theta": 0, "range": [1, 1]},
                                 "6": {"x": 3, "y": 0, "theta": 0, "range": [1, 1]}}})",
                                    "t.json");
  ASSERT_TRUE(add_corrected(log, *truth, "t.json"));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(log.scans[i].best().x, static_cast<double>(i + 1));
}

TEST(ScanLog, ScansOfOneStampGetTheirTruthInOrder) {
  const std::string both = flaser("2 1 2", 5, "1 0 0", "1 0 0") + flaser("2 1 2", 5, "2 0 0", "2 0 0");
  auto log = *parse_scan_log(flaser("2 1 2", 5) + flaser("2 1 2", 5), "s.log");
  ASSERT_TRUE(add_corrected(log, *parse_scan_log(both, "t.log"), "t.log"));
  EXPECT_EQ(log.scans[0].best().x, 1);
  EXPECT_EQ(log.scans[1].best().x, 2);
  auto one = *parse_scan_log(flaser("2 1 2", 5), "s.log");
  EXPECT_EQ(add_corrected(one, *parse_scan_log(both, "t.log"), "t.log").error().message,
            "t.log has 2 poses of time 5, but must have as many as there are scans of that time, 1");
}

TEST(ScanLog, ReadsTheIntelLab) {
  const std::string data = test::source_path("../shared/data/");
  if (!std::filesystem::exists(data + "radish")) GTEST_SKIP() << "no recordings in " << data;
  const auto raw = load_scan_log(data + "radish/intel_raw_odometry.json.gz");
  ASSERT_TRUE(raw) << raw.error().message;
  EXPECT_EQ(raw->scans.size(), 910u);
  EXPECT_EQ(raw->scans[0].ranges.size(), 180u);
  EXPECT_LT(raw->max_range, 81);
  const auto carmen = load_scan_log(data + "carmen/intel-corrected.log.gz");
  ASSERT_TRUE(carmen) << carmen.error().message;
  EXPECT_EQ(carmen->scans.size(), 910u);
  EXPECT_FALSE(carmen->has_corrected()) << "this log has the corrected poses in both places";
  EXPECT_EQ(carmen->n_stamps_raised, 4u);
  EXPECT_EQ(carmen->scans[0].ranges, raw->scans[0].ranges);
}

}  // namespace
}  // namespace forerun::io
