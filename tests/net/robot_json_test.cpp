#include "forerun/net/robot_json.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::net {
namespace {

constexpr const char* kSmallest = R"({"t_s":12.5,"x_m":1,"y_m":-2,"theta_rad":0.5})";

std::string refusal(const std::string& line) {
  const auto report = parse_robot_state(line);
  return report ? "" : report.error().message;
}

// The smallest state and one field more.
std::string with(const std::string& field) { return R"({"t_s":12.5,"x_m":1,"y_m":-2,"theta_rad":0.5,)" + field + "}"; }

TEST(RobotJson, APoseAndATimeAreEnough) {
  robot::Report usual;
  usual.robot = 9;
  usual.limits = {0.7, 1.5};
  usual.error.sigma_x = 0.1;
  usual.until_decision = from_seconds(0.25);
  const auto report = parse_robot_state(kSmallest, usual);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->time.ns, 12'500'000'000);
  EXPECT_EQ(report->state.pose, (Pose2{1, -2, 0.5}));
  EXPECT_EQ(report->robot, 9u);
  EXPECT_EQ(report->limits, usual.limits);
  EXPECT_EQ(report->error, usual.error);
  EXPECT_EQ(report->until_decision, usual.until_decision);
  EXPECT_EQ(report->motors, robot::MotorState::on);
}

TEST(RobotJson, EveryFieldIsRead) {
  const auto report = parse_robot_state(
      R"({"t_s":1763200000.123456,"x_m":1,"y_m":2,"theta_rad":7,"v_mps":0.3,"vy_mps":-0.1,"w_radps":0.2,)"
      R"("a_mps2":0.5,"aw_radps2":-1.5,"target":[3,4],"goal":[5,6.5],"task":"waiting","remaining_wait_s":12.25,)"
      R"("until_decision_s":0.125,"motors":"stopped","hand_driven":true,"max_speed_mps":0.4,)"
      R"("max_turn_rate_radps":0.9,"sigma_x_m":0.05,"sigma_y_m":0.06,"correlation":-0.5,"sigma_heading_rad":0.02})");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->time.ns, 1763200000123456000);
  EXPECT_NEAR(report->state.pose.theta, 7 - kTwoPi, 1e-12);
  EXPECT_EQ(report->state.velocity, (robot::Twist{0.3, -0.1, 0.2}));
  EXPECT_EQ(report->acceleration.v, 0.5);
  EXPECT_EQ(report->acceleration.w, -1.5);
  EXPECT_EQ(report->target, (Vec2{3, 4}));
  EXPECT_EQ(report->goal, (Vec2{5, 6.5}));
  EXPECT_EQ(report->task, robot::TaskState::waiting);
  EXPECT_EQ(report->remaining_wait, from_seconds(12.25));
  EXPECT_EQ(report->until_decision, from_seconds(0.125));
  EXPECT_EQ(report->motors, robot::MotorState::stopped);
  EXPECT_TRUE(report->hand_driven);
  EXPECT_EQ(report->limits, (robot::SpeedLimits{0.4, 0.9}));
  EXPECT_EQ(report->error, (robot::PoseError{0.05, 0.06, -0.5, 0.02}));
}

