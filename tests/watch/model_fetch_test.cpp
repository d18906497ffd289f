// World and robot are fetched as two objects, each only where it is lacking.
#include "forerun/watch/model_fetch.hpp"

#include <gtest/gtest.h>

#include "tests/sync/virtual_link.hpp"

namespace forerun::watch {
namespace {

using Content = std::vector<std::uint8_t>;
constexpr std::size_t kWorldSize = 300'000, kRobotSize = 2000;

// Content is nobody's business here: any bytes will do for a world.
struct Fetching : test::VirtualLink {
  std::uint64_t offer(std::uint8_t world, std::uint8_t robot_content) {
    const auto name = [&](sync::ObjectKind kind, const Content& bytes) {
      const sync::Offer offer = *server->objects().find(server->objects().add(kind, bytes, cipher));
      return sim::PartName{offer.size, offer.digest};
    };
    const sim::ModelParts parts{name(sync::ObjectKind::world, Content(kWorldSize, world)),
                                name(sync::ObjectKind::robot, Content(kRobotSize, robot_content))};
    return server->objects().add(sync::ObjectKind::model, sim::pack_parts(parts), cipher);
  }
  // How many chunks it takes until the model is there.
  std::uint64_t fetch_model(std::uint64_t model) {
    report.model = model;
    const std::uint64_t before = client->fetch().counts().chunks;
    for (int i = 0; i < 6000 && fetched.model() != model; ++i) {
      run(0.01);
      n_new += fetched.look(*client) ? 1 : 0;
      EXPECT_LE(fetched.progress(*client), 1);
    }
    EXPECT_EQ(fetched.model(), model);
    return client->fetch().counts().chunks - before;
  }

  ModelFetch fetched;
  int n_new = 0;
};

TEST(ModelFetch, BringsBothPartsInOnePiece) {
  Fetching link;
  EXPECT_EQ(link.fetch_model(link.offer(1, 2)), 1 + 293 + 2u);
  EXPECT_EQ(link.n_new, 1);
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 1), Content(kRobotSize, 2)));
  EXPECT_EQ(link.fetched.progress(*link.client), 1);
}

TEST(ModelFetch, ARobotThatWasCalibratedAnewKeepsItsWorld) {
  Fetching link;
  link.fetch_model(link.offer(1, 2));
  EXPECT_EQ(link.fetch_model(link.offer(1, 3)), 1 + 2u) << "the list and the robot";
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 1), Content(kRobotSize, 3)));
  EXPECT_EQ(link.fetch_model(link.offer(4, 3)), 1 + 293u) << "the list and the world";
  EXPECT_EQ(link.n_new, 3);
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 4), Content(kRobotSize, 3)));
}

TEST(ModelFetch, PartsSurviveANewSession) {
  Fetching link;
  link.fetch_model(link.offer(1, 2));
  link.start_server();  // a robot side that was started anew knows nobody
  const std::uint64_t model = link.offer(1, 5);
  link.run(20);
  ASSERT_EQ(link.client->counts().sessions_begun, 2u);
  EXPECT_EQ(link.fetch_model(model), 1 + 2u);
}

TEST(ModelFetch, AModelThatChangesOnTheWayIsLeft) {
  Fetching link;
  link.report.model = link.offer(1, 2);
  for (int i = 0; i < 100 && link.fetched.progress(*link.client) < 0.3; ++i) {
    link.run(0.01);
    ASSERT_FALSE(link.fetched.look(*link.client));
  }
  link.fetch_model(link.offer(7, 8));
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 7), Content(kRobotSize, 8)));
  EXPECT_EQ(link.n_new, 1);
}

TEST(ModelFetch, ARobotSideThatHasBothInOneObjectIsUnderstood) {
  Fetching link;
  const Content bundle = sim::join_model(Content(5000, 1), Content(500, 2));
  link.fetch_model(link.server->objects().add(sync::ObjectKind::model, bundle, link.cipher));
  EXPECT_EQ(link.fetched.bundle(), bundle);
  link.fetch_model(link.offer(1, 2));
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 1), Content(kRobotSize, 2)));
}

TEST(ModelFetch, SurvivesLosses) {
  Fetching link;
  int n = 0;
  link.takes = [&](const test::Letter&) { return ++n % 10 > 2; };
  link.fetch_model(link.offer(1, 2));
  EXPECT_EQ(link.fetched.bundle(), sim::join_model(Content(kWorldSize, 1), Content(kRobotSize, 2)));
}

}  // namespace
}  // namespace forerun::watch
