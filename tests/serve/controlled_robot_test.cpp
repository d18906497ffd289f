// A control system behind the local socket, and what it says to commands.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "forerun/serve/served_robot.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wheeled_drive.hpp"

namespace forerun::serve {
namespace {

using State = robot::Reply::State;
const robot::Command kGoal{.kind = robot::CommandKind::goal, .goal = {1, 2}};

struct Desk {
  explicit Desk(const robot::Description& description = {}, world::World world = {})
      : setting{std::move(world), description, {}, {}},
        robot(std::move(*make_controlled_robot("unix:" + folder.file("control"), setting))) {}
  ~Desk() { leave(); }

  void come() {
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, folder.file("control").c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    robot->listen({});
  }
  void leave() {
    if (client >= 0) close(client);
    client = -1;
  }
  void say(const std::string& line, RobotTime now = {}) {
    const std::string text = line + "\n";
    ASSERT_EQ(send(client, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    robot->listen(now);
  }
  robot::Reply give(std::uint64_t ticket) { return robot->execute(kGoal, {.ticket = ticket}); }

  const test::TempFolder folder;
  const sim::Setting setting;
  std::unique_ptr<ServedRobot> robot;
  int client = -1;
};

TEST(ControlledRobot, WithoutAControlSystemNothingIsCarriedOut) {
  Desk desk;
  const robot::Reply reply = desk.give(1);
  EXPECT_EQ(reply.state, State::refused);
  EXPECT_EQ(reply.refusal, robot::Refusal::absent);
}

TEST(ControlledRobot, WhoNeverAnswersIsNotWaitedFor) {
  Desk desk;
  desk.come();
  EXPECT_EQ(desk.give(1).state, State::accepted);
  EXPECT_FALSE(desk.robot->next_word());
}

TEST(ControlledRobot, TheWordOfTheControlSystemComesBackUnderItsTicket) {
  Desk desk;
  desk.come();
  desk.say(R"({"answers":true})");
  EXPECT_EQ(desk.give(41).state, State::pending);
  EXPECT_EQ(desk.give(42).state, State::pending);
  EXPECT_FALSE(desk.robot->next_word());
  desk.say(R"({"refused":2,"reason":"the gripper is open"})");
  desk.say(R"({"accepted":7})");  // there was no such command
  desk.say(R"({"accepted":1})");
  const auto refused = desk.robot->next_word();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->ticket, 42u);
  EXPECT_EQ(refused->reply.words.view(), "the gripper is open");
  const auto accepted = desk.robot->next_word();
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->ticket, 41u);
  EXPECT_EQ(accepted->reply.state, State::accepted);
  EXPECT_FALSE(desk.robot->next_word());
}

std::string state_with(const std::string& more) { return R"({"t_s":1,"x_m":0,"y_m":0,"theta_rad":0)" + more + "}"; }

// Where the plan in force ends; −1 where there is none, −2 where nothing was said of plans.
double end_of_plan(ServedRobot& robot) {
  const auto report = robot.look({});
  if (!report || !report->planned_path) return -2;
  return report->planned_path->empty() ? -1 : report->planned_path->back().x;
}

TEST(ControlledRobot, APlanHoldsUntilTheControlSystemSaysAnother) {
  Desk desk;
  desk.come();
  desk.say(state_with(""));
  EXPECT_EQ(end_of_plan(*desk.robot), -2);
  // both come before anybody looks
  desk.say(state_with(R"(,"plan":[[0,0],[5,0]])"));
  desk.say(state_with(""));
  EXPECT_EQ(end_of_plan(*desk.robot), 5);
  desk.say(state_with(R"(,"plan":null)"));
  EXPECT_EQ(end_of_plan(*desk.robot), -1);
}

TEST(ControlledRobot, APlanEndsWithItsControlSystem) {
  Desk desk;
  desk.come();
  desk.say(state_with(R"(,"plan":[[0,0],[5,0]])"));
  EXPECT_EQ(end_of_plan(*desk.robot), 5);
  desk.leave();
  desk.robot->listen({});
  desk.come();
  desk.say(state_with(""));
  EXPECT_EQ(end_of_plan(*desk.robot), -1);
}

// How many changes are in force; −1 where nothing was said of any.
int n_changes(ServedRobot& robot) {
  const auto report = robot.look({});
  return report && report->seen ? static_cast<int>(report->seen->changes.size()) : -1;
}

TEST(ControlledRobot, ThingsSeenHoldUntilTheControlSystemSaysOthers) {
  world::World world;
  world.triangles = {{{0, 0, 0}, {9, 0, 0}, {9, 9, 0}}};
  world.doors.resize(2);
  Desk desk({}, world);
  desk.come();
  desk.say(state_with(""));
  EXPECT_EQ(n_changes(*desk.robot), -1);
  desk.say(state_with(R"(,"seen_boxes":[[1,2,0,0.4,0.4]],"seen_doors":[[1,0]])"));
  EXPECT_EQ(n_changes(*desk.robot), 2);
  desk.say(state_with(""));
  EXPECT_EQ(n_changes(*desk.robot), 2);
  desk.say(state_with(R"(,"seen_boxes":[])"));
  EXPECT_EQ(n_changes(*desk.robot), 0);
}

TEST(ControlledRobot, ThingsThatCannotBeInThisWorldAreRefusedInASentence) {
  world::World world;
  world.triangles = {{{0, 0, 0}, {9, 0, 0}, {9, 9, 0}}};
  world.doors.resize(2);
  Desk desk({}, world);
  desk.come();
  const auto answer_to = [&](const std::string& more) {
    desk.say(state_with(more));
    EXPECT_FALSE(desk.robot->look({})) << more;
    char line[300] = {};
    EXPECT_GT(recv(desk.client, line, sizeof line - 1, 0), 0);
    return std::string(line);
  };
  EXPECT_EQ(answer_to(R"(,"seen_doors":[[2,0]])"),
            "{\"error\":\"seen_doors has door 2, but the world has 2 doors, counted from 0\"}\n");
  EXPECT_NE(answer_to(R"(,"seen_boxes":[[10,2,0,0.4,0.4]])").find("outside the world"), std::string::npos);
}

// Ticks and poses in lines: what was found stands in the reports, and velocities go by it.
TEST(ControlledRobot, WhoSaysItsTicksIsCalibrated) {
  robot::Description description;
  description.drive = robot::make_differential({0.13, 0.13, 0.38});
  description.drive.ticks_per_turn = test::kTicksPerTurn;
  Desk desk(description);
  desk.come();
  std::optional<robot::Report> newest;
  for (const test::WheeledMoment& moment : test::drive_wheels({.duration_s = 120})) {
    if (!moment.external) continue;
    char line[300];
    std::snprintf(line, sizeof line,
                  R"({"t_s":%.3f,"x_m":%.6f,"y_m":%.6f,"theta_rad":%.6f,"v_mps":0.4,"ticks":[%.0f,%.0f]})", moment.time,
                  moment.external->x, moment.external->y, moment.external->theta, moment.ticks.left,
                  moment.ticks.right);
    const RobotTime now{from_seconds(moment.time).ns};
    desk.say(line, now);
    if (const auto report = desk.robot->look(now)) newest = report;
  }
  ASSERT_TRUE(newest && newest->wheels);
  EXPECT_NEAR(newest->wheels->wheels.left_diameter / test::kTrueWheels.left_diameter, 1, 0.015);
  EXPECT_NEAR(newest->wheels->wheels.base / test::kTrueWheels.base, 1, 0.02);
  EXPECT_NEAR(newest->state.velocity.vx, 0.4 * test::kTrueWheels.left_diameter / 0.13, 0.01);
}

TEST(ControlledRobot, WhoLeavesWithoutAnAnswerHasRefused) {
  Desk desk;
  desk.come();
  desk.say(R"({"answers":true})");
  EXPECT_EQ(desk.give(5).state, State::pending);
  desk.leave();
  desk.robot->listen({});
  const auto word = desk.robot->next_word();
  ASSERT_TRUE(word);
  EXPECT_EQ(word->ticket, 5u);
  EXPECT_EQ(word->reply.refusal, robot::Refusal::absent);
}

TEST(ControlledRobot, ManyUnansweredCommandsAreNoBurden) {
  Desk desk;
  desk.come();
  desk.say(R"({"answers":true})");
  char piece[65536];
  for (std::uint64_t ticket = 1; ticket <= 500; ++ticket) {
    EXPECT_EQ(desk.give(ticket).state, State::pending);
    EXPECT_GT(recv(desk.client, piece, sizeof piece, 0), 0);
  }
  desk.say(R"({"accepted":1})");
  EXPECT_FALSE(desk.robot->next_word()) << "given up long ago";
  desk.say(R"({"accepted":500})");
  EXPECT_EQ(desk.robot->next_word()->ticket, 500u);
}

}  // namespace
}  // namespace forerun::serve
