// The demo's robot behind its bad network, with real datagrams: it obeys by the rules of every served robot.
#include "forerun/serve/demo_robot.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "forerun/net/bad_network_thread.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/sync/noise.hpp"
#include "tests/support/outings.hpp"

namespace forerun::serve {
namespace {

using State = sync::CommandRecord::State;

impair::LinkProfile profile(double delay_s, bool black) {
  impair::LinkProfile made{.name = "test"};
  made.up.delay = made.down.delay = delay_s;
  if (black) made.blackouts.push_back({.at = 0, .every = 0, .length = 1e9});
  return made;
}

struct Link {
  explicit Link(double delay_s) {
    setting.scenario.start = {1.5, 1.5, 0};
    setting.scenario.goals = {{"east", {10, 4}, 0}, {"west", {1.5, 1.5}, 0}};
    net::SodiumCipher cipher;
    const sync::KeyPair robot_keys = sync::make_key_pair(cipher), desk_keys = sync::make_key_pair(cipher);
    robot = std::move(*DemoRobot::open({.setting = setting,
                                        .conditions = {.interval_s = 0.05, .delay_s = delay_s, .reality = "exact"},
                                        .keys = robot_keys,
                                        .operator_key = desk_keys.open}));
    robot->start([](RobotTime, const Pose2&) {});
    network = std::move(*net::BadNetworkThread::open(
        {.listen = *net::resolve("127.0.0.1:0"), .to = robot->local_address()}, profile(delay_s, false)));
    net::Viewer::Setup setup{
        .server = net::to_string(network->local_address()), .server_key = robot_keys.open, .keys = desk_keys};
    setup.params.sender = demo_sender(delay_s);
    viewer.emplace(std::move(*net::Viewer::open(setup)));
  }

  // False when it has not come true within half a minute.
  bool await(const std::function<bool()>& wanted) {
    const OperatorTime end = viewer->now() + from_seconds(30);
    while (!wanted() && viewer->now() < end) viewer->poll(0.02);
    return wanted();
  }
  // The session is open, the clock known, and reports have come.
  bool await_open() {
    return await([&] {
      const sync::Client& client = viewer->client();
      return client.state(viewer->now()) == sync::LinkState::open && client.clock().ready() && client.newest();
    });
  }
  // Nothing has come for this long.
  bool await_silence(double seconds) {
    std::uint64_t received = 0;
    OperatorTime since = viewer->now();
    return await([&] {
      if (viewer->client().counts().received != received) since = viewer->now();
      received = viewer->client().counts().received;
      return viewer->now() - since > from_seconds(seconds);
    });
  }
  // What became of a goal; it was given at some time before.
  sync::CommandRecord await_answer(std::uint64_t number) {
    sync::CommandRecord found;
    await([&] {
      for (const auto& record : viewer->client().commands().records()) {
        if (record.number == number) found = record;
      }
      return found.number == number && found.state != State::pending;
    });
    return found;
  }
  std::uint64_t give_goal() { return viewer->give({robot::CommandKind::goal, {3.5, 4.5}, {}}).value_or(0); }

  sim::Setting setting{make_hall(), make_hall_robot(), {}, sim::kExact};
  std::unique_ptr<DemoRobot> robot;
  std::unique_ptr<net::BadNetworkThread> network;
  std::optional<net::Viewer> viewer;
};

TEST(DemoRobot, RefusesWhatWasGivenInASilence) {
  Link link(0.01);
  ASSERT_TRUE(link.await_open());
  EXPECT_EQ(link.await_answer(link.give_goal()).state, State::executed);
  link.network->set_profile(profile(0.01, true));
  ASSERT_TRUE(link.await_silence(0.3));
  const std::uint64_t number = link.give_goal();
  ASSERT_NE(number, 0u);
  ASSERT_TRUE(link.await_silence(sync::SenderParams{}.give_up_s + 0.5)) << "longer than a viewer usually asks";
  link.network->set_profile(profile(0.01, false));
  const sync::CommandRecord record = link.await_answer(number);
  EXPECT_EQ(record.state, State::refused);
  EXPECT_EQ(record.outcome, sync::Outcome::stale);
}

TEST(DemoRobot, ObeysOverALongDelayAndForgetsItWhenTheDelayEnds) {
  constexpr double kDelay = 1.3;  // more than an ordinary robot lets a command take
  Link link(kDelay);
  ASSERT_TRUE(link.await_open());
  EXPECT_EQ(link.await_answer(link.give_goal()).state, State::executed);
  // the same way takes as long, but is no longer what was set
  link.robot->set_conditions({.interval_s = 0.05, .delay_s = 0.1, .reality = "exact"});
  const sync::CommandRecord record = link.await_answer(link.give_goal());
  EXPECT_EQ(record.state, State::refused);
  EXPECT_EQ(record.outcome, sync::Outcome::stale);
}

TEST(DemoRobot, OnlyADelayOfMoreThanASecondChangesTheLimits) {
  EXPECT_EQ(demo_gate(0.09).max_command_age_s, sync::GateParams{}.max_command_age_s);
  EXPECT_EQ(demo_gate(1).max_command_age_s, sync::GateParams{}.max_command_age_s);
  EXPECT_EQ(demo_gate(3).max_command_age_s, 4);
  EXPECT_EQ(demo_gate(3).drive_timeout_s, sync::GateParams{}.drive_timeout_s);
  EXPECT_EQ(demo_gate(1).clock_doubt, sync::GateParams{}.clock_doubt);
  EXPECT_EQ(demo_sender(0.09).drive_s, sync::SenderParams{}.drive_s);
  EXPECT_EQ(demo_sender(3).drive_s, 7);  // there, a second, and back
}

}  // namespace
}  // namespace forerun::serve
