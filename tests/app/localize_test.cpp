// `forerun localize`, run as a user would, on made-up logs and on the Intel lab.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "tests/app/expectations.hpp"
#include "tests/localize/drawn_map.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {"scans",     "lost_fraction",      "position_rmse_m", "heading_rmse_rad",
                                        "p95_m",     "time_to_localize_s", "update_ms_p99",   "max_m",
                                        "within_95", "way_to_localize_m",  "particles_mean"};

// Through three rooms and back, with odometry that turns a little too much, and leaps once. Of `laser_turned`, the
// scans say nothing; by `odometry_turned` the robot is taken to look another way.
std::string made_up_log(bool with_truth, double laser_turned = 0, const Pose2& world_from_map = {}, double leap = 0,
                        double odometry_turned = 0) {
  const localize::OccupancyMap rooms = localize::test::three_rooms();
  Random random(1, 1);
  Pose2 truth{2, 7.5, 0}, odometry{0, 0, 0};
  std::string text;
  char part[160];
  for (int i = 0; i < 120; ++i) {
    // ahead where there is room, else turning
    const bool room = localize::test::free_way(rooms, truth.position(), truth.theta, 1.0) > 0.8;
    const Pose2 step = room ? Pose2{0.2, 0, 0.02 * random.normal()} : Pose2{0.02, 0, 0.35};
    truth = truth * step;
    odometry = odometry * step * Pose2{i == 40 ? leap : 0, 0, 0.01};
    const auto ranges =
        localize::test::seen_ranges(rooms, {truth.x, truth.y, truth.theta - kPi / 2 + laser_turned}, random);
    // 120 beams all round: 60 of them are half a turn, and one more closes it
    text += "ROBOTLASER1 0 -1.5707963267948966 3.14159 0.05235987755982988 19 0.01 0 61";
    for (std::size_t beam = 0; beam < 61; ++beam) {
      std::snprintf(part, sizeof part, " %.3f", static_cast<double>(ranges[beam]));
      text += part;
    }
    const Pose2 laser = with_truth ? world_from_map * truth : odometry;
    std::snprintf(part, sizeof part, " 0 %.6f %.6f %.6f %.6f %.6f %.6f 0 0 0 0 0 %d host %d\n", laser.x, laser.y,
                  laser.theta, odometry.x, odometry.y, odometry.theta + odometry_turned, i, i);
    text += part;
  }
  return text;
}

class LocalizeCommand : public testing::Test {
 protected:
  LocalizeCommand() {
    folder_.write("drive.log", made_up_log(false));
    folder_.write("known.log", made_up_log(true));
  }
  Outcome localize(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "localize");
    return run_forerun(std::move(arguments), {.folder = folder_.path()});
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& sentence) {
    const Outcome outcome = localize(std::move(arguments));
    EXPECT_EQ(outcome.exit_code, 2) << sentence;
    EXPECT_EQ(outcome.err, "forerun: " + sentence + "\n");
  }

  TempFolder folder_;
};

TEST_F(LocalizeCommand, LocalizesOnTheMapOfKnownPoses) {
  const Outcome outcome = localize({"drive.log", "--map", "known.log", "--json", "-", "--svg", "drive.svg"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_EQ(result["scans"], 120);
  EXPECT_EQ(result["lost_fraction"], 0.0);
  EXPECT_LT(result["position_rmse_m"].get<double>(), 0.1);
  EXPECT_LT(result["heading_rmse_rad"].get<double>(), 0.03);
  EXPECT_EQ(result["time_to_localize_s"], 0.0);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("drive.svg")));
}

