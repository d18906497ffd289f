#include "forerun/serve/mission_desk.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"
#include "tests/mission/hall_mission.hpp"

namespace forerun::serve {
namespace {

struct Office {
  [[nodiscard]] std::vector<std::uint8_t> object(const sync::KeyPair& by) {
    const auto bytes = mission::to_bytes(mission);
    return mission::pack_signed({by.open, net::sign(by.secret, *bytes, cipher)}, *bytes);
  }
  robot::Reply bring(const sync::Key& who, Bytes bytes, sync::ObjectKind kind = sync::ObjectKind::mission) {
    return desk.take({who, kind, 5, bytes});
  }

  net::SodiumCipher cipher;
  sync::KeyPair mine = sync::make_key_pair(cipher), others = sync::make_key_pair(cipher);
  world::World world = make_hall();
  robot::Description robot = make_hall_robot();
  mission::Mission mission = mission::make_hall_mission();
  MissionDesk desk{world, robot};
};

TEST(MissionDesk, TakesAMissionFromWhoSignedIt) {
  Office office;
  const auto object = office.object(office.mine);
  ASSERT_EQ(office.bring(office.mine.open, object).state, robot::Reply::State::accepted);
  EXPECT_EQ(office.desk.number(), 5u);
  EXPECT_EQ(office.desk.object(), object);
  EXPECT_EQ(office.desk.pilot().status()->state, robot::MissionState::ready);
}

TEST(MissionDesk, RefusesEverythingElseAndKeepsNothingOfIt) {
  Office office;
  const auto object = office.object(office.mine);
  const auto words = [](const robot::Reply& reply) {
    return std::string(reply.state == robot::Reply::State::refused ? reply.words.view() : "accepted");
  };
  EXPECT_EQ(words(office.bring(office.others.open, object)), "the mission is not signed by who brings it");
  auto changed = object;
  changed.back() ^= 1;
  EXPECT_EQ(words(office.bring(office.mine.open, changed)), "the mission's signature does not fit");
  auto resealed = object;
  std::copy(office.others.open.begin(), office.others.open.end(), resealed.begin());
  EXPECT_EQ(words(office.bring(office.others.open, resealed)), "the mission's signature does not fit");
  EXPECT_EQ(words(office.bring(office.mine.open, Bytes(object).first(50))), "it is no mission");
  EXPECT_EQ(words(office.bring(office.mine.open, object, sync::ObjectKind::world_change)),
            "this robot takes missions only");
  office.mission.path.resize(1);
  EXPECT_EQ(words(office.bring(office.mine.open, office.object(office.mine))), "the mission is damaged");
  EXPECT_EQ(office.desk.number(), 0u);
  EXPECT_FALSE(office.desk.pilot().status());
}

}  // namespace
}  // namespace forerun::serve
