// A robot on the link with real datagrams, seen by a viewer in the same thread.
#include "forerun/serve/robot_service.hpp"

#include <gtest/gtest.h>

#include "forerun/io/key_file.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/support/outings.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::serve {
namespace {

// Stands where it is and counts.
class Dummy final : public ServedRobot {
 public:
  std::optional<robot::Report> look(RobotTime now) override {
    ++n_looks;
    if (silent) return std::nullopt;
    robot::Report report;
    report.time = now;
    report.state.pose = {x, 1.5, 0};
    report.planned_path = plan;
    return report;
  }
  void listen(RobotTime) override {}
  std::span<const int> descriptors() override { return {}; }
  std::string describe() const override { return "dummy"; }
  std::optional<Shot> photograph(RobotTime now, const ShotWish& wish) override {
    if (wish.camera > 1) return std::nullopt;
    ++n_shots;
    const image::Info info{.taken = now, .place = {1, 2, 0.5}, .width = 320, .height = 240, .camera = wish.camera};
    return Shot{info, std::string(std::min<std::size_t>(wish.largest, 3000), wish.camera == 0 ? 'x' : 'y')};
  }
  robot::Reply execute(const robot::Command&, const sync::CommandInfo&) noexcept override {
    ++n_executed;
    return robot::accept();
  }
  void end_hand_driving() noexcept override {}

  int n_looks = 0, n_executed = 0, n_shots = 0;
  double x = 1.5;
  bool silent = false;
  std::optional<robot::PlannedPath> plan;
};

struct Pair {
  explicit Pair(double interval_s, const std::string& key_folder = "") {
    net::SodiumCipher cipher;
    const sync::KeyPair robot_keys = sync::make_key_pair(cipher);
    operator_keys = sync::make_key_pair(cipher);
    RobotService::Setup setup{.key_folder = key_folder, .robot = 7, .look_interval = from_seconds(interval_s)};
    setup.on_complaint = [this](const std::string& sentence) { complaints.push_back(sentence); };
    setup.link.listen = *net::resolve("127.0.0.1:0");
    setup.link.keys = robot_keys;
    setup.link.allowed = {{operator_keys.open, sync::Role::operate}};
    if (!key_folder.empty()) {
      EXPECT_TRUE(io::allow_key(key_folder, {operator_keys.open, sync::Role::operate, ""}));
    }
    service = std::move(*RobotService::open(setup, setting, robot));
    viewer.emplace(std::move(*net::Viewer::open({.server = net::to_string(service->server().local_address()),
                                                 .server_key = robot_keys.open,
                                                 .keys = operator_keys,
                                                 .params = {}})));
  }
  template <class Wanted>
  bool await(Wanted&& wanted, double limit_s = 20) {
    const OperatorTime end = viewer->now() + from_seconds(limit_s);
    while (!wanted() && viewer->now() < end) {
      service->turn(0.005);
      viewer->poll(0.001);
    }
    return wanted();
  }
  bool await_open() {
    return await([&] { return viewer->client().newest() && viewer->client().clock().ready(); });
  }