TEST_F(LocalizeCommand, FindsItselfFromNothing) {
  const Outcome outcome = localize({"drive.log", "--map", "known.log", "--global", "--starts", "3", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = nlohmann::ordered_json::parse(outcome.out);
  EXPECT_EQ(result["starts"], 3);
  EXPECT_EQ(result["starts_localized"], 3);
  EXPECT_LT(result["starts_way_max_m"].get<double>(), 20);
  EXPECT_GT(result["time_to_localize_s"].get<double>(), 0.0);
}

// In the picture's lower left corner the world is at (−3, 2), turned by 0.3 rad.
TEST_F(LocalizeCommand, TakesARosMapWithAnOriginOfItsOwn) {
  const Pose2 world_from_map{-3, 2, 0.3};
  const localize::OccupancyMap rooms = localize::test::three_rooms();
  const GridFrame& frame = rooms.frame();
  std::string picture = "P5 " + std::to_string(frame.width) + " " + std::to_string(frame.height) + " 255\n";
  for (int y = frame.height - 1; y >= 0; --y) {
    for (int x = 0; x < frame.width; ++x) {
      picture += rooms[Cell{x, y}] == localize::Occupancy::free ? '\xfe' : '\0';
    }
  }
  folder_.write("rooms.pgm", picture);
  folder_.write("rooms.yaml",
                "image: rooms.pgm\nresolution: 0.1\norigin: [-3, 2, 0.3]\nnegate: 0\noccupied_thresh: 0.65\n"
                "free_thresh: 0.196\n");
  folder_.write("world.log", made_up_log(true, 0, world_from_map));
  const Outcome outcome = localize({"drive.log", "--map", "rooms.yaml", "--truth", "world.log", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_EQ(result["lost_fraction"], 0.0);
  EXPECT_LT(result["position_rmse_m"].get<double>(), 0.1);
}

TEST_F(LocalizeCommand, SaysHowTheLaserIsMounted) {
  folder_.write("backward.log", made_up_log(true, kPi));
  const Outcome wrong = localize({"backward.log", "--map", "backward.log"});
  EXPECT_NE(wrong.err.find("much better if the laser is mounted backwards: say --mount backwards"), std::string::npos)
      << wrong.err;
  const Outcome right = localize({"backward.log", "--map", "backward.log", "--mount", "backwards", "--json", "-"});
  EXPECT_EQ(right.err, "");
  EXPECT_LT(nlohmann::json::parse(right.out)["position_rmse_m"].get<double>(), 0.1);
}

// The truth does not hide what localization goes by.
TEST_F(LocalizeCommand, SaysWhenOdometryAndMapLookDifferentWays) {
  folder_.write("turned.log", made_up_log(true, 0, {}, 0, kPi));
  const std::string sentence =
      "forerun: by the odometry in turned.log the laser is mounted backwards, but by the poses in known.log upright: "
      "headings do not mean the same in both, and --mount counts for both\n";
  EXPECT_EQ(localize({"turned.log", "--map", "known.log"}).err, sentence);
  EXPECT_EQ(localize({"turned.log", "--map", "known.log", "--mount", "backwards"}).err, sentence);
}

TEST_F(LocalizeCommand, RefusesAStartOffTheMap) {
  const Outcome off = localize({"drive.log", "--map", "known.log", "--start", "1000,-1e300,0"});
  EXPECT_EQ(off.exit_code, 2);
  EXPECT_EQ(off.err.rfind("forerun: --start is 1000, -1e+300, but the map goes from ", 0), 0u) << off.err;
  expect_refused({"drive.log", "--map", "known.log", "--start", "2,7.5,1e300"},
                 "--start has the heading 1e+300, but must have one in radians within ±1000");
}

TEST_F(LocalizeCommand, RefusesALogThatSeesNothing) {
  folder_.write("near.log", "FLASER 3 0.01 0.02 0.01 0 0 0 0 0 0 1 h 1\nFLASER 3 0.01 0.02 0.01 1 0 0 1 0 0 2 h 2\n");
  expect_refused({"near.log", "--map", "known.log", "--start", "2,7.5,0"},
                 "near.log: no beam of any scan met anything more than 0.05 m away");
  folder_.write("nan.json", R"({"map": {"1": {"range": [1, NaN, 2], "x": 0, "y": 0, "theta": 0}}})");
  expect_refused(
      {"nan.json", "--map", "known.log", "--start", "2,7.5,0"},
      "nan.json is no scan log: JSON must be {\"map\": {\"<stamp>\": {\"range\", …}}}, and knows neither NaN nor "
      "Infinity: a beam without an echo is null");
}

// Once, the robot was carried off by 900 km.
TEST_F(LocalizeCommand, RefusesOdometryThatLeaps) {
  folder_.write("leap.log", made_up_log(false, 0, {}, 900'000));
  expect_refused({"leap.log", "--map", "known.log", "--start", "2,7.5,0"},
                 "leap.log: the odometry leaps by 900000 m from the scan at 39 s to the next, but must move by at most "
                 "100 m");
}

TEST_F(LocalizeCommand, RefusesWhatItCannotUse) {
  expect_refused({"drive.log", "--map", "none.log"}, "none.log does not exist");
  folder_.write("empty.log", "");
  expect_refused({"empty.log", "--map", "known.log"}, "empty.log is empty, but must hold at least one scan");
  folder_.write("other.log", "FLASER 2 1 2 1 1 0 0 0 0 5000 host 0\n");
  expect_refused({"drive.log", "--map", "other.log"},
                 "drive.log does not say where on the map it begins: give --start, --truth or --global");
  expect_refused({"drive.log", "--map", "known.log", "--truth", "other.log"},
                 "other.log has no pose of time 0, but must have one for every scan");
  expect_refused({"drive.log", "--map", "known.log", "--from", "500"},
                 "--from is 500, but must be less than the number of scans, 120");
  expect_refused({"drive.log", "--map", "known.log", "--mount", "sideways"},
                 "--mount is \"sideways\", but must be upright, backwards, upside-down or upside-down-backwards");
  expect_refused({"drive.log", "--map", "known.log", "--svg", "drive.log"},
                 "drive.log is read, and would be overwritten: choose another file to write to");
}

TEST_F(LocalizeCommand, FindsTheIntelLabOnItsMap) {
  const std::string data = test::source_path("../shared/data/radish/");
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no recordings in " << data;
  const Outcome outcome =
      localize({data + "intel_raw_odometry.json.gz", "--map", data + "intel_corrected.json.gz", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, kKeys);
  EXPECT_EQ(result["scans"], 910);
  EXPECT_EQ(result["lost_fraction"], 0.0);
  EXPECT_LT(result["position_rmse_m"].get<double>(), 0.1);
  EXPECT_LT(result["heading_rmse_rad"].get<double>(), 0.026);
  EXPECT_GT(result["within_95"].get<double>(), 0.9);
}

}  // namespace
}  // namespace forerun::test
