// A mission on a robot behind the local socket: Forerun's tracker decides, and the control system gets velocities.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/robot_json.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/sync/noise.hpp"
#include "tests/mission/hall_mission.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::serve {
namespace {

constexpr double kStep = 0.05;  // [s]

// A robot that does what it is told, and whose wheels slip a little.
struct Rover {
  Rover()
      : setting{make_hall(), make_hall_robot(), {}, {}},
        served(std::move(*make_controlled_robot("unix:" + folder.file("control"), setting))) {
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, folder.file("control").c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    pose = mission.path.front().pose;
    served->listen(now);
  }
  ~Rover() { close(client); }

  void bring() {
    const auto bytes = mission::to_bytes(mission);
    const auto object = mission::pack_signed({keys.open, net::sign(keys.secret, *bytes, cipher)}, *bytes);
    ASSERT_EQ(served->take_object({keys.open, sync::ObjectKind::mission, 1, object}).state,
              robot::Reply::State::accepted);
  }
  robot::Reply start() { return served->execute({.kind = robot::CommandKind::start, .mission = 1}, {}); }
  // Says where it is, hears what to do, and does it.
  void say_state() {
    now += from_seconds(kStep);
    robot::Report report;
    report.time = now;
    report.state = {pose, velocity};
    report.odometry = pose;
    report.hand_driven = !(velocity == robot::Twist{});
    const std::string line = net::write_robot_state(report) + "\n";
    ASSERT_EQ(send(client, line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
  }
  void live(double seconds) {
    for (const RobotTime end = now + from_seconds(seconds); now < end;) {
      say_state();
      newest = served->look(now);
      hear();
      pose = robot::move(pose, {0.97 * velocity.vx, 0, velocity.w}, kStep);
    }
  }
  void hear() {
    char bytes[4096];
    for (ssize_t n; (n = recv(client, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
      text.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1)) {
      const auto line = std::string_view(text).substr(0, end);
      if (const auto action = net::parse_robot_action(line)) actions.push_back(*action);
      const auto command = net::parse_robot_command(line);
      if (command && command->command.kind == robot::CommandKind::drive) velocity = command->command.velocity;
    }
  }
  void say(const net::RobotAnswer& answer) {
    const std::string line = net::write_robot_answer(answer) + "\n";
    ASSERT_EQ(send(client, line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
  }
  // Brings a mission that ends with an action, and begins it.
  void begin_with_action() {
    live(0.2);
    mission.actions = {{mission.path.back().time, "photo"}};
    bring();
    ASSERT_EQ(start().state, robot::Reply::State::accepted);
  }
  void drive_to_action() {
    begin_with_action();
    for (int i = 0; i < 200 && actions.empty(); ++i) live(0.5);
    ASSERT_EQ(actions.size(), 1u);
    EXPECT_EQ(actions[0].name, "photo");
  }
  [[nodiscard]] double off_end() const { return distance(pose.position(), mission.path.back().pose.position()); }

  const test::TempFolder folder;
  net::SodiumCipher cipher;
  sync::KeyPair keys = sync::make_key_pair(cipher);
  const sim::Setting setting;
  mission::Mission mission = mission::make_hall_mission();
  std::unique_ptr<ServedRobot> served;
  int client = -1;
  std::string text;
  RobotTime now{from_seconds(100).ns};
  Pose2 pose;
  robot::Twist velocity;
  std::optional<robot::Report> newest;
  std::vector<net::RobotAction> actions;  // that it was told of
};

TEST(ControlledMission, IsDrivenToItsEnd) {
  Rover rover;
  EXPECT_EQ(rover.start().refusal, robot::Refusal::absent) << "nothing is known of it yet";
  rover.live(0.2);
  rover.bring();
  ASSERT_EQ(rover.start().state, robot::Reply::State::accepted);
  rover.live(5);
  ASSERT_TRUE(rover.newest && rover.newest->mission);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::running);
  EXPECT_FALSE(rover.newest->hand_driven) << "its tracker drives, not an operator";
  rover.live(1.2 * rover.mission.path.back().time + 5);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::done);
  EXPECT_LT(rover.off_end(), 0.05);
  EXPECT_EQ(rover.velocity, robot::Twist{});
}

TEST(ControlledMission, AnActionIsTheControlSystemsToDo) {
  Rover rover;
  rover.drive_to_action();
  rover.live(10);
  EXPECT_EQ(rover.actions.size(), 1u) << "it is told once";
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::running);
  EXPECT_EQ(rover.velocity, robot::Twist{});
  rover.say({rover.actions[0].number, robot::accept()});  // it has begun
  rover.live(1);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::running);
  rover.say({rover.actions[0].number + 1, robot::accept(), true});  // something else
  rover.live(1);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::running);
  rover.say({rover.actions[0].number, robot::accept(), true});
  rover.live(1);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::done);
}

