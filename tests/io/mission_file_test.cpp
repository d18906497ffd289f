#include "forerun/io/mission_file.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/mission_text.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"

namespace forerun::io {
namespace {

robot::Description a_robot() {
  robot::Description robot;
  robot.name = "turtle";
  robot.drive = robot::make_differential({});
  return robot;
}

mission::Mission a_mission() {
  return {.name = "rounds",
          .world = "office",
          .robot = "turtle",
          .fingerprint = mission::fingerprint_of(a_robot()),
          .path = {{0, {1, 2, 0.1}, {}}, {0.05, {1.0 / 3, 2, 0.1}, {0.2, 0, -1e-7}}, {0.1, {1.02, 2, 0.1}, {}}}};
}

bool is_signed(const MissionSignature& signature, Bytes content) {
  return net::is_signed_by(signature.key, content, signature.value);
}

std::string signed_by(const sync::KeyPair& pair, net::SodiumCipher& cipher) {
  return write_mission(a_mission(), [&](Bytes content) {
    return MissionSignature{pair.open, net::sign(pair.secret, content, cipher)};
  });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MissionFile, ReadsWhatItWritesToTheLastBit) {
  const auto read = parse_mission(write_mission(a_mission()), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mission.name, "rounds");
  EXPECT_EQ(read->mission.world, "office");
  ASSERT_EQ(read->mission.path.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read->mission.path[i].time, a_mission().path[i].time);
    EXPECT_EQ(read->mission.path[i].pose, a_mission().path[i].pose);
    EXPECT_EQ(read->mission.path[i].velocity, a_mission().path[i].velocity);
  }
  EXPECT_FALSE(read->signature);
  EXPECT_TRUE(check_fits(read->mission, a_robot(), "m.json"));
}

TEST(MissionFile, ASignatureIsKnownAndAForgedOneToo) {
  net::SodiumCipher cipher;
  const sync::KeyPair pair = sync::make_key_pair(cipher), other = sync::make_key_pair(cipher);
  const auto read = parse_mission(signed_by(pair, cipher), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->signature);
  EXPECT_EQ(read->signature->key, pair.open);
  EXPECT_TRUE(check_signature(*read, "m.json", is_signed));
  MissionFile forged = *read;
  forged.signature->key = other.open;
  EXPECT_NE(check_signature(forged, "m.json", is_signed).error().message.find("the signature does not fit"),
            std::string::npos);
  forged.signature.reset();
  EXPECT_EQ(check_signature(forged, "m.json", is_signed).error().message,
            "m.json is not signed, but must be signed by an operator's key");
}

TEST(MissionFile, AChangedMissionIsRefusedByItsChecksum) {
  const auto read = parse_mission(replaced(write_mission(a_mission()), "1.02", "1.03"), "m.json");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("the mission has been changed or is damaged"), std::string::npos);
}

