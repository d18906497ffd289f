#include "forerun/mission/mission_bytes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/mission/hall_mission.hpp"

namespace forerun::mission {
namespace {

std::vector<std::uint8_t> hall_bytes() {
  auto bytes = to_bytes(make_hall_mission());
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::vector<std::uint8_t>{};
}

TEST(MissionBytes, KeepWhatARobotCanTell) {
  const Mission mission = make_hall_mission();
  const auto bytes = to_bytes(mission);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), 22 * mission.path.size() + 64) << "a mission is short";
  const auto read = mission_from_bytes(*bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, mission.name);
  EXPECT_EQ(read->world, mission.world);
  EXPECT_EQ(read->robot, mission.robot);
  EXPECT_EQ(read->fingerprint, mission.fingerprint);
  ASSERT_EQ(read->path.size(), mission.path.size());
  for (std::size_t i = 0; i < mission.path.size(); ++i) {
    const TimedPoint &a = mission.path[i], &b = read->path[i];
    ASSERT_NEAR(a.time, b.time, 0.6e-4);
    ASSERT_LT(distance(a.pose.position(), b.pose.position()), 1e-4);
    ASSERT_NEAR(a.pose.theta, b.pose.theta, 0.6e-5);
    ASSERT_NEAR(a.velocity.vx, b.velocity.vx, 2.6e-4);
    ASSERT_NEAR(a.velocity.w, b.velocity.w, 5.1e-4);
  }
}

Mission acting_mission() {
  Mission mission = make_hall_mission();
  mission.actions = {{0, "hold"}, {mission.path.back().time, "open-gripper"}};
  return mission;
}

// Who knows no actions finds another mark, and refuses the mission; one without actions has the bytes that it always
// had.
TEST(MissionBytes, ActionsHaveAMarkOfTheirOwn) {
  const auto mark = [](const std::vector<std::uint8_t>& bytes) {
    return std::string(bytes.begin(), bytes.begin() + 8);
  };
  const std::vector<std::uint8_t> plain = hall_bytes();
  EXPECT_EQ(mark(plain), "frmissn1");
  const Mission hall = make_hall_mission();
  const std::size_t head = 8 + 3 + hall.name.size() + hall.world.size() + hall.robot.size() + 8 + 4;
  EXPECT_EQ(plain.size(), head + 22 * hall.path.size());
  const auto bytes = to_bytes(acting_mission());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(mark(*bytes), "frmissn2");
  EXPECT_TRUE(std::equal(plain.begin() + 8, plain.end(), bytes->begin() + 8));
  const auto read = mission_from_bytes(*bytes);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->actions.size(), 2u);
  EXPECT_EQ(read->actions[0], (Action{0, "hold"}));
  EXPECT_EQ(read->actions[1].name, "open-gripper");
  EXPECT_EQ(read->actions[1].time, read->path.back().time);
}

TEST(MissionBytes, RefuseActionsThatCannotBe) {
  const auto good = to_bytes(acting_mission());
  ASSERT_TRUE(good);
  for (std::size_t n = 1; n < 40; ++n) {
    EXPECT_FALSE(mission_from_bytes(Bytes(*good).first(good->size() - n))) << n;
  }
  std::vector<std::uint8_t> longer = *good;
  longer.push_back(0);
  EXPECT_FALSE(mission_from_bytes(longer));
  std::vector<std::uint8_t> marked = hall_bytes();
  marked[7] = '2';
  EXPECT_FALSE(mission_from_bytes(marked)) << "it has none";
  std::vector<std::uint8_t> odd = *good;
  odd.back() = ' ';
  EXPECT_EQ(mission_from_bytes(odd).error().message,
            "the name of an action must have 1 to 32 letters, digits, _ and -");
  Mission driving = acting_mission();
  driving.actions[1].time = driving.path[driving.path.size() / 2].time;
  EXPECT_FALSE(to_bytes(driving));
}

TEST(MissionBytes, RefuseWhatNoRobotCouldDrive) {
  const std::vector<std::uint8_t> good = hall_bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7) {
    EXPECT_FALSE(mission_from_bytes(Bytes(good).first(size))) << size;
  }
  std::vector<std::uint8_t> longer = good;
  longer.push_back(0);
  EXPECT_FALSE(mission_from_bytes(longer));
  std::vector<std::uint8_t> other = good;
  other[0] = 'F';
  EXPECT_FALSE(mission_from_bytes(other));
  Mission odd = make_hall_mission();
  odd.name = "\xff\xfe";
  EXPECT_EQ(mission_from_bytes(*to_bytes(odd)).error().message, "the mission has a name that is no text");
  odd.name = "a\nb\u202e";
  EXPECT_EQ(mission_from_bytes(*to_bytes(odd))->name, "a b ");
  Mission backward = make_hall_mission();
  backward.path[5].time = backward.path[4].time;
  EXPECT_FALSE(mission_from_bytes(*to_bytes(backward)));
  Mission late = make_hall_mission();
  late.path.front().time = 0.01;
  EXPECT_FALSE(mission_from_bytes(*to_bytes(late)));
}

TEST(MissionBytes, SayWhatIsTooLargeToTravel) {
  for (const double x :
       {1e7, -1e7, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Mission mission = make_hall_mission();
    mission.path[3].pose.x = x;
    const auto bytes = to_bytes(mission);
    ASSERT_FALSE(bytes) << x;
    EXPECT_EQ(bytes.error().message, "the mission has numbers that are too large to be sent");
  }
  Mission long_winded = make_hall_mission();
  long_winded.name = std::string(256, 'a');
  EXPECT_FALSE(to_bytes(long_winded));
}

TEST(MissionBytes, ASealStandsBeforeWhatItSigns) {
  Seal seal;
  seal.key.fill(3);
  seal.signature.fill(5);
  const std::vector<std::uint8_t> mission = hall_bytes();
  const std::vector<std::uint8_t> object = pack_signed(seal, mission);
  const auto read = unpack_signed(object);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->seal.key, seal.key);
  EXPECT_EQ(read->seal.signature, seal.signature);
  EXPECT_TRUE(std::equal(read->mission.begin(), read->mission.end(), mission.begin(), mission.end()));
  EXPECT_FALSE(unpack_signed(Bytes(object).first(127)));
}

}  // namespace
}  // namespace forerun::mission
