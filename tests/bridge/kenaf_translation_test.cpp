#include "forerun/bridge/kenaf_translation.hpp"

#include <gtest/gtest.h>

namespace forerun::bridge {
namespace {

TEST(KenafTranslation, CommandsInTheirUnitsAndAxes) {
  const SimulatedKenaf robot;
  EXPECT_EQ(robot.drive_line({90, -45, 3}), "DRIVE {Left 1.00000} {Right -0.50000} {Normalized False}\r\n");
  EXPECT_EQ(SimulatedKenaf::flipper_line({90, -90, 0, 180}),
            "MULTIDRIVE {FLFlipper 1.57080} {FRFlipper -1.57080} {RLFlipper 0.00000} {RRFlipper 3.14159}\r\n");
  EXPECT_EQ(SimulatedKenaf::spawn_lines("R1", std::nullopt).find("INIT {ClassName USARBot.Kenaf} {Name R1}\r\n"), 0u);
  // their y is to the right, and they turn to the right
  EXPECT_NE(
      SimulatedKenaf::spawn_lines("R1", Pose2{1, 2, 0.5}).find("{Location 1.0000,-2.0000,0} {Rotation 0,0,-0.5000}"),
      std::string::npos);
}

TEST(KenafTranslation, StatusInOurUnitsAndAxes) {
  SimulatedKenaf robot;
  EXPECT_FALSE(robot.has_spoken());
  EXPECT_FALSE(robot.read("STA {Time 1.0} {Battery 1100} {Type GroundVehicle}"));
  EXPECT_TRUE(
      robot.read("SEN {Time 1} {Type Encoder} {Name ECLeft} {Tick 100}{Name ECRight} {Tick -7} "
                 "{Name ECFLFlipper} {Tick 500} {Name ECRRFlipper} {Tick -1}"));
  EXPECT_TRUE(robot.read("SEN {Time 1} {Type INS} {Name INS} {Location 1,2,3} {Orientation 0.1,0.2,-0.3}"));
  EXPECT_TRUE(robot.has_spoken());
  const kenaf::Status& status = robot.status();
  EXPECT_EQ(status.battery_s, 1100);
  EXPECT_EQ(status.left_ticks, 100);
  EXPECT_EQ(status.right_ticks, -7);
  EXPECT_EQ(status.flipper_ticks, (std::array<std::int16_t, 4>{500, 0, 0, -1}));
  EXPECT_NEAR(status.roll_deg, 5.730, 0.001);    // right side down in both
  EXPECT_NEAR(status.pitch_deg, 11.459, 0.001);  // nose up in both
  EXPECT_NEAR(status.yaw_deg, 17.189, 0.001);    // left is positive with us
  EXPECT_FALSE(status.fallen);
  EXPECT_FALSE(robot.truth());
}

TEST(KenafTranslation, GroundTruthStandsInForAnInertialSensorThatIsNotThere) {
  SimulatedKenaf robot;
  EXPECT_TRUE(robot.read("SEN {Type GroundTruth} {Name GroundTruth} {Location 1,2,-3} {Orientation 0,0,1}"));
  EXPECT_NEAR(robot.status().yaw_deg, -57.296, 0.001);
  ASSERT_TRUE(robot.truth());
  EXPECT_EQ(robot.truth()->place.y, -2);
  EXPECT_EQ(robot.truth()->place.z, 3);
  EXPECT_EQ(robot.truth()->yaw, -1);
  EXPECT_TRUE(robot.read("SEN {Type INS} {Name INS} {Location 0,0,0} {Orientation 0,0,0}"));
  EXPECT_FALSE(robot.read("SEN {Type GroundTruth} {Name GroundTruth} {Location 1,2,-3} {Orientation 0,0,1}"));
  EXPECT_EQ(robot.status().yaw_deg, 0);
}

TEST(KenafTranslation, OlderWordsAndOtherEncoders) {
  SimulatedKenaf robot;
  EXPECT_TRUE(robot.read("SEN {Type Encoder} {Name ECLeft Tick 5} {Name ECRight Tick 6}"));
  EXPECT_EQ(robot.status().left_ticks, 5);
  EXPECT_EQ(robot.status().right_ticks, 6);
  // an encoder of a degree a tick, and wheels twice as large
  robot.read("CONF {Type Encoder} {Name ECLeft} {Resolution 0.01745329}");
  robot.read("GEO {Type GroundVehicle} {Name R1} {WheelRadius 0.18} {WheelSeparation 0.2}");
  robot.read("SEN {Type Encoder} {Name ECLeft} {Tick 360}");
  EXPECT_EQ(robot.status().left_ticks, 2000);
  EXPECT_EQ(robot.drive_line({180, 0, 0}), "DRIVE {Left 1.00000} {Right 0.00000} {Normalized False}\r\n");
}

TEST(KenafTranslation, ARobotOnItsBackHasFallen) {
  SimulatedKenaf robot;
  for (const auto& [roll, fallen] : {std::pair{"3.1", true}, {"1.6", true}, {"0.5", false}, {"-1.6", true}}) {
    robot.read(std::string("SEN {Type INS} {Name INS} {Orientation ") + roll + ",0,0}");
    EXPECT_EQ(robot.status().fallen, fallen) << roll;
  }
}

TEST(KenafTranslation, RefusalsAreKept) {
  SimulatedKenaf robot;
  robot.read("NFO {Gametype USARDeathMatch} {Level hall}");
  EXPECT_EQ(robot.refusal(), "");
  robot.read("NFO {Error R1 has no ground below it}");
  EXPECT_EQ(robot.refusal(), "R1 has no ground below it");
}

TEST(KenafTranslation, RefusalsHoldNothingThatATerminalObeys) {
  SimulatedKenaf robot;
  robot.read(
      "NFO {Error \x1b[2Jgo\x07 on\xc2\x9b"
      "31m}");
  EXPECT_EQ(robot.refusal(), "?[2Jgo? on??31m");
  robot.read("NFO {Error " + std::string(1000, 'x') + "}");
  EXPECT_EQ(robot.refusal().size(), 200u);
}

TEST(KenafTranslation, NonsenseTellsNothing) {
  SimulatedKenaf robot;
  for (const char* line :
       {"", "SEN", "SEN {Type Encoder}", "SEN {Type Encoder} {Name ECLeft} {Tick nan}", "SEN {Type Encoder} {Name}",
        "SEN {Type INS} {Orientation 1,2}", "SEN {Type INS} {Orientation inf,0,0}", "GEO {WheelRadius -1}",
        "GEO {WheelRadius 0}", "CONF {Type Encoder} {Resolution 0}", "STA {Battery x}", "FLY {Up 1}", "SEN {Type"}) {
    EXPECT_FALSE(robot.read(line)) << line;
  }
  EXPECT_FALSE(robot.has_spoken());
  robot.read("SEN {Type Encoder} {Name ECLeft} {Tick 1e300} {Name ECFLFlipper} {Tick -1e300}");
  EXPECT_EQ(robot.status().left_ticks, 2147483647);
  EXPECT_EQ(robot.status().flipper_ticks[0], -32768);
  EXPECT_EQ(robot.drive_line({90, 90, 0}), "DRIVE {Left 1.00000} {Right 1.00000} {Normalized False}\r\n");
}

}  // namespace
}  // namespace forerun::bridge
