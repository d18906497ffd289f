#include "forerun/io/path_file.hpp"

#include <gtest/gtest.h>

#include "tests/mission/paths.hpp"

namespace forerun::io {
namespace {

mission::RecordedPath a_path() {
  mission::HandDrive drive({1, 2, 0.5});
  drive.forward(0.3).bump().back(0.1);
  mission::RecordedPath path = drive.path();
  for (mission::PathPoint& point : path) {
    point.wheels.resize(2);
    point.wheels[0] = 1.25;
    point.ticks = {7, -9};
    point.nearest.push_back(0.4f);
    point.nearest.push_back(static_cast<float>(kInfinity));
  }
  return path;
}

TEST(PathFile, ReadsWhatItWrites) {
  const mission::RecordedPath path = a_path();
  const auto read = parse_path(write_path(path), "p.csv");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const mission::PathPoint &a = path[i], &b = (*read)[i];
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.pose, b.pose);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.wheels, b.wheels);
    EXPECT_EQ(a.ticks, b.ticks);
    EXPECT_EQ(a.nearest, b.nearest);
    EXPECT_EQ(a.bumped, b.bumped);
  }
}

TEST(PathFile, ActionsAreAColumnOfTheirOwn) {
  mission::RecordedPath path = a_path();
  EXPECT_EQ(write_path(path).find("action"), std::string::npos);
  path[3].action = "photo";
  const auto read = parse_path(write_path(path), "p.csv");
  ASSERT_TRUE(read) << read.error().message;
  for (std::size_t i = 0; i < path.size(); ++i) EXPECT_EQ((*read)[i].action, path[i].action);
}

TEST(PathFile, TakesTheColumnsOfADriveLogAndVelocitiesFromPoses) {
  const auto read = parse_path("t_s,x_m,y_m,theta_rad,goal_x_m\n0,0,0,0,5\n0.1,0.02,0,0,\n", "p.csv");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_NEAR((*read)[1].velocity.vx, 0.2, 1e-12);
}

TEST(PathFile, SaysWhatIsWrongInOneSentence) {
  const std::string head = "t_s,x_m,y_m,theta_rad\n";
  const std::pair<std::string, std::string> kCases[] = {
      {"", "p.csv is empty, but must begin with a header"},
      {"t_s,x_m,y_m\n0,0,0\n", "p.csv:1: the column theta_rad is missing, which a recorded path must have"},
      {head + "0,0,0,0\n", "p.csv: the path has 1 points, but must have at least 2"},
      {head + "0,0,0\n", "p.csv:2: the line has 3 fields, but the header has 4"},
      {head + "0,0,0,0\n0,1,0,0\n", "p.csv:3: t_s is 0, but must be larger than 0 of the line before"},
      {head + "0,nan,0,0\n", "p.csv:2: x_m is \"nan\", but must be a number from -1000000 to 1000000"},
      {"t_s,x_m,y_m,theta_rad,action\n0,0,0,0,a b\n",
       "p.csv:2: action is \"a b\", but must be empty or 1 to 32 letters, digits, _ and -"},
      {head + "0,,0,0\n", "p.csv:2: x_m is \"\", but must be a number from -1000000 to 1000000"},
  };
  for (const auto& [text, message] : kCases) {
    const auto read = parse_path(text, "p.csv");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message, message);
    EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
  }
}

}  // namespace
}  // namespace forerun::io