TEST(RobotJson, RefusalsNameTheFieldTheValueAndWhatIsAllowed) {
  EXPECT_EQ(refusal("{"), "the line is not JSON");
  EXPECT_EQ(refusal("[1,2]"), "the line is [1,2], but must be a JSON object");
  EXPECT_EQ(refusal(R"({"t_s":1,"x_m":1,"y_m":1})"), "theta_rad is missing");
  EXPECT_EQ(refusal(with(R"("v_mps":NaN)")), "the line is not JSON");
  EXPECT_EQ(refusal(with(R"("v_mps":1e999)")), "the line is not JSON");
  EXPECT_EQ(refusal(with(R"("v_mps":99)")), "v_mps is 99, but must be -16.0 to 16.0");
  EXPECT_EQ(refusal(with(R"("v_mps":"fast")")), R"(v_mps is "fast", but must be a number)");
  EXPECT_EQ(refusal(with(R"("v_mps":null)")), "v_mps is null, but must be a number");
  EXPECT_EQ(refusal(with(R"("speed":1)")), R"("speed" is no field that may stand here)");
  EXPECT_EQ(refusal(with(R"("goal":[1])")), "goal is [1], but must be null or [x, y] within 100 km");
  EXPECT_EQ(refusal(with(R"("goal":[1,1e9])")), "goal is [1,1000000000.0], but must be null or [x, y] within 100 km");
  EXPECT_EQ(refusal(with(R"("goal":null)")), "");
  EXPECT_EQ(refusal(with(R"("odometry":[1,2,30])")), "");
  EXPECT_EQ(refusal(with(R"("odometry":[1,2])")),
            "odometry is [1,2], but must be null or [x, y, heading], each within ±100000");
  EXPECT_EQ(refusal(with(R"("odometry":[1,"a",3])")),
            R"(odometry is [1,"a",3], but must be null or [x, y, heading], each within ±100000)");
  EXPECT_EQ(refusal(with(R"("motors":"broken")")), R"(motors is "broken", but must be on, off, stopped or fault)");
  EXPECT_EQ(refusal(with(R"("hand_driven":1)")), "hand_driven is 1, but must be true or false");
  EXPECT_EQ(refusal(with(R"("correlation":1.5)")), "correlation is 1.5, but must be -1.0 to 1.0");
  EXPECT_EQ(refusal(R"({"t_s":4200000000,"x_m":1,"y_m":1,"theta_rad":0})"),
            "t_s is 4200000000, but must be 0.0 to 4102444799.0");
  EXPECT_EQ(refusal(std::string(4000, '[')), "the line is not JSON");
}

