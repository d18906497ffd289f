#include "forerun/bridge/kenaf_simulator.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/setting.hpp"

namespace forerun::bridge {
namespace {

class Simulator : public testing::Test {
 protected:
  Simulator()
      : simulator_(std::move(*KenafSimulator::make(*atlas::load_named_world("kenaf-course"),
                                                   *atlas::load_named_robot("kenaf"), {{"start", {-0.5, 0, 0}}}))) {}

  // What comes back within this time.
  std::string say(const std::string& line, double seconds = 0.1, int client = 1) {
    (void)simulator_.take_output(client);
    simulator_.receive(client, line + "\r\n");
    simulator_.advance(seconds);
    return simulator_.take_output(client);
  }
  std::string spawn(int client, const std::string& where = "") {
    simulator_.connect(client);
    return say("INIT {ClassName USARBot.Kenaf} {Name R" + std::to_string(client) + "} " + where, 0.5, client);
  }

  KenafSimulator simulator_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Simulator, GreetsAndTellsWhereRobotsStart) {
  simulator_.connect(1);
  EXPECT_TRUE(has(simulator_.take_output(1), "NFO {Gametype"));
  EXPECT_TRUE(has(say("GETSTARTPOSES"), "NFO {StartPoses 1} {start -0.5000,0.0000,-0.0900"));
}

TEST_F(Simulator, ARobotThatIsThereSpeaksOfItself) {
  const std::string out = spawn(1, "{Location 0,1,0} {Rotation 0,0,0.5}");
  ASSERT_TRUE(simulator_.state(1));
  // their y is to the right, and their yaw turns right
  EXPECT_NEAR(simulator_.state(1)->position.y, -1, 0.01);
  EXPECT_NEAR(simulator_.state(1)->attitude.yaw, -0.5, 0.01);
  for (const char* part :
       {"STA {Time ", "{Battery ", "{Type GroundTruth} {Name GroundTruth} {Location ",
        "{Type Encoder} {Name ECLeft} {Tick ", "{Name ECFRFlipper} {Tick ", "{Type INS} {Name INS}"}) {
    EXPECT_TRUE(has(out, part)) << part << " in " << out;
  }
  EXPECT_TRUE(has(say("GETGEO {Type Robot}"), "GEO {Type GroundVehicle} {Name R1} {Dimensions 0.6000,0.4000,0.1800}"));
  EXPECT_TRUE(has(say("GETCONF {Type Robot}"), "{SteeringType SkidSteered} {Mass 20.00}"));
  EXPECT_TRUE(has(say("GETCONF {Type Encoder} {Name ECLeft}"), "{Resolution 0.00314"));
}

TEST_F(Simulator, DrivesInRadiansAndInShares) {
  spawn(1);
  const double before = simulator_.state(1)->position.x;
  say("DRIVE {Left 2} {Right 2}", 2);  // 2 rad/s of wheels of 9 cm
  EXPECT_NEAR(simulator_.state(1)->position.x - before, 0.36, 0.06);
  say("drive {left -50} {right -50} {normalized true}", 2);  // half of 0.6 m/s
  EXPECT_LT(simulator_.state(1)->position.x, before - 0.05);
}

TEST_F(Simulator, FlippersMoveByOldAndNewWords) {
  spawn(1);
  say("SET {Type Joint} {Name FRFlipper} {Opcode Angle} {Params 0.5}", 1.5);
  say("MULTIDRIVE {FLFlipper 0.6} {RRFlipper 0.7}", 1.5);
  say("DRIVE {Name RLFlipper} {Order 0} {Value 0.8}", 1.5);
  const auto flippers = simulator_.state(1)->flippers;
  EXPECT_NEAR(flippers[robot::kFrontRight], 0.5, 0.05);
  EXPECT_NEAR(flippers[robot::kFrontLeft], 0.6, 0.05);
  EXPECT_NEAR(flippers[robot::kRearRight], 0.7, 0.05);
  EXPECT_NEAR(flippers[robot::kRearLeft], 0.8, 0.05);
}

TEST_F(Simulator, ImpossibleSpawnsAreRefusedWithAReason) {
  EXPECT_TRUE(has(spawn(1, "{Location 100,100,0}"), "NFO {Error R1 has no ground below it"));
  EXPECT_TRUE(has(spawn(2, "{Location 0,nan,0}"), "NFO {Error R2 has a location"));
  EXPECT_TRUE(has(spawn(3, "{Start nowhere}"), "NFO {Error R3 has a start that does not exist"));
  simulator_.connect(4);
  EXPECT_TRUE(has(say("INIT {ClassName USARBot.P2AT}", 0.1, 4), "no robot of class USARBot.P2AT, only USARBot.Kenaf}"));
  EXPECT_EQ(simulator_.n_robots(), 0u);
}

TEST_F(Simulator, RobotsGoWithTheirClients) {
  spawn(1);
  spawn(2, "{Location 0,1.5,0}");
  EXPECT_EQ(simulator_.n_robots(), 2u);
  simulator_.disconnect(1);
  EXPECT_EQ(simulator_.n_robots(), 1u);
  EXPECT_NEAR(simulator_.state(2)->position.y, -1.5, 0.05);
  EXPECT_FALSE(simulator_.state(1));
}

TEST_F(Simulator, AnInitThatCannotBeReadIsAnswered) {
  simulator_.connect(1);
  for (const char* line : {"INIT {ClassName", "INIT {Name {R}}", " init Robot", "INIT {Name R}}"}) {
    EXPECT_TRUE(has(say(line), "NFO {Error INIT cannot be read")) << line;
  }
  (void)simulator_.take_output(1);
  EXPECT_EQ(say("DRIVE {Left"), "");
  EXPECT_EQ(simulator_.n_robots(), 0u);
}

TEST_F(Simulator, EmptyNamesAreTheUsualOnes) {
  simulator_.connect(1);
  say("INIT {ClassName USARBot.Kenaf} {Name}", 0.5);
  EXPECT_TRUE(has(say("GETCONF {Type Robot}"), "CONF {Name Robot} {Type GroundVehicle}"));
  EXPECT_TRUE(has(say("GETCONF {Type Encoder}"), "CONF {Type Encoder} {Name ECLeft} {Resolution "));
  EXPECT_TRUE(has(say("GETCONF {Type INS} {Name }"), "CONF {Type INS} {Name INS}\r\n"));
  EXPECT_TRUE(has(say("GETGEO {Type GroundTruth}"), "GEO {Type GroundTruth} {Name GroundTruth} {Location 0.0000,"));
  EXPECT_TRUE(has(say("GETGEO {Type camera}"), "GEO {Type Camera} {Name Camera} {Location "));
}

TEST_F(Simulator, SensorsThatItDoesNotHaveAreRefused) {
  spawn(1);
  EXPECT_TRUE(has(say("GETGEO {Type RangeScanner} {Name Scanner1}"),
                  "NFO {Error R1 has no sensor of type RangeScanner and name Scanner1}\r\n"));
  EXPECT_TRUE(has(say("GETCONF {Type Sonar}"), "NFO {Error R1 has no sensor of type Sonar}\r\n"));
  EXPECT_TRUE(has(say("GETCONF {Type Encoder} {Name ECNose}"), "NFO {Error R1 has no sensor of type Encoder and"));
  EXPECT_TRUE(has(say("GETGEO {Type Encoder} {Name ecrrflipper}"), "GEO {Type Encoder} {Name ECRRFlipper} {Location "));
}

// A refused place costs as much as one that is taken: the engine builds its whole model for it.
TEST_F(Simulator, AFloodOfInitsBuildsOnce) {
  spawn(1);
  simulator_.connect(2);
  std::string flood;
  for (int i = 0; i < 100; ++i) flood += "INIT {Name R2} {Location -0.5,0,0}\r\n";
  const std::size_t before = simulator_.n_builds();
  const std::string out = say(flood, 0.1, 2);
  EXPECT_TRUE(has(out, "NFO {Error R2 would stand inside something}")) << out;
  EXPECT_TRUE(has(out, "NFO {Error R2 asks too soon, try again in half a second}")) << out;
  EXPECT_TRUE(has(say(flood, 0.3, 2), "too soon"));
  EXPECT_EQ(simulator_.n_builds(), before + 1);
  say("", 0.15, 2);
  EXPECT_FALSE(has(say("INIT {Name R2} {Location 0,1.5,0}", 0.1, 2), "Error")) << "half a second later it may";
  EXPECT_EQ(simulator_.n_robots(), 2u);
}

TEST_F(Simulator, ClientsThatComeAndGoBuildOnceEachWay) {
  const std::size_t before = simulator_.n_builds();
  const auto come_and_go = [&] {
    for (int client = 1; client < 50; ++client) {
      simulator_.connect(client);
      simulator_.receive(client, "INIT {Name R}\r\n");
      simulator_.disconnect(client);
    }
  };
  come_and_go();
  EXPECT_EQ(simulator_.n_builds(), before + 2);
  simulator_.advance(0.01);
  come_and_go();
  EXPECT_EQ(simulator_.n_builds(), before + 4);
  EXPECT_EQ(simulator_.n_robots(), 0u);
}

TEST_F(Simulator, RobotsWhoseClientsGoTogetherGoOneAfterTheOther) {
  for (int client = 1; client <= 4; ++client) spawn(client, "{Location 0," + std::to_string(1.5 - client) + ",0}");
  ASSERT_EQ(simulator_.n_robots(), 4u);
  const std::size_t before = simulator_.n_builds();
  for (const int client : {3, 1, 2}) simulator_.disconnect(client);
  EXPECT_EQ(simulator_.n_builds(), before + 1);
  for (std::size_t left = 3; left > 0; --left) {
    EXPECT_EQ(simulator_.n_robots(), left);
    EXPECT_NEAR(simulator_.state(4)->position.y, 2.5, 0.05);
    simulator_.advance(0.01);
  }
  EXPECT_EQ(simulator_.n_robots(), 1u);
}

TEST_F(Simulator, OneRobotTooManyIsRefusedAndHearsSoOnceASecond) {
  const std::string refusal = "NFO {Error R3 is one robot too many, the limit is 2}\r\n";
  simulator_ = std::move(*KenafSimulator::make(*atlas::load_named_world("kenaf-course"),
                                               *atlas::load_named_robot("kenaf"), {{"start", {-0.5, 0, 0}}}, 2));
  spawn(1);
  spawn(2, "{Location 0,1.5,0}");
  const std::size_t before = simulator_.n_builds();
  simulator_.connect(3);
  (void)simulator_.take_output(3);
  const std::string ask = "INIT {Name R3} {Location 0,-1.5,0}";
  EXPECT_EQ(say(ask + "\r\n" + ask, 0.9, 3), refusal);
  EXPECT_EQ(say(ask, 0.2, 3), "");
  EXPECT_EQ(say(ask, 0.1, 3), refusal);
  EXPECT_EQ(simulator_.n_robots(), 2u);
  EXPECT_EQ(simulator_.n_builds(), before) << "nothing is built for who is refused";
  simulator_.disconnect(1);
  EXPECT_FALSE(has(say(ask, 0.1, 3), "Error")) << "where one has gone there is room";
  EXPECT_EQ(simulator_.n_robots(), 2u);
}

TEST_F(Simulator, ByItselfItLetsEightRobotsIn) {
  world::World level;
  level.terrain.blocks.push_back({{0, 0, -0.5}, {40, 4, 1}, {}});
  simulator_ = std::move(*KenafSimulator::make(level, *atlas::load_named_robot("kenaf"), {}));
  for (int client = 1; client <= 9; ++client) {
    simulator_.connect(client);
    const std::string out = say("INIT {Location " + std::to_string(2 * client - 10) + ",0,0}", 0.002, client);
    EXPECT_EQ(has(out, "Error"), client == 9) << out;
  }
  EXPECT_EQ(simulator_.n_robots(), 8u);
}

TEST_F(Simulator, WhatIsNearlyNothingHasNoSign) {
  const std::string out = spawn(1) + say("GETSTARTPOSES") + say("GETGEO {Type Robot}") + say("", 1);
  EXPECT_TRUE(has(out, "0.0000")) << out;
  EXPECT_FALSE(has(out, "-0.0000")) << out;
}

TEST_F(Simulator, NonsenseChangesNothing) {
  spawn(1);
  for (const char* line : {"", "{", "DRIVE", "DRIVE {Left", "DRIVE {Left nan} {Right inf}", "SET {Type Joint}",
                           "MULTIDRIVE {Nose 1}", "GETGEO", "GETCONF {Type {}", "FLY {Up 1}", "\x01\xff\x00"}) {
    say(line, 0.01);
  }
  EXPECT_LT(length(simulator_.state(1)->velocity), 0.05);
  EXPECT_EQ(simulator_.n_robots(), 1u);
}

// Names of clients go into lines for others: they cannot break them.
TEST_F(Simulator, NamesCannotForgeLines) {
  simulator_.connect(1);
  say("INIT {ClassName USARBot.Kenaf} {Name a\tb;STA}", 0.5);
  const std::string out = say("GETCONF {Type Robot}");
  EXPECT_TRUE(has(out, "CONF {Name a_b;STA}")) << out;
}

TEST_F(Simulator, ItsCamerasSee) {
  spawn(1);
  physics::Picture front, above;
  simulator_.look(0, KenafSimulator::View::front, 64, 48, front);
  simulator_.look(0, KenafSimulator::View::above, 64, 48, above);
  EXPECT_EQ(front.rgb.size(), 64u * 48 * 3);
  EXPECT_NE(front.rgb, above.rgb);
  say("SET {Type Camera} {Name Camera} {Opcode Zoom} {Params 0.3}");
  physics::Picture zoomed;
  simulator_.look(0, KenafSimulator::View::front, 64, 48, zoomed);
  EXPECT_NE(front.rgb, zoomed.rgb);
}

}  // namespace
}  // namespace forerun::bridge