  sim::Setting setting{make_hall(), make_hall_robot(), {}, sim::kExact};
  Dummy robot;
  std::vector<std::string> complaints;
  sync::KeyPair operator_keys;
  std::unique_ptr<RobotService> service;
  std::optional<net::Viewer> viewer;
};

TEST(RobotService, ReportsNameTheRobotItsModelAndTheirNumber) {
  Pair pair(0.02);
  ASSERT_TRUE(pair.await_open());
  const robot::Report first = *pair.viewer->client().newest();
  EXPECT_EQ(first.robot, 7u);
  EXPECT_NE(first.model, 0u);
  ASSERT_TRUE(pair.await([&] { return pair.viewer->client().newest()->sequence > first.sequence; }));
  EXPECT_EQ(pair.service->n_reports(), static_cast<std::uint32_t>(pair.robot.n_looks));
}

TEST(RobotService, ACommandIsShownBeforeTheNextReportIsDue) {
  Pair pair(3600);
  ASSERT_TRUE(pair.await_open());
  ASSERT_EQ(pair.service->n_reports(), 1u);
  ASSERT_TRUE(pair.viewer->give({robot::CommandKind::goal, {3, 3}, {}}));
  EXPECT_TRUE(pair.await([&] { return pair.viewer->client().newest()->sequence == 1; }));
  EXPECT_EQ(pair.robot.n_executed, 1);
  // and a new interval counts at once
  pair.service->set_look_interval(from_seconds(0.02));
  EXPECT_TRUE(pair.await([&] { return pair.viewer->client().newest()->sequence > 3; }));
}

TEST(RobotService, APlanIsInFewReportsAndKnownAtAllTimes) {
  Pair pair(0.02);
  pair.robot.plan = robot::thin_path(std::vector<Vec2>{{1.5, 1.5}, {3, 1.5}, {3, 3}});
  ASSERT_TRUE(pair.await_open());
  const sync::Client& client = pair.viewer->client();
  // nobody says when the first came: one that is sent later is among them
  ASSERT_TRUE(pair.await([&] { return client.newest()->planned_path.has_value(); }));
  int carried = 0, received = 0;
  std::uint32_t seen = client.newest()->sequence;
  ASSERT_TRUE(pair.await([&] {
    if (client.newest()->sequence == seen) return received >= 30;
    seen = client.newest()->sequence;
    ++received;
    if (sync::find_section(sync::sections_of(client.newest_body()), sync::SectionKind::planned_path)) ++carried;
    EXPECT_EQ(client.newest()->planned_path, pair.robot.plan);
    return received >= 30;
  }));
  EXPECT_LE(carried, 6) << "three, and one a second";
  pair.robot.plan = robot::PlannedPath{};
  EXPECT_TRUE(pair.await([&] { return client.newest()->planned_path->empty(); }));
}

TEST(RobotService, ARobotThatSaysNothingIsLookedAtAndNotSent) {
  Pair pair(0.02);
  pair.robot.silent = true;
  EXPECT_TRUE(pair.await([&] { return pair.robot.n_looks > 10; }));
  EXPECT_EQ(pair.service->n_reports(), 0u);
}

TEST(RobotService, ARobotWithImpossibleNumbersIsComplainedOfOnceASecond) {
  Pair pair(0.001);
  pair.robot.x = 1e9;
  ASSERT_TRUE(pair.await([&] { return !pair.complaints.empty(); }));
  const OperatorTime first = pair.viewer->now();
  ASSERT_TRUE(pair.await([&] { return pair.complaints.size() > 1; }));
  EXPECT_GT(to_seconds(pair.viewer->now() - first), 0.9);
  EXPECT_NE(pair.complaints[0].find("out of range"), std::string::npos);
}

TEST(RobotService, ALimitOnTheAgeOfCommandsCountsFromNowOn) {
  Pair pair(0.02);
  ASSERT_TRUE(pair.await_open());
  const auto outcome = [&] { return pair.viewer->client().commands().records().back(); };
  const auto answered = [&] { return outcome().state != sync::CommandRecord::State::pending; };
  pair.service->server().set_gate({.max_command_age_s = 1e-9});
  ASSERT_TRUE(pair.viewer->give({robot::CommandKind::goal, {3, 3}, {}}));
  ASSERT_TRUE(pair.await(answered));
  EXPECT_EQ(outcome().outcome, sync::Outcome::stale);
  pair.service->server().set_gate({});
  ASSERT_TRUE(pair.viewer->give({robot::CommandKind::goal, {3, 3}, {}}));
  ASSERT_TRUE(pair.await(answered));
  EXPECT_EQ(outcome().state, sync::CommandRecord::State::executed);
}

TEST(RobotService, AKeyThatIsForbiddenLosesItsSession) {
  const test::TempFolder folder;
  Pair pair(0.02, folder.path());
  ASSERT_TRUE(pair.await_open());
  EXPECT_EQ(pair.service->server().n_sessions(), 1u);
  ASSERT_TRUE(io::forbid_key(folder.path(), pair.operator_keys.open));
  EXPECT_TRUE(pair.await([&] { return pair.service->server().n_sessions() == 0; }));
}

// Nobody looks: nothing is even drawn.
TEST(RobotService, ImagesGoToWhoLooks) {
  Pair pair(0.1);
  ASSERT_TRUE(pair.await_open());
  EXPECT_EQ(pair.robot.n_shots, 0);
  pair.viewer->look(image::kFirstCamera);
  const auto& images = pair.viewer->client().images();
  ASSERT_TRUE(pair.await([&] { return images.n_whole() >= 2; }));
  EXPECT_EQ(images.newest()->bytes.front(), 'x');
  EXPECT_EQ(images.newest()->info.width, 320);
  EXPECT_TRUE(pair.complaints.empty());
  EXPECT_FALSE(images.newest(1));
}

// One that the robot does not have holds up none that it has.
TEST(RobotService, CamerasThatSomebodyLooksThroughTakeTurns) {
  Pair pair(0.1);
  ASSERT_TRUE(pair.await_open());
  pair.viewer->look(0b1000'0011);
  const auto& images = pair.viewer->client().images();
  ASSERT_TRUE(pair.await([&] { return images.n_whole() >= 4; }));
  ASSERT_TRUE(images.newest(0) && images.newest(1));
  EXPECT_EQ(images.newest(0)->bytes.front(), 'x');
  EXPECT_EQ(images.newest(1)->bytes.front(), 'y');
  EXPECT_LT(images.newest(0)->info.number - images.newest(1)->info.number + 1, 3u) << "they follow each other";
}

}  // namespace
}  // namespace forerun::serve