TEST(RobotJson, ForeignTextInASentenceStaysShortAndOnOneLine) {
  const std::string said = refusal(with("\"" + std::string(300, 'k') + "\\n\":1"));
  EXPECT_LT(said.size(), 100u);
  EXPECT_EQ(said.find('\n'), std::string::npos);
  const std::string umlauts = refusal(with("\"v_mps\":\"" + std::string(21, 'x') + "üüüüüüüüüüüüüüü\""));
  const std::string line = write_robot_error(umlauts);
  EXPECT_EQ(line.rfind(R"({"error":"v_mps is )", 0), 0u) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(RobotJson, WhatIsWrittenIsReadBackToTheLastBit) {
  Random random(1, 2);
  for (int i = 0; i < 2000; ++i) {
    robot::Report report;
    report.time.ns = static_cast<std::int64_t>(random.below(4'102'444'799'000'000)) * 1000;
    report.state = {{random.uniform(-1e5, 1e5), random.uniform(-1e5, 1e5), random.uniform(-3, 3)},
                    {random.uniform(-16, 16), random.uniform(-16, 16), random.uniform(-32, 32)}};
    report.acceleration = {random.uniform(-32, 32), random.uniform(-130, 130)};
    if (random.below(2) == 0) report.target = Vec2{random.uniform(-9, 9), 1};
    if (random.below(2) == 0) report.goal = Vec2{random.uniform(-9, 9), 1};
    if (random.below(2) == 0) report.odometry = Pose2{random.uniform(-9, 9), 1, random.uniform(-90, 90)};
    report.task = static_cast<robot::TaskState>(random.below(robot::kTaskStates));
    report.motors = static_cast<robot::MotorState>(random.below(robot::kMotorStates));
    report.hand_driven = random.below(2) == 0;
    report.remaining_wait.ns = static_cast<std::int64_t>(random.below(1'000'000'000'000)) * 1000;
    report.until_decision.ns = static_cast<std::int64_t>(random.below(60'000'000)) * 1000;
    report.limits = {random.uniform(0, 16), random.uniform(0, 32)};
    report.error = {random.uniform(0, 9), random.uniform(0, 9), random.uniform(-1, 1), random.uniform(0, 6)};
    if (random.below(2) == 0) {
      report.posture = robot::Posture{random.uniform(-3, 3),
                                      random.uniform(-3, 3),
                                      random.uniform(-3, 3),
                                      {1, random.uniform(-6, 6), 0, -1},
                                      random.uniform(-1, 1),
                                      0,
                                      static_cast<robot::Standing>(random.below(robot::kStandings))};
    }
    const std::string line = write_robot_state(report);
    const auto back = parse_robot_state(line);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->odometry, report.odometry);
    EXPECT_EQ(back->time, report.time) << line;
    EXPECT_EQ(back->state.pose, report.state.pose);
    EXPECT_EQ(back->goal, report.goal);
    EXPECT_EQ(back->posture, report.posture);
    EXPECT_EQ(back->until_decision, report.until_decision);
    EXPECT_EQ(write_robot_state(*back), line);
  }
}

TEST(RobotJson, APlanIsThinnedAndWhatItDoesNotSayStays) {
  const auto points = [](const std::optional<robot::PlannedPath>& plan) {
    return plan ? std::vector<Vec2>(plan->begin(), plan->end()) : std::vector<Vec2>{{-1, -1}};
  };
  const auto straight = parse_robot_state(with(R"("plan":[[0,0],[1,0],[2,0],[2,3]])"));
  ASSERT_TRUE(straight.ok()) << straight.error().message;
  EXPECT_EQ(points(straight->planned_path), (std::vector<Vec2>{{0, 0}, {2, 0}, {2, 3}}));
  EXPECT_EQ(parse_robot_state(write_robot_state(*straight))->planned_path, straight->planned_path);
  EXPECT_TRUE(points(parse_robot_state(with(R"("plan":[])"))->planned_path).empty()) << "it has none";
  EXPECT_TRUE(points(parse_robot_state(with(R"("plan":null)"))->planned_path).empty());
  EXPECT_FALSE(parse_robot_state(kSmallest)->planned_path) << "it says nothing of plans";
  EXPECT_EQ(write_robot_state(*parse_robot_state(kSmallest)).find("plan"), std::string::npos);
}

TEST(RobotJson, TicksAndWheelsAreRead) {
  const auto state = parse_ticked_state(with(R"("ticks":[-12,34.5],"wheels":[0.14,0.141,0.36,0.001,0.002,0.003])"));
  ASSERT_TRUE(state.ok()) << state.error().message;
  ASSERT_TRUE(state->ticks && state->report.wheels);
  EXPECT_EQ(state->ticks->left, -12);
  EXPECT_EQ(state->ticks->right, 34.5);
  EXPECT_EQ(state->report.wheels->wheels.base, 0.36);
  EXPECT_EQ(state->report.wheels->sigma.right_diameter, 0.002);
  const auto back = parse_robot_state(write_robot_state(state->report));
  ASSERT_TRUE(back.ok() && back->wheels);
  EXPECT_EQ(back->wheels->wheels.left_diameter, 0.14);
  EXPECT_FALSE(parse_ticked_state(kSmallest)->ticks);
  EXPECT_FALSE(parse_ticked_state(with(R"("ticks":null)"))->ticks);
  EXPECT_EQ(refusal(with(R"("ticks":[1])")), "ticks is [1], but must be null or 2 numbers from -1e+15 to 1e+15");
  EXPECT_EQ(refusal(with(R"("wheels":[1,2,3,4,5,-6])")),
            "wheels is [1,2,3,4,5,-6], but must be null or 6 numbers from 0.0 to 100.0");
}

TEST(RobotJson, ThingsSeenAreReadAndNumberedAsTheyCome) {
  const auto state = parse_robot_state(with(R"("seen_boxes":[[1,2,0.5,0.4,0.3]],"seen_doors":[[3,0.25]])"));
  ASSERT_TRUE(state.ok()) << state.error().message;
  ASSERT_TRUE(state->seen && state->seen->changes.size() == 2);
  const robot::Change& box = state->seen->changes[0];
  const robot::Change& door = state->seen->changes[1];
  EXPECT_EQ(box, (robot::Change{.number = 1, .pose = {1, 2, 0.5}, .half_length = 0.2, .half_width = 0.15}));
  EXPECT_EQ(door, (robot::Change{.number = 2, .kind = robot::Change::Kind::door, .door = 3, .opening = 0.25}));
  EXPECT_TRUE(state->seen->moving.empty());
  const auto people = parse_robot_state(with(R"("seen_moving":[[1,2,-1,0.5,0.3]])"));
  ASSERT_TRUE(people.ok() && people->seen);
  EXPECT_TRUE(people->seen->changes.empty()) << "lists that are not there are empty";
  EXPECT_EQ(people->seen->moving[0], (robot::MovingThing{{1, 2}, {-1, 0.5}, 0.3}));
  for (const auto& said : {state, people}) EXPECT_EQ(parse_robot_state(write_robot_state(*said))->seen, said->seen);
  EXPECT_FALSE(parse_robot_state(kSmallest)->seen) << "it says nothing of it";
}

TEST(RobotJson, WhatHindersTheRobotIsReadAndWritten) {
  const auto state = parse_robot_state(with(R"("held_back":[[0.6,0.4,0.1]],"contact":[[0,2.5],[1.5,2]])"));
  ASSERT_TRUE(state.ok()) << state.error().message;
  ASSERT_TRUE(state->hindrance && state->hindrance->held_back && state->hindrance->contact);
  EXPECT_EQ(*state->hindrance->held_back, (robot::HeldBack{0.6, 0.4, 0.1}));
  EXPECT_EQ(state->hindrance->contact->bearings.size(), 2u);
  EXPECT_EQ(state->hindrance->contact->bearings[1], 1.5);
  EXPECT_EQ(state->hindrance->contact->lasts, 2.5);
  EXPECT_EQ(parse_robot_state(write_robot_state(*state))->hindrance, state->hindrance);
  const auto nothing = parse_robot_state(with(R"("held_back":[],"contact":[])"));
  ASSERT_TRUE(nothing.ok() && nothing->hindrance);
  EXPECT_EQ(*nothing->hindrance, robot::Hindrance{});
  EXPECT_FALSE(parse_robot_state(kSmallest)->hindrance);
  EXPECT_EQ(refusal(with(R"("contact":[[1,-2]])")),
            "contact is [[1,-2]], but must be null or at most 4 rows of bearing (-1000.0 to 1000.0) seconds (0.0 to "
            "1000000.0)");
  EXPECT_NE(refusal(with(R"("held_back":[[2,0,0]])")), "");
  EXPECT_NE(refusal(with(R"("held_back":[[1,0,0],[1,0,0]])")), "");
}

TEST(RobotJson, ThingsThatCannotBeAreRefused) {
  EXPECT_EQ(
      refusal(with(R"("seen_doors":[[1,2]])")),
      "seen_doors is [[1,2]], but must be null or at most 12 rows of number (0.0 to 65534.0) opening (0.0 to 1.0)");
  EXPECT_EQ(refusal(with(R"("seen_doors":[[3,1],[0.5,1]])")),
            "seen_doors has door 0.5, but the number of a door is whole");
  for (const char* wrong : {R"("seen_boxes":7)", R"("seen_boxes":[[1,2,3]])", R"("seen_boxes":[[1,2,3,4,"a"]])",
                            R"("seen_moving":[[1,2,3,4,-5]])", R"("seen_moving":{"x":1})"}) {
    EXPECT_NE(refusal(with(wrong)).find("but must be null or at most "), std::string::npos) << wrong;
  }
  std::string boxes = R"("seen_boxes":[[0,0,0,1,1])", doors = R"("seen_doors":[[0,1])";
  for (int i = 0; i < 6; ++i) {
    boxes += ",[0,0,0,1,1]";
    doors += ",[0,1]";
  }
  EXPECT_EQ(refusal(with(boxes + "]," + doors + "]")), "seen_boxes and seen_doors have more than 12 rows together");
}

TEST(RobotJson, AWrongListBesideARightOneIsRefused) {
  EXPECT_EQ(refusal(with(R"("seen_boxes":[[1,2,0.5,0.4,0.3]],"seen_doors":[[]])")),
            "seen_doors is [[]], but must be null or at most 12 rows of number (0.0 to 65534.0) opening (0.0 to 1.0)");
  EXPECT_NE(refusal(with(R"("seen_boxes":[[]],"seen_moving":[[1,2,-1,0.5,0.3]])")), "");
  EXPECT_NE(refusal(with(R"("held_back":[[]],"contact":[[0,2.5]])")), "");
  EXPECT_NE(refusal(with(R"("held_back":[[0.6,0.4,0.1]],"contact":[[]])")), "");
}

TEST(RobotJson, PlansThatAreNoneAreRefused) {
  const std::string allowed = ", but must be null or a list of at most 1000 points [x, y] within 100 km";
  EXPECT_EQ(refusal(with(R"("plan":7)")), "plan is 7" + allowed);
  EXPECT_EQ(refusal(with(R"("plan":[1,2])")), "plan is [1,2]" + allowed);
  EXPECT_EQ(refusal(with(R"("plan":[[1,2,3]])")), "plan is [[1,2,3]]" + allowed);
  EXPECT_EQ(refusal(with(R"("plan":[[1,"a"]])")), R"(plan is [[1,"a"]])" + allowed);
  EXPECT_EQ(refusal(with(R"("plan":[[0,0],[1e6,0]])")), "plan is [[0,0],[1000000.0,0]]" + allowed);
  EXPECT_EQ(refusal(with(R"("plan":{"x":1})")), R"(plan is {"x":1})" + allowed);
  std::string many = R"("plan":[)";
  for (int i = 0; i < 1001; ++i) many += i == 0 ? "[0,0]" : ",[0,0]";
  EXPECT_NE(refusal(with(many + "]")).find(allowed), std::string::npos);
}

TEST(RobotJson, MissionsAreNamedByTheirNumber) {
  const RobotCommand start{.number = 4, .command = {.kind = robot::CommandKind::start, .mission = 0xfedcba9876543210u}};
  const std::string line = write_robot_command(start);
  EXPECT_EQ(line, R"({"command":"start","number":4,"mission":"fedcba9876543210"})");
  const auto read = parse_robot_command(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->command.mission, start.command.mission);
  EXPECT_EQ(parse_robot_command(R"({"command":"start","number":4,"mission":"FEDC"})").error().message,
            R"(mission is "FEDC", but must be 16 hexadecimal digits)");
  EXPECT_FALSE(parse_robot_command(R"({"command":"start","number":4})"));
  EXPECT_EQ(read->command.starts, robot::kAnyStart);
  const auto third = parse_robot_command(R"({"command":"start","number":4,"mission":"fedcba9876543210","starts":2})");
  ASSERT_TRUE(third);
  EXPECT_EQ(third->command.starts, 2);

  robot::Report report;
  report.mission = robot::MissionStatus{5, robot::MissionState::handed_back, robot::Departure::blocked, 2.5, 3};
  const auto back = parse_robot_state(write_robot_state(report), {});
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->mission, report.mission);
}

TEST(RobotJson, ActionsAndTheirEndsReadAsTheyAreDocumented) {
  EXPECT_EQ(write_robot_action({12, "photo"}), R"({"command":"action","number":12,"action":"photo"})");
  const auto action = parse_robot_action(write_robot_action({12, "photo"}));
  ASSERT_TRUE(action);
  EXPECT_EQ(action->number, 12u);
  EXPECT_EQ(action->name, "photo");
  EXPECT_FALSE(parse_robot_action(R"({"command":"stop","number":12})"));
  EXPECT_FALSE(parse_robot_action(R"({"command":"action","number":12,"action":"a b"})"));

  const RobotAnswer done{12, robot::accept(), true},
      failed{12, robot::refuse(robot::Refusal::other, "dirty lens"), true};
  EXPECT_EQ(write_robot_answer(done), R"({"done":12})");
  EXPECT_EQ(write_robot_answer(failed), R"({"failed":12,"reason":"dirty lens"})");
  for (const RobotAnswer& answer : {done, failed}) {
    const auto back = parse_robot_answer(write_robot_answer(answer));
    ASSERT_TRUE(back && back->ok());
    EXPECT_EQ((*back)->number, 12u);
    EXPECT_TRUE((*back)->over);
    EXPECT_EQ((*back)->reply.state, answer.reply.state);
    EXPECT_EQ((*back)->reply.words.view(), answer.reply.words.view());
  }
  EXPECT_FALSE((*parse_robot_answer(R"({"accepted":12})"))->over);
  EXPECT_FALSE(parse_robot_answer(R"({"done":true})")->ok());
}

TEST(RobotJson, CommandsReadAsTheyAreDocumented) {
  using robot::CommandKind;
  EXPECT_EQ(write_robot_command({7, {CommandKind::goal, {1.5, 2}, {}}}),
            R"({"command":"goal","number":7,"x_m":1.5,"y_m":2.0})");
  EXPECT_EQ(write_robot_command({8, {CommandKind::cancel, {}, {}}}), R"({"command":"cancel","number":8})");
  EXPECT_EQ(write_robot_command({9, {CommandKind::stop, {}, {}}}), R"({"command":"stop","number":9})");
  EXPECT_EQ(write_robot_command({10, {CommandKind::drive, {}, {0.25, 0, -0.5}}}),
            R"({"command":"drive","number":10,"v_mps":0.25,"vy_mps":0.0,"w_radps":-0.5})");
  EXPECT_EQ(
      write_robot_command({10, {CommandKind::drive, {}, {0.25, 0, -0.5}, robot::FlipperAngles{1, 1, 0, 0}}}),
      R"({"command":"drive","number":10,"v_mps":0.25,"vy_mps":0.0,"w_radps":-0.5,"flippers_rad":[1.0,1.0,0.0,0.0]})");
  EXPECT_EQ(write_robot_command({11, {CommandKind::drive, {}, {}}, true}),
            R"({"command":"drive","number":11,"v_mps":0.0,"vy_mps":0.0,"w_radps":0.0,"reason":"timeout"})");
  for (const RobotCommand& command :
       {RobotCommand{7, {CommandKind::goal, {1.5, 2}, {}}}, RobotCommand{UINT64_MAX, {CommandKind::stop, {}, {}}},
        RobotCommand{11, {CommandKind::drive, {}, {1, 2, 3}}, true}}) {
    const auto back = parse_robot_command(write_robot_command(command));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->number, command.number);
    EXPECT_EQ(back->command.kind, command.command.kind);
    EXPECT_EQ(back->command.goal, command.command.goal);
    EXPECT_EQ(back->command.velocity, command.command.velocity);
    EXPECT_EQ(back->timeout, command.timeout);
  }
  EXPECT_EQ(parse_robot_command(R"({"command":"fly","number":1})").error().message,
            R"(command is "fly", but must be goal, cancel, stop, drive or start)");
  EXPECT_EQ(parse_robot_command(R"({"command":"stop","number":-1})").error().message,
            "number is -1, but must be a whole number, 0 or more");
  EXPECT_EQ(parse_robot_command(R"({"command":"stop","number":1,"x_m":1})").error().message,
            R"("x_m" is no field that may stand here)");
}

}  // namespace
}  // namespace forerun::net
