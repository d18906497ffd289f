// Robot files that come out again with other limits and weights.
#include "forerun/io/robot_writer.hpp"

#include <gtest/gtest.h>

#include "forerun/io/robot_file.hpp"
#include "forerun/robot/description_bytes.hpp"
#include "tests/support/source_tree.hpp"

namespace forerun::io {
namespace {

constexpr const char* kText = R"(# a comment
name: "007"
height_m: 1.20
footprint: {radius_m: 0.25}
drive: {type: differential, left_diameter_m: 0.07, right_diameter_m: 0.0701, base_m: 0.23}
limits:
  max_speed_mps: 0.5
)";

robot::Description parse(const std::string& text) {
  auto robot = parse_robot(text, "robot.yaml");
  EXPECT_TRUE(robot) << (robot ? "" : robot.error().message) << '\n' << text;
  return robot ? *robot : robot::Description{};
}

void expect_same(const robot::Description& a, const robot::Description& b, const std::string& about) {
  EXPECT_EQ(robot::to_bytes(a), robot::to_bytes(b)) << about;
}

TEST(RobotWriter, ChangesLimitsAndWeightsAndNothingElse) {
  robot::Description wanted = parse(kText);
  wanted.limits.max_speed = 0.4321;
  wanted.limits.turn_deceleration = 1.0 / 3;
  wanted.control.heading_weight = 1.75;
  wanted.control.speed_samples = 9;
  const auto text = rewrite_robot(kText, "robot.yaml", wanted, "fitted");
  ASSERT_TRUE(text);
  expect_same(parse(*text), wanted, *text);
  EXPECT_EQ(text->rfind("# fitted\n", 0), 0u) << *text;
  EXPECT_NE(text->find("0.4321"), std::string::npos) << *text;
  EXPECT_NE(text->find("1.20"), std::string::npos) << "digits as they were written: " << *text;
  EXPECT_EQ(text->find("acceleration_mps2"), std::string::npos) << "what did not change is not there: " << *text;
}

TEST(RobotWriter, AllOfOurRobotsComeOutAsTheyWere) {
  const auto robots = test::read_tree("robots", {".yaml"});
  for (const auto& [path, text] : robots) {
    robot::Description wanted = parse(text);
    wanted.limits.acceleration *= 0.9;
    const auto written = rewrite_robot(text, path, wanted, "slower");
    ASSERT_TRUE(written);
    expect_same(parse(*written), wanted, path);
  }
  EXPECT_GE(robots.size(), 4u);
}

TEST(RobotWriter, RefusesFilesThatAreNoRobots) {
  const auto text = rewrite_robot("name: x\nwheels: 3\n", "robot.yaml", {}, "fitted");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("robot.yaml"), std::string::npos) << text.error().message;
}

TEST(RobotWriter, ChangesWheelsAndNamesThemForOtherPrograms) {
  robot::Description wanted = parse(kText);
  const robot::DifferentialGeometry nominal{0.07, 0.0701, 0.23}, calibrated{0.0702, 0.0699, 0.2345};
  wanted.drive = robot::make_differential(calibrated);
  const auto text = rewrite_robot(kText, "robot.yaml", wanted, "calibrated", to_ros2_control(nominal, calibrated));
  ASSERT_TRUE(text);
  expect_same(parse(*text), wanted, *text);
  EXPECT_NE(text->find("wheel_separation: 0.23\n"), std::string::npos) << *text;
  // once more over what was written
  const auto again = rewrite_robot(*text, "robot.yaml", wanted, "calibrated", to_ros2_control(nominal, calibrated));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *text);
}

TEST(RobotWriter, MultipliersTurnNominalWheelsIntoCalibratedOnes) {
  const robot::DifferentialGeometry nominal{0.07, 0.08, 0.23}, calibrated{0.0702, 0.0799, 0.2345};
  const Ros2Control names = to_ros2_control(nominal, calibrated);
  EXPECT_DOUBLE_EQ(names.wheel_radius, 0.0375);
  EXPECT_DOUBLE_EQ(2 * names.wheel_radius * names.left_wheel_radius_multiplier, calibrated.left_diameter);
  EXPECT_DOUBLE_EQ(2 * names.wheel_radius * names.right_wheel_radius_multiplier, calibrated.right_diameter);
  EXPECT_DOUBLE_EQ(names.wheel_separation * names.wheel_separation_multiplier, calibrated.base);
}

}  // namespace
}  // namespace forerun::io
