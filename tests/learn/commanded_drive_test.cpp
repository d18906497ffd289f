// Drive logs as commands and poses, cut where nobody saw what happened.
#include "forerun/learn/commanded_drive.hpp"

#include <gtest/gtest.h>

#include <string>

namespace forerun::learn {
namespace {

Result<CommandedDrive> read(const std::string& text) {
  const auto log = io::parse_drive_log(text, "drive.csv");
  if (!log) return log.error();
  return make_commanded_drive(*log, "drive.csv");
}

std::string row(double time, const std::string& rest) { return std::to_string(time) + "," + rest + "\n"; }

constexpr const char* kHeader = "t_s,x_m,y_m,theta_rad,v_cmd_mps,w_cmd_radps\n";

TEST(CommandedDrive, CommandsAndPosesMayHaveRowsOfTheirOwn) {
  const auto drive = read(kHeader + row(0, ",,,0.5,0.1") + row(0.01, "1,2,3,,") + row(0.03, ",,,,0.2") +
                          row(0.035, ",,,0.4,") + row(0.04, "1.1,2,-3.2,,"));
  ASSERT_TRUE(drive) << drive.error().message;
  ASSERT_EQ(drive->stretches.size(), 1U);
  const CommandedStretch& stretch = drive->stretches.front();
  ASSERT_EQ(stretch.commands.size(), 3U);
  EXPECT_EQ(stretch.commands[1].velocity, (robot::Twist{0.5, 0, 0.2})) << "what a row leaves out is as before";
  EXPECT_EQ(stretch.commands[2].velocity, (robot::Twist{0.4, 0, 0.2}));
  ASSERT_EQ(stretch.poses.size(), 2U);
  EXPECT_NEAR(stretch.poses[1].pose.theta, -3.2 + 2 * 3.14159265358979, 1e-9) << "the heading counts whole turns";
}

TEST(CommandedDrive, AGapIsNeverBridged) {
  std::string text = kHeader;
  for (int i = 0; i < 50; ++i) text += row(i * 0.05, "0,0,0,0.5,0");
  for (int i = 0; i < 50; ++i) text += row(3.5 + i * 0.05, "0,0,0,0.5,0");
  const auto drive = read(text);
  ASSERT_TRUE(drive) << drive.error().message;
  ASSERT_EQ(drive->stretches.size(), 2U);
  EXPECT_NEAR(drive->stretches[0].poses.back().time, 2.45, 1e-9);
  EXPECT_NEAR(drive->stretches[1].commands.front().time, 3.5, 1e-9);
}

TEST(CommandedDrive, WithoutCommandsNothingIsKnownOfTheResponse) {
  std::string text = kHeader;
  for (int i = 0; i < 100; ++i) text += row(i * 0.05, i < 20 || i > 60 ? "0,0,0,0.5,0" : "0,0,0,,");
  const auto drive = read(text);
  ASSERT_TRUE(drive) << drive.error().message;
  ASSERT_EQ(drive->stretches.size(), 2U);
  EXPECT_LT(drive->stretches[0].poses.back().time, 1.1);
  EXPECT_GT(drive->stretches[1].poses.front().time, 3.0);
}

TEST(CommandedDrive, SidewaysCommandsAreTakenBeforeTheSpeed) {
  const auto drive = read("t_s,x_m,y_m,theta_rad,v_cmd_mps,vx_cmd_mps,vy_cmd_mps,w_cmd_radps\n" +
                          row(0, "0,0,0,0.5,0.3,-0.4,1") + row(0.1, "0,0,0,0.5,0.3,-0.4,1"));
  ASSERT_TRUE(drive) << drive.error().message;
  EXPECT_TRUE(drive->sideways);
  EXPECT_EQ(drive->stretches[0].commands[0].velocity, (robot::Twist{0.3, -0.4, 1}));
}

TEST(CommandedDrive, RefusesWhatItCannotUse) {
  const auto why = [](const std::string& text) { return read(text).error().message; };
  EXPECT_EQ(why("t_s,x_m,y_m,theta_rad,v_cmd_mps\n0,0,0,0,1\n"),
            "drive.csv: there is no column w_cmd_radps, but a response needs t_s, x_m, y_m, theta_rad, v_cmd_mps (or "
            "vx_cmd_mps) and w_cmd_radps");
  EXPECT_EQ(why("t_s,x_m,y_m,theta_rad,w_cmd_radps\n0,0,0,0,1\n"),
            "drive.csv: there is no column v_cmd_mps or vx_cmd_mps, but a response needs the commands");
  EXPECT_EQ(why(kHeader + row(1, "0,0,0,1,0") + row(1, "0,0,0,1,0")),
            "drive.csv: t_s goes from 1 to 1, but times must rise");
  EXPECT_EQ(why(kHeader + row(1, "0,0,0,1,0")), "drive.csv: there are fewer than two poses");
  EXPECT_EQ(why(kHeader + row(1, "0,0,0,,") + row(2, "0,0,0,,")), "drive.csv: there is no command in any row");
  EXPECT_EQ(why(kHeader + row(1, "0,0,0,1e9,0")), "drive.csv: v_cmd_mps is 1000000000, but must lie within ±1000000");
}

}  // namespace
}  // namespace forerun::learn