TEST(ControlledMission, AnActionThatFailsOrIsRefusedHandsBack) {
  for (const bool begun : {false, true}) {
    Rover rover;
    rover.drive_to_action();
    rover.say({rover.actions[0].number, robot::refuse(robot::Refusal::other, "the lens is dirty"), begun});
    rover.live(0.5);
    EXPECT_EQ(rover.newest->mission->state, robot::MissionState::handed_back);
    EXPECT_EQ(rover.newest->mission->departure, robot::Departure::action_failed);
    ASSERT_EQ(rover.start().state, robot::Reply::State::accepted);
    rover.live(5);
    EXPECT_EQ(rover.actions.size(), 2u) << "it is tried again";
  }
}

// The control system is gone at the very moment at which it would be told.
TEST(ControlledMission, AnActionThatCannotBeToldHandsBack) {
  Rover first;
  first.begin_with_action();
  int n_states = 0;
  for (; first.actions.empty() && n_states < 4000; ++n_states) first.live(kStep);
  ASSERT_EQ(first.actions.size(), 1u);
  Rover rover;
  rover.begin_with_action();
  for (int i = 1; i < n_states; ++i) rover.live(kStep);
  ASSERT_TRUE(rover.actions.empty());
  rover.say_state();
  shutdown(rover.client, SHUT_RDWR);
  rover.newest = rover.served->look(rover.now);
  ASSERT_TRUE(rover.newest && rover.newest->mission);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::handed_back);
  EXPECT_EQ(rover.newest->mission->departure, robot::Departure::action_failed);
  EXPECT_EQ(rover.served->missions()->pilot().describe(),
            "the action photo failed: its control system could not be told");
}

TEST(ControlledMission, AnActionThatNobodyDoesHandsBack) {
  Rover rover;
  rover.drive_to_action();
  rover.live(125);
  EXPECT_EQ(rover.newest->mission->departure, robot::Departure::action_not_done);
}

// What the control system makes of the next command is its own affair: the mission's velocities are not in force any
// more.
TEST(ControlledMission, LeavesNoVelocityBehind) {
  for (const bool goes : {false, true}) {
    Rover rover;
    rover.live(0.2);
    rover.bring();
    ASSERT_EQ(rover.start().state, robot::Reply::State::accepted);
    rover.live(5);
    ASSERT_GT(rover.velocity.vx, 0.05);
    if (goes) {
      rover.served.reset();
    } else {
      (void)rover.served->execute({.kind = robot::CommandKind::goal, .goal = {1e4, 0}}, {});
    }
    rover.hear();
    EXPECT_EQ(rover.velocity, robot::Twist{});
  }
}

TEST(ControlledMission, StartsOnlyFromAFreshState) {
  Rover rover;
  rover.live(0.2);
  rover.bring();
  rover.now += from_seconds(3);
  rover.served->listen(rover.now);
  const robot::Reply reply = rover.start();
  EXPECT_EQ(reply.words.view(), "its control system has not said for a while where it is");
}

TEST(ControlledMission, StopsWhenTheRobotFallsSilentOrSomebodyTakesOver) {
  Rover rover;
  rover.live(0.2);
  rover.bring();
  ASSERT_EQ(rover.start().state, robot::Reply::State::accepted);
  rover.live(5);
  EXPECT_GT(rover.velocity.vx, 0.05);
  rover.now += from_seconds(1.5);
  rover.served->listen(rover.now);
  rover.hear();
  EXPECT_EQ(rover.velocity, robot::Twist{});
  rover.live(0.1);
  EXPECT_EQ(rover.newest->mission->departure, robot::Departure::sensors_disagree);

  ASSERT_EQ(rover.start().state, robot::Reply::State::accepted);
  rover.live(1);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::running);
  EXPECT_EQ(rover.served->execute({.kind = robot::CommandKind::stop}, {}).state, robot::Reply::State::accepted);
  rover.live(0.1);
  EXPECT_EQ(rover.newest->mission->state, robot::MissionState::handed_back);
  EXPECT_EQ(rover.newest->mission->departure, robot::Departure::none);
}

}  // namespace
}  // namespace forerun::serve