// Whoever changes the checksum as well is found out by the signature.
TEST(MissionFile, AChangedMissionWithANewChecksumIsNotSigned) {
  net::SodiumCipher cipher;
  const std::string text = signed_by(sync::make_key_pair(cipher), cipher);
  mission::Mission changed = a_mission();
  changed.path.back().pose.x = 7;
  const std::string other = write_mission(changed);
  const std::string forged = other.substr(0, other.rfind('}')) + text.substr(text.find(",\n\"signature\""));
  const auto read = parse_mission(forged, "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mission.path.back().pose.x, 7);
  EXPECT_FALSE(check_signature(*read, "m.json", is_signed));
}

TEST(MissionFile, LineBreaksAndSpacesDoNotMatter) {
  const auto read =
      parse_mission(replaced(write_mission(a_mission()), "\"mission\":{", "\"mission\" : {\n  "), "m.json");
  EXPECT_TRUE(read) << read.error().message;
}

TEST(MissionFile, OddNamesAndNumbersReadBack) {
  mission::Mission odd = a_mission();
  odd.name = "a \"round\" \\ trip, {\\\"mission\\\":[1]} für Ann";
  odd.world = "off\xff";
  odd.path[1].pose = {-1e-300, 123456789.125, 0.1 + 0.2};
  odd.path[1].pose.y = 99999.99999999999;
  const auto read = parse_mission(write_mission(odd), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mission.name, odd.name);
  EXPECT_EQ(read->mission.world, "off\xef\xbf\xbd");
  EXPECT_EQ(read->mission.path[1].pose, odd.path[1].pose);
}

TEST(MissionFile, ActionsMakeItVersion2) {
  mission::Mission acting = a_mission();
  acting.actions = {{0, "hold"}, {0.1, "photo"}};
  const std::string text = write_mission(acting), plain = write_mission(a_mission());
  EXPECT_EQ(plain.rfind("{\"forerun_mission\":1,\n", 0), 0u);
  EXPECT_EQ(plain.find("actions"), std::string::npos);
  EXPECT_EQ(text.rfind("{\"forerun_mission\":2,\n", 0), 0u);
  EXPECT_NE(text.find(",\"actions\":[[0,\"hold\"],[0.1,\"photo\"]]}"), std::string::npos) << text;
  const auto read = parse_mission(text, "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mission.actions, acting.actions);
  EXPECT_EQ(write_mission(read->mission), text);
  EXPECT_FALSE(parse_mission(replaced(text, "mission\":2", "mission\":1"), "m.json")) << "nobody passes over them";
}

// With a right checksum: as one who makes missions by hand might get them wrong.
TEST(MissionFile, ActionsThatCannotBeAreRefused) {
  const auto why = [](double time, const std::string& name) {
    mission::Mission acting = a_mission();
    acting.actions = {{time, name}};
    const auto read = parse_mission(write_mission(acting), "m.json");
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(why(0.1, "photo"), "");
  EXPECT_EQ(why(0.1, "two words"), "m.json: the name of an action must have 1 to 32 letters, digits, _ and -");
  EXPECT_EQ(why(0.05, "photo"), "m.json: the mission's action at 0.05 s is where the robot does not stand");
  EXPECT_NE(why(9, "photo"), "");
  EXPECT_NE(why(kInfinity, "photo"), "");
}

// Whoever hides a second mission in the document gets the one that the checksum and the signature are about.
TEST(MissionFile, WhatIsReadIsWhatWasSigned) {
  mission::Mission other = a_mission();
  other.name = "another";
  const std::string text = write_mission(a_mission());
  const std::string hidden = "\"mission\":" + mission::write_content(other) + ",";
  const auto with_hidden = [&](const char* before) {
    return parse_mission(std::string(text).insert(text.find(before), hidden), "m.json");
  };
  ASSERT_TRUE(with_hidden("\"mission\""));
  EXPECT_EQ(with_hidden("\"mission\"")->mission.name, "rounds");
  EXPECT_FALSE(with_hidden("\"checksum\""));
}

// Written before numbers were written as they are now.
TEST(MissionFile, OlderFilesAreStillRead) {
  const std::string content =
      "{\"name\":\"m\",\"world\":\"w\",\"robot\":{\"name\":\"r\",\"fingerprint\":"
      "\"0123456789abcdef\"},\"path\":[[0.0,1.0,2.0,0.1,0.0,0.0,0.0],[1.0,1,2,0,0,0,1e-07]]}";
  const auto read = parse_mission(mission::write_document(1, content), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->content, content);
}

TEST(MissionFile, AnotherRobotsMissionDoesNotFit) {
  robot::Description other = a_robot();
  other.name = "create";
  EXPECT_EQ(check_fits(a_mission(), other, "m.json").error().message,
            "m.json is a mission for the robot \"turtle\", not for \"create\"");
  robot::Description slower = a_robot();
  slower.limits.max_speed *= 0.9;
  EXPECT_FALSE(check_fits(a_mission(), slower, "m.json"));
  robot::Description calibrated = a_robot();
  calibrated.drive = robot::make_differential({.left_diameter = 0.0702});
  EXPECT_TRUE(check_fits(a_mission(), calibrated, "m.json"));
}

TEST(MissionFile, RubbishIsRefusedInOneSentence) {
  const std::string good = write_mission(a_mission());
  const std::string deep =
      "{\"forerun_mission\":1,\"mission\":{\"a\":" + std::string(200000, '[') + std::string(200000, ']') + "}}";
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1]"), good.substr(0, good.size() / 2), deep,
        replaced(good, "\"forerun_mission\":1", "\"forerun_mission\":2"), replaced(good, "\"path\"", "\"way\""),
        std::string("{\"forerun_mission\":1,\"mission\":3}"), std::string("{\"forerun_mission\":1,\"checksum\":3}")}) {
    const auto read = parse_mission(text, "m.json");
    ASSERT_FALSE(read) << text.substr(0, 80);
    EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
    EXPECT_EQ(read.error().message.rfind("m.json", 0), 0u) << read.error().message;
  }
}

// With a right checksum: as one who makes missions by hand might get it wrong.
TEST(MissionFile, PointsMustBeNumbersInTheOrderOfTheirTimes) {
  mission::Mission wrong = a_mission();
  wrong.path[1].time = 0;
  EXPECT_EQ(parse_mission(write_mission(wrong), "m.json").error().message,
            "m.json: the time of point 2 is 0, but must be larger than that of the point before");
  wrong = a_mission();
  wrong.path[2].pose.x = kInfinity;
  EXPECT_NE(parse_mission(write_mission(wrong), "m.json").error().message.find("point 3 of the path is"),
            std::string::npos);
  wrong.path.resize(1);
  EXPECT_NE(parse_mission(write_mission(wrong), "m.json").error().message.find("must have 2 to"), std::string::npos);
}

}  // namespace
}  // namespace forerun::io
