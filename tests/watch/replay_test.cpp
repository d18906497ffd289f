// `forerun view --replay`: the page on a recording, over a real WebSocket.
#include <gtest/gtest.h>

#include <csignal>
#include <map>

#include "forerun/io/file.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/record/recording.hpp"
#include "forerun/robot/description_bytes.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/world/world_bytes.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/page_client.hpp"
#include "tests/support/outings.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

// One drive for all tests, recorded in virtual time from 0 on: report n is of second n.
const std::string& recorded_drive() {
  static const TempFolder folder;
  static const std::string path = [] {
    const Outcome outcome = run_forerun({"sim", "--scenario", "office-delivery", "--seed", "5", "--reality", "exact",
                                         "--record", folder.file("drive.mcap")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return folder.file("drive.mcap");
  }();
  return path;
}

struct Player {
  explicit Player(const std::string& path)
      : program(forerun_command({"view", "--replay", path, "--no-open", "--page-port", "0"})),
        port(await_page(program)),
        page(port) {}

  // Where it stands when it satisfies.
  json await_state(const std::function<bool(const json&)>& wanted) {
    return page.await([&](const json& m) { return m["type"] == "replay" && wanted(m); });
  }
  json await_jump() {
    const json found = await_state([&](const json& m) { return m["jump"] > jump; });
    if (found.is_object()) jump = found["jump"];
    return found;
  }

  Background program;
  std::uint16_t port;
  PageClient page;
  int jump = 1;
};

const auto any_report = [](const robot::Report&) { return true; };

TEST(Replay, TellsThePageTheModelAndPlaysTheReports) {
  Player player(recorded_drive());
  const json hello = player.page.await_type("hello");
  ASSERT_TRUE(hello.is_object());
  EXPECT_EQ(hello["mode"], "replay");
  EXPECT_EQ(hello["first_time_s"], 0);
  EXPECT_GT(hello["last_time_s"], 200);
  const std::string model = hello["robots"][0]["model"];
  const WebReply bundle = WebClient(player.port).get("/model/" + model);
  ASSERT_EQ(bundle.status, 200);
  EXPECT_TRUE(sim::unpack_model(PageClient::bytes_of(bundle.body)));
  const json state = player.page.await_type("replay");
  EXPECT_EQ(state["paused"], false);
  EXPECT_EQ(state["pace"], 1);
  EXPECT_EQ(state["duration_s"], hello["last_time_s"]);
  const auto first = player.page.await_report(any_report);
  ASSERT_TRUE(first);
  const auto next = player.page.await_report([&](const robot::Report& r) { return r.sequence > first->sequence; });
  ASSERT_TRUE(next);
  EXPECT_EQ(next->sequence, first->sequence + 1) << "each has its place";
  EXPECT_EQ(player.page.await_binary(3).size(), 40u) << "the truth";
  EXPECT_EQ(player.page.await_binary(2).size(), 16u) << "the clock";
  player.program.signal(SIGINT);
  EXPECT_EQ(player.program.finish(), 130);
}

TEST(Replay, AfterAJumpTheReportsBeforeItComeFirst) {
  Player player(recorded_drive());
  player.page.say({{"type", "replay"}, {"at_s", 100.5}, {"paused", true}});
  const json state = player.await_jump();
  ASSERT_TRUE(state.is_object());
  EXPECT_NEAR(state["at_s"].get<double>(), 100.5, 1e-6);
  // those of the seconds before, in their order, for the predictor to learn from; then nothing more
  for (std::uint32_t sequence = 81; sequence <= 100; ++sequence) {
    const auto report = player.page.await_report(any_report);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->sequence, sequence);
    EXPECT_NEAR(to_seconds(report->time), sequence, 0.01);
  }
  EXPECT_EQ(player.page.await_type("replay")["paused"], true);
  // the clock rests with it
  const std::string clock = player.page.await_binary(2);
  ByteReader reader(PageClient::bytes_of(clock).subspan(8));
  EXPECT_NEAR(static_cast<double>(reader.i64()) * 1e-9, 100.5, 0.001);
  player.page.say({{"type", "replay"}, {"paused", false}});
  EXPECT_EQ(player.page.await_report(any_report)->sequence, 101u);
}

TEST(Replay, WhoComesLaterLearnsFromTheSameReports) {
  Player player(recorded_drive());
  player.page.say({{"type", "replay"}, {"at_s", 50.5}, {"paused", true}});
  ASSERT_TRUE(player.await_jump().is_object());
  PageClient late(player.port);
  EXPECT_EQ(late.await_type("replay")["paused"], true);
  for (std::uint32_t sequence = 31; sequence <= 50; ++sequence) {
    EXPECT_EQ(late.await_report(any_report)->sequence, sequence);
  }
}

TEST(Replay, GoesBackAndRunsFasterAndRestsAtTheEnd) {
  Player player(recorded_drive());
  player.page.say({{"type", "replay"}, {"at_s", 1e6}});
  const json end = player.await_jump();
  ASSERT_TRUE(end.is_object());
  EXPECT_EQ(end["at_s"], end["duration_s"]);
  EXPECT_TRUE(player.await_state([](const json& m) { return m["paused"] == true; }).is_object());
  player.page.say({{"type", "replay"}, {"at_s", 10.5}, {"pace", 8}, {"paused", false}});
  ASSERT_TRUE(player.await_jump().is_object());
  const json later = player.await_state([](const json& m) { return m["at_s"] > 12; });
  EXPECT_EQ(later["pace"], 8);
  EXPECT_EQ(later["jump"], player.jump) << "playing is no jump";
  // who plays on at the end sees it again
  player.page.say({{"type", "replay"}, {"at_s", 1e6}});
  ASSERT_TRUE(player.await_jump().is_object());
  ASSERT_TRUE(player.await_state([](const json& m) { return m["paused"] == true; }).is_object());
  player.page.say({{"type", "replay"}, {"paused", false}});
  EXPECT_LT(player.await_jump()["at_s"], 1);
}

// Robots with a model each, each by its own clock: robot n reports itself at x = n once a second.
void record_robots(const std::string& path, const std::vector<std::uint32_t>& numbers) {
  const auto recording = std::move(*record::Recording::open(path));
  for (const std::uint32_t number : numbers) {
    robot::Description robot = make_hall_robot();
    robot.name = "number " + std::to_string(number);
    auto model = record::make_recorded_model({.name = robot.name, .world = "hall", .model = 0},
                                             sim::pack_model(make_hall(), robot));
    model.robot = number;
    recording->write(record::Recorded::model, 0, 0, model);
  }
  for (std::uint32_t second = 0; second < 60; ++second) {
    for (const std::uint32_t number : numbers) {
      const std::int64_t log_time = from_seconds(second).ns;
      robot::Report report;
      report.robot = number;
      report.sequence = second;
      report.time = RobotTime{log_time + from_seconds(1000.0 * number).ns};
      report.state.pose.x = number;
      recording->write(record::Recorded::report, log_time, report.time.ns,
                       record::RecordedReport{number, report, report.time});
      recording->write(record::Recorded::truth, log_time, report.time.ns,
                       record::RecordedTruth{number, report.time, report.state.pose});
    }
  }
  EXPECT_TRUE(recording->close());
}

// A relay's robot 1 was never there while robot 2 was recorded.
TEST(Replay, ShowsNoRobotThatIsNotInTheRecording) {
  const TempFolder folder;
  record_robots(folder.file("second.mcap"), {2});
  Player player(folder.file("second.mcap"));
  const json hello = player.page.await_type("hello");
  ASSERT_EQ(hello["robots"].size(), 1u) << hello;
  EXPECT_EQ(hello["robots"][0]["id"], 2);
  EXPECT_EQ(player.page.await_report(any_report)->robot, 2u);
}

TEST(Replay, PlaysEveryRobotWithItsOwnModelAndClock) {
  const TempFolder folder;
  record_robots(folder.file("pair.mcap"), {1, 2});
  Player player(folder.file("pair.mcap"));
  const json hello = player.page.await([](const json& m) {
    return m["type"] == "hello" && m["robots"].size() == 2 && !m["robots"][1]["model"].get<std::string>().empty();
  });
  ASSERT_TRUE(hello.is_object());
  EXPECT_EQ(hello["robots"][0]["name"], "number 1");
  EXPECT_EQ(hello["robots"][1]["name"], "number 2");
  EXPECT_NE(hello["robots"][0]["model"], hello["robots"][1]["model"]);
  for (const json& robot : hello["robots"]) {
    EXPECT_EQ(WebClient(player.port).get("/model/" + robot["model"].get<std::string>()).status, 200);
  }
  player.page.say({{"type", "replay"}, {"at_s", 40.5}, {"paused", true}});
  ASSERT_TRUE(player.await_jump().is_object());
  // of each robot what a predictor learns from
  for (const std::uint32_t number : {1u, 2u}) {
    for (std::uint32_t sequence = 21; sequence <= 40; ++sequence) {
      const auto report = player.page.await_report(any_report);
      ASSERT_TRUE(report);
      EXPECT_EQ(report->robot, number);
      EXPECT_EQ(report->sequence, sequence);
      EXPECT_EQ(report->state.pose.x, number);
    }
  }
  // and of each its clock
  std::map<std::uint32_t, double> clocks;
  for (int i = 0; i < 20 && clocks.size() < 2; ++i) {
    const std::string clock = player.page.await_binary(2);
    ByteReader reader(PageClient::bytes_of(clock).subspan(4));
    const std::uint32_t number = reader.u32();
    clocks[number] = static_cast<double>(reader.i64()) * 1e-9;
  }
  EXPECT_NEAR(clocks[1], 1040.5, 0.001);
  EXPECT_NEAR(clocks[2], 2040.5, 0.001);
}

// A recording with nothing but this model and one report.
void write_recording(const std::string& path, const record::RecordedModel& model) {
  const auto recording = std::move(*record::Recording::open(path));
  recording->write(record::Recorded::model, 0, 0, model);
  recording->write(record::Recorded::report, 0, 0, record::RecordedReport{1, {}, {}});
  EXPECT_TRUE(recording->close());
}

TEST(Replay, RecordingsOfEarlierVersionsAreRefusedInOneSentence) {
  const TempFolder folder;
  const std::vector<std::uint8_t> world = world::to_bytes(make_hall());
  std::vector<std::uint8_t> robot = robot::to_bytes(make_hall_robot());
  robot[0] = 1;  // the version of 0.1 and 0.2
  record::RecordedModel model{.robot = 1, .card = {.name = "r", .world = "hall"}, .bundle = {}};
  model.bundle = sim::join_model(world, robot);
  model.card.model = sync::object_of(net::SodiumCipher().hash(model.bundle));  // as they numbered it
  write_recording(folder.file("old.mcap"), model);
  expect_bad_input(run_forerun({"view", "--replay", folder.file("old.mcap"), "--no-open", "--page-port", "0"}),
                   {"old.mcap", "/model", "the robot", "version is 1, but must be 2"});
}

TEST(Replay, AModelThatDoesNotMatchItsNumberIsRefused) {
  const TempFolder folder;
  auto model = record::make_recorded_model({.name = "r", .world = "hall", .model = 0},
                                           sim::pack_model(make_hall(), make_hall_robot()));
  write_recording(folder.file("right.mcap"), model);
  const auto replay = [&](const char* name) {
    return run_forerun({"view", "--replay", folder.file(name), "--no-open", "--page-port", "0", "--for-s", "0.1"});
  };
  EXPECT_EQ(replay("right.mcap").exit_code, 0);
  model.card.model = sync::object_of(net::SodiumCipher().hash(model.bundle));  // as before version 0.3.0
  write_recording(folder.file("wrong.mcap"), model);
  expect_bad_input(replay("wrong.mcap"), {"wrong.mcap", "does not match its number"});
}

TEST(Replay, NothingInItCanBeChanged) {
  Player player(recorded_drive());
  for (const json& message : {json{{"type", "stop"}, {"robot", 1}}, json{{"type", "demo"}, {"loss", 1}}}) {
    player.page.say(message);
    const json answer = player.page.await_type("outcome");
    EXPECT_EQ(answer["state"], "refused");
    EXPECT_NE(answer.dump().find("recording"), std::string::npos);
  }
  player.page.say({{"type", "replay"}, {"pace", -1}});
  EXPECT_NE(player.page.await_type("outcome").dump().find("pace must be"), std::string::npos);
}

TEST(Replay, ACutRecordingPlaysAndSaysSo) {
  const TempFolder folder;
  const std::string whole = *io::read_file(recorded_drive(), std::size_t{64} << 20);
  folder.write("cut.mcap", whole.substr(0, whole.size() / 2));
  const Outcome outcome =
      run_forerun({"view", "--replay", folder.file("cut.mcap"), "--no-open", "--page-port", "0", "--for-s", "0.3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("cut off"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
}

TEST(Replay, BadInputIsNamed) {
  const TempFolder folder;
  const auto refuse = [&](const std::string& path, const std::vector<std::string>& words) {
    expect_bad_input(run_forerun({"view", "--replay", path, "--no-open", "--page-port", "0"}), words);
  };
  refuse(folder.file("no.mcap"), {"no.mcap does not exist"});
  refuse(folder.path(), {"ordinary file"});
  refuse(folder.write("text.mcap", "hello"), {"text.mcap is no MCAP recording"});
  std::string damaged = *io::read_file(recorded_drive(), std::size_t{64} << 20);
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  refuse(folder.write("damaged.mcap", damaged), {"damaged.mcap is damaged at byte"});
  expect_bad_input(run_forerun({"view", "--replay", recorded_drive(), "--connect", "localhost:1"}),
                   {"--replay", "--connect"});
  expect_bad_input(run_forerun({"view", "--replay", recorded_drive(), "--headless"}), {"--replay", "--headless"});
  expect_bad_input(run_forerun({"view", "--server-key", "x"}), {"--connect is required"});
}

}  // namespace
}  // namespace forerun::test
