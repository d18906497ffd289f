// The example clients are real programs: they report, and they obey.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "forerun/net/local_robot.hpp"
#include "forerun/net/wait.hpp"
#include "tests/support/process.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::net {
namespace {

// Runs a client beside the test and talks to it. When the socket closes, the client ends.
class Conversation {
 public:
  Conversation(LocalRobot local, const std::vector<std::string>& command)
      : robot(std::move(local)), client_([this, command] {
          outcome = test::run_process(command, {.time_limit_s = 60});
          finished_ = true;
        }) {}
  ~Conversation() {
    robot.reset();
    client_.join();
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // The first state for which `wanted` holds; nothing when the client ends before.
  template <class Wanted>
  std::optional<robot::Report> await(Wanted&& wanted) {
    while (!finished_) {
      const auto descriptors = robot->socket().descriptors();
      static_cast<void>(wait_readable({descriptors.begin(), descriptors.size()}, 0.05));
      const auto report = robot->poll();
      if (report && wanted(*report)) return report;
    }
    return std::nullopt;
  }

  std::optional<LocalRobot> robot;
  test::Outcome outcome;

 private:
  std::atomic<bool> finished_ = false;
  std::thread client_;
};

void converse(Conversation& client) {
  LocalRobot& robot = *client.robot;
  const auto driving = client.await([](const robot::Report& r) { return std::fabs(r.state.pose.y) > 1e-6; });
  ASSERT_TRUE(driving.has_value()) << client.outcome.err;
  EXPECT_EQ(driving->state.velocity.vx, 0.3);
  EXPECT_GT(driving->time.ns, 0);
  ASSERT_TRUE(driving->planned_path && driving->planned_path->size() > 8);
  EXPECT_LT(distance((*driving->planned_path)[6], {0, 2}), 1e-6) << "half round its circle";

  EXPECT_TRUE(robot.command({1, {robot::CommandKind::stop, {}, {}}}));
  const auto stopped = client.await([](const robot::Report& r) { return r.motors == robot::MotorState::stopped; });
  ASSERT_TRUE(stopped.has_value());
  EXPECT_EQ(stopped->state.velocity, robot::Twist{});
  EXPECT_TRUE(stopped->planned_path && stopped->planned_path->empty());

  EXPECT_TRUE(robot.command({2, {robot::CommandKind::drive, {}, {0.125, 0, -0.25}}}));
  const auto by_hand = client.await([](const robot::Report& r) { return r.hand_driven; });
  ASSERT_TRUE(by_hand.has_value());
  EXPECT_EQ(by_hand->state.velocity, (robot::Twist{0.125, 0, -0.25}));
  EXPECT_EQ(by_hand->motors, robot::MotorState::on);

  EXPECT_TRUE(robot.command({3, {robot::CommandKind::drive, {}, {}}, true}));
  const auto let_go = client.await([](const robot::Report& r) { return !r.hand_driven; });
  ASSERT_TRUE(let_go.has_value());
  EXPECT_EQ(let_go->state.velocity, robot::Twist{});

  EXPECT_TRUE(robot.answers());
  EXPECT_TRUE(robot.command({4, {robot::CommandKind::goal, {500, 0}, {}}}));
  std::vector<RobotAnswer> answers = robot.take_answers();
  ASSERT_TRUE(client.await([&](const robot::Report&) {
    for (const RobotAnswer& answer : robot.take_answers()) answers.push_back(answer);
    return answers.size() == 4;
  }));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(answers[i].number, i + 1);
  EXPECT_EQ(answers[2].reply.state, robot::Reply::State::accepted);
  EXPECT_EQ(answers[3].reply.state, robot::Reply::State::refused);
  EXPECT_EQ(answers[3].reply.refusal, robot::Refusal::cannot_get_there);
  EXPECT_EQ(answers[3].reply.words.view(), "my circle is not that large");
  EXPECT_EQ(robot.n_refused_lines(), 0u);
}

TEST(ExampleClients, PythonObeysOverUnixAndUdp) {
  const test::TempFolder folder;
  for (const std::string& place : {"unix:" + folder.file("robot"), std::string("udp:127.0.0.1:0")}) {
    auto robot = LocalRobot::open(place);
    ASSERT_TRUE(robot.ok()) << robot.error().message;
    const std::string where = robot->socket().where();
    Conversation client(std::move(*robot), {"python3", test::source_path("examples/robot_client.py"), where, "50"});
    converse(client);
  }
}

TEST(ExampleClients, CppObeys) {
  const test::TempFolder folder;
  auto robot = LocalRobot::open("unix:" + folder.file("robot"));
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  Conversation client(std::move(*robot), {FORERUN_EXAMPLE_CLIENT, folder.file("robot"), "50"});
  converse(client);
}

}  // namespace
}  // namespace forerun::net
