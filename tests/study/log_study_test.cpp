// The study of recorded drives.
#include "forerun/study/log_study.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "tests/support/small_worlds.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::study {
namespace {

namespace fs = std::filesystem;

robot::Description turtle() { return *io::load_robot(*io::find_file(io::FileKind::robot, "turtle")); }

// There and back in a hall 20 m long, with a stay at each end; localization is off by `off` metres. A robot that turns
// on the spot in no time, and drives at 0.4 m/s.
NamedLog shuttle(double duration, double off, double x0 = 0) {
  std::string text = "t_s,x_m,y_m,theta_rad,v_mps,w_radps,loc_x_m,loc_y_m,loc_theta_rad,goal_x_m,goal_y_m\n";
  for (double t = 0; t < duration; t += 0.1) {
    const double phase = std::fmod(t, 80), half = std::fmod(t, 40);
    const bool back = phase >= 40, drives = half < 35;
    const double way = std::min(half, 35.0) * 0.4;
    const double x = x0 + (back ? 7 - way : -7 + way), heading = back ? kPi : 0;
    for (const double value : {t, x, 0.0, heading, drives ? 0.4 : 0.0, 0.0, x, off, heading}) {
      text += std::to_string(value) + ",";
    }
    text += drives ? std::to_string(back ? x0 - 7 : x0 + 7) + ",0\n" : ",\n";
  }
  return {"shuttle.csv", *io::parse_drive_log(text, "shuttle.csv")};
}

TEST(LogStudy, TheLocalizationErrorIsOnlyInTheAbsoluteFigures) {
  const world::World hall = make_room({-10, -2}, {10, 2});
  const robot::Description robot = turtle();
  const std::vector<NamedLog> logs{shuttle(300, 0.4)};
  const auto result = run_log_study({hall, robot, logs}, {.runs = 3, .seed = 2});
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result->relative.gap_bins.size(), kUsualGaps);
  EXPECT_LT(bin_at(result->relative, 1)->extrapolation().mean, 0.1);
  EXPECT_GT(bin_at(result->absolute, 1)->extrapolation().mean, 0.35);
  EXPECT_NEAR(result->duration_s, 300, 0.2);
  EXPECT_EQ(result->breaks, 0u);
  for (const ErrorBin& bin : result->relative.gap_bins) EXPECT_GE(bin.prediction().ci95[1], bin.prediction().ci95[0]);
}

TEST(LogStudy, TheSameSeedGivesTheSameFiguresAndAnotherOthers) {
  const world::World hall = make_room({-10, -2}, {10, 2});
  const robot::Description robot = turtle();
  const std::vector<NamedLog> logs{shuttle(150, 0), shuttle(100, 0.1)};
  const auto error = [&](std::uint64_t seed) {
    const auto result = run_log_study({hall, robot, logs}, {.runs = 2, .seed = seed});
    return bin_at(result->relative, 6)->extrapolation().mean;
  };
  EXPECT_EQ(error(1), error(1));
  EXPECT_NE(error(1), error(2));
}

TEST(LogStudy, TakesThePlansBesideTheLogsUnlessTheyAreLeftOut) {
  const test::TempFolder folder;
  folder.write("a.csv", "t_s,x_m,y_m,theta_rad\n0,0,0,0\n0.5,0.2,0,0\n");
  folder.write("a.plan.csv", "t_s,path_x_y_m\n0,0 0;7 0\n");
  const auto with = load_logs({folder.file("a.csv")}, Plans::taken);
  ASSERT_TRUE(with.ok()) << with.error().message;
  EXPECT_EQ(with->at(0).log.plans.size(), 1u);
  const auto without = load_logs({folder.file("a.csv")}, Plans::left_out);
  ASSERT_TRUE(without.ok());
  EXPECT_TRUE(without->at(0).log.plans.empty());
  folder.write("a.plan.csv", "t_s,path_x_y_m\n0,0;7 0\n");
  EXPECT_FALSE(load_logs({folder.file("a.csv")}, Plans::taken).ok());
  EXPECT_TRUE(load_logs({folder.file("a.csv")}, Plans::left_out).ok());
}

TEST(LogStudy, SaysWhenADriveDoesNotBelongToItsWorld) {
  const world::World hall = make_room({-10, -2}, {10, 2});
  const robot::Description robot = turtle();
  const std::vector<NamedLog> elsewhere{shuttle(100, 0, 500)};
  const auto result = run_log_study({hall, robot, elsewhere}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("shuttle.csv: 100 %"), std::string::npos) << result.error().message;
  const std::vector<NamedLog> brief{shuttle(3, 0)};
  const auto too_short = run_log_study({hall, robot, brief}, {.runs = 2});
  ASSERT_FALSE(too_short.ok());
  EXPECT_NE(too_short.error().message.find("30 samples"), std::string::npos) << too_short.error().message;
}

TEST(LogStudy, PredictsARobotWithNavigationOfItsOwn) {
  const fs::path data = fs::path(test::source_path()) / ".." / "shared" / "data";
  if (!fs::exists(data / "rosnav")) GTEST_SKIP() << "the recorded drives are not beside this repository";
  const auto world = atlas::load_world((data / "maps" / "levine_slam.yaml").string());
  ASSERT_TRUE(world.ok()) << world.error().message;
  const robot::Description robot = turtle();
  std::vector<NamedLog> logs;
  for (const char* name : {"levine_a.csv.gz", "levine_b.csv.gz"}) {
    const std::string file = (data / "rosnav" / name).string();
    logs.push_back({file, *io::load_drive_log(file)});
  }
  const auto result = run_log_study({*world, robot, logs}, {.runs = 1});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_LT(*ratio_at(result->relative, 6), 0.8);
  EXPECT_LT(*ratio_at(result->relative, 12.5), 0.7);
}

}  // namespace
}  // namespace forerun::study
