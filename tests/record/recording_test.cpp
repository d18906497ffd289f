// Recordings as a user makes them, and the page on a recording: real programs, a real WebSocket.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "forerun/io/file.hpp"
#include "forerun/record/mcap_reader.hpp"
#include "forerun/record/messages.hpp"
#include "forerun/record/recording.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/link_programs.hpp"
#include "tests/app/page_client.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

using record::Recorded;

// A short drive: one goal in the next room.
const char* const kScenario =
    "name: short\nworld: bonn-office\nrobot: rhino\nstart: [3, 1.25, 0]\n"
    "goals:\n  - {name: there, at: [11.3, 1.25]}\ntime_limit_s: 60\n";

std::map<std::string, std::vector<json>> messages_of(const std::string& path, bool* cut_off = nullptr) {
  std::map<std::string, std::vector<json>> found;
  auto reader = record::McapReader::open(path);
  EXPECT_TRUE(reader) << reader.error().message;
  if (!reader) return found;
  for (std::size_t i = 0; i < reader->chunks().size(); ++i) {
    const auto messages = reader->read(i);
    for (const record::McapMessage& message : *messages) {
      found[reader->channels().at(message.channel).topic].push_back(json::parse(message.data));
    }
  }
  if (cut_off != nullptr) *cut_off = reader->cut_off();
  return found;
}

// One drive for all tests that only look at it.
const std::string& recorded_drive() {
  static const TempFolder folder;
  static const std::string path = [] {
    folder.write("short.yaml", kScenario);
    const Outcome outcome = run_forerun({"sim", "--scenario", "short.yaml", "--seed", "5", "--record", "drive.mcap"},
                                        {.folder = folder.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("recording: drive.mcap"), std::string::npos);
    return folder.file("drive.mcap");
  }();
  return path;
}

TEST(RecordingMessages, WhatAReplayNeedsIsReadAsItWasWritten) {
  record::RecordedReport report;
  report.report.model = 0xfedcba9876543210;
  report.report.sequence = 41;
  report.report.robot = 1;
  report.report.time = {1'700'000'000'123'456'000};
  report.report.state = {{1.25, -2.5, 0.75}, {0.3, 0, -0.1}};
  report.report.goal = Vec2{3, 4};
  report.report.odometry = Pose2{1, 2, 30};
  report.report.task = robot::TaskState::driving;
  report.robot_now = {1'700'000'001'000'000'000};
  const auto back = record::parse_recorded_report(record::write_recorded(report));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(record::write_recorded(*back), record::write_recorded(report));
  EXPECT_EQ(back->report.model, report.report.model);
  EXPECT_EQ(back->report.time, report.report.time);
  EXPECT_EQ(back->robot_now, report.robot_now);
  EXPECT_EQ(record::write_recorded(report).find("sections"), std::string::npos);
  report.sections = {9, 2, 0, 1, 2};
  EXPECT_EQ(record::parse_recorded_report(record::write_recorded(report))->sections, report.sections);
  report.sections.pop_back();
  EXPECT_FALSE(record::parse_recorded_report(record::write_recorded(report)));

  record::RecordedLink link{
      1, {.age = 1.5, .loss = 0.25, .clock_offset = -3.5, .state = "open", .warnings = {{"late", "x"}}}};
  const auto link_back = record::parse_recorded_link(record::write_recorded(link));
  ASSERT_TRUE(link_back) << link_back.error().message;
  EXPECT_EQ(record::write_recorded(*link_back), record::write_recorded(link));
  EXPECT_FALSE(link_back->link.round_trip);

  const record::RecordedOutcome outcome{
      1, {.number = 7, .kind = robot::CommandKind::goal, .state = "refused", .text = "no"}};
  const auto outcome_back = record::parse_recorded_outcome(record::write_recorded(outcome));
  ASSERT_TRUE(outcome_back) << outcome_back.error().message;
  EXPECT_EQ(record::write_recorded(*outcome_back), record::write_recorded(outcome));

  const web::DemoSettings demo{.loss = 0.5, .blackout = true, .reality = "crowded"};
  EXPECT_EQ(*record::parse_recorded_demo(record::write_recorded(demo)), demo);
  const record::RecordedTruth truth{1, {5'000'000'000}, {1.5, 2.5, -1}};
  EXPECT_EQ(record::parse_recorded_truth(record::write_recorded(truth))->pose, truth.pose);
  const record::RecordedModel model{2, {.name = "r", .world = "w", .model = 7}, {1, 2, 3}};
  const auto model_back = record::parse_recorded_model(record::write_recorded(model));
  ASSERT_TRUE(model_back) << model_back.error().message;
  EXPECT_EQ(model_back->robot, 2u);
  EXPECT_EQ(model_back->bundle, model.bundle);
}

// Before 0.3.0 there was only one.
TEST(RecordingMessages, AModelThatDoesNotSayWhoseItIsIsTheFirstRobots) {
  json model = json::parse(record::write_recorded(record::RecordedModel{2, {.name = "r", .model = 7}, {1, 2, 3}}));
  model.erase("robot");
  EXPECT_EQ(record::parse_recorded_model(model.dump())->robot, 1u);
  model["robot"] = 4e9;
  EXPECT_FALSE(record::parse_recorded_model(model.dump()));
}

TEST(RecordingMessages, TheSchemaOfAReportNamesAllThatIsWritten) {
  record::RecordedReport report;
  report.report.odometry = Pose2{1, 2, 3};
  report.report.planned_path.emplace();
  report.report.wheels.emplace();
  report.report.mission.emplace();
  report.sections = {9, 0, 0};
  const json written = json::parse(record::write_recorded(report));
  const json schema =
      json::parse(record::recorded_channels()[static_cast<std::size_t>(record::Recorded::report)].schema);
  for (const auto& [name, value] : written.items()) EXPECT_TRUE(schema["properties"].contains(name)) << name;
  for (const auto& [name, type] : schema["properties"].items()) {
    EXPECT_TRUE(written.contains(name)) << name;
    EXPECT_NE(type.value("description", ""), "") << name;
  }
}

TEST(RecordingMessages, NonsenseIsRefused) {
  for (const char* text : {"", "[]", "3", "{", "{\"robot\":1}", "{\"robot\":-1,\"number\":1e300}"}) {
    EXPECT_FALSE(record::parse_recorded_report(text));
    EXPECT_FALSE(record::parse_recorded_link(text));
    EXPECT_FALSE(record::parse_recorded_outcome(text));
    EXPECT_FALSE(record::parse_recorded_demo(text));
    EXPECT_FALSE(record::parse_recorded_truth(text));
    EXPECT_FALSE(record::parse_recorded_model(text));
  }
}

TEST(Recording, ASimulationHoldsModelReportsTruthAndPredictions) {
  auto found = messages_of(recorded_drive());
  ASSERT_EQ(found["/model"].size(), 1u);
  const auto model = record::parse_recorded_model(found["/model"][0].dump());
  ASSERT_TRUE(model);
  EXPECT_EQ(record::make_recorded_model(model->card, model->bundle).card.model, model->card.model);
  EXPECT_EQ(sim::unpack_model(model->bundle)->robot.name, model->card.name);
  EXPECT_GT(found["/report"].size(), 10u);
  EXPECT_EQ(found["/truth"].size(), found["/prediction"].size());
  EXPECT_NEAR(static_cast<double>(found["/truth"].size()), 10.0 * static_cast<double>(found["/report"].size()), 12);
}

constexpr std::size_t kSomeSeconds = 150'000;  // of such a drive [bytes]

void await_size(const std::string& path, std::size_t size) {
  const auto has_grown = [&] {
    std::error_code missing;
    const auto now = std::filesystem::file_size(path, missing);
    return !missing && now >= size;
  };
  EXPECT_TRUE(wait_until(has_grown)) << path << " does not grow";
}

TEST(Recording, CtrlCLeavesAWholeFileAndKillAReadableOne) {
  const TempFolder folder;
  const std::vector<std::string> slow{"sim", "--scenario", "office-delivery", "--pace", "4", "--record", "r.mcap"};
  Background stopped(forerun_command(slow), {.folder = folder.path()});
  await_size(folder.file("r.mcap"), kSomeSeconds);
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.finish(), 130);
  bool cut_off = true;
  EXPECT_GT(messages_of(folder.file("r.mcap"), &cut_off)["/truth"].size(), 10u);
  EXPECT_FALSE(cut_off);
  auto again = slow;
  again.back() = "k.mcap";
  Background killed(forerun_command(again), {.folder = folder.path()});
  await_size(folder.file("k.mcap"), kSomeSeconds);
  killed.signal(SIGKILL);
  EXPECT_EQ(killed.finish(), 128 + SIGKILL);
  EXPECT_GT(messages_of(folder.file("k.mcap"), &cut_off)["/truth"].size(), 3u);
  EXPECT_TRUE(cut_off);
}

TEST(Recording, WhatCannotBeWrittenIsSaid) {
  const std::vector<std::string> sim{"sim", "--scenario", "office-delivery", "--record"};
  for (const char* path : {"/dev/full", "/nowhere/r.mcap", "/", "-", ""}) {
    auto command = sim;
    command.emplace_back(path);
    expect_bad_input(run_forerun(command), {*path == '/' ? path : "--record"});
  }
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--record", "a", "--log", "a"}),
                   {"--log and --record", "same file"});
  expect_bad_input(run_forerun({"demo", "--no-open", "--record", "/nowhere/r.mcap"}), {"/nowhere/r.mcap"});
  // no room left on the way: said once, and the drive goes on
  const TempFolder folder;
  std::vector<std::string> limited{"bash", "-c", "ulimit -f 200; exec \"$@\"", "bash"};
  for (const std::string& word : forerun_command({"sim", "--scenario", "office-delivery", "--record", "r.mcap"})) {
    limited.push_back(word);
  }
  const Outcome outcome = run_process(limited, {.folder = folder.path()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("5 of 5 goals"), std::string::npos);
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  EXPECT_NE(outcome.err.find("r.mcap cannot be written"), std::string::npos) << outcome.err;
  EXPECT_GT(messages_of(folder.file("r.mcap"))["/truth"].size(), 10u);
}

TEST(Recording, AHeadlessViewerRecordsWhatItReceivesAndWhatItIsTold) {
  Link link;
  link.serve();
  link.view(link.server_address, {"--record", link.folder.file("v.mcap")});
  const auto verified = [](const json& line) {
    return line.contains("model") && line["model"]["status"] == "verified" && line["prediction"].is_object();
  };
  ASSERT_TRUE(link.await(verified, 30).is_object());
  link.viewer->write_line("{\"command\":\"stop\"}");
  const auto stopped = [](const json& line) {
    return !line["commands"].empty() && line["commands"][0]["state"] == "executed";
  };
  ASSERT_TRUE(link.await(stopped, 20).is_object());
  link.viewer->signal(SIGINT);
  EXPECT_EQ(link.viewer->finish(), 130);
  bool cut_off = true;
  auto found = messages_of(link.folder.file("v.mcap"), &cut_off);
  EXPECT_FALSE(cut_off);
  EXPECT_EQ(found["/model"].size(), 1u);
  EXPECT_GT(found["/report"].size(), 3u);
  EXPECT_GE(found["/prediction"].size(), 1u);
  EXPECT_GE(found["/link"].size(), 1u);
  EXPECT_EQ(found["/truth"].size(), 0u) << "nobody knows it";
  ASSERT_EQ(found["/command"].size(), 1u);
  EXPECT_EQ(found["/command"][0]["command"], "stop");
  ASSERT_EQ(found["/outcome"].size(), 2u);
  EXPECT_EQ(found["/outcome"][0]["state"], "sent");
  EXPECT_EQ(found["/outcome"][1]["state"], "confirmed");
}

TEST(Recording, ARelayRecordsAllItsRobots) {
  Link one, two;
  EXPECT_EQ(
      run_forerun({"keys", "allow", one.desk_key, "--role", "watch", "--keys", two.folder.file("robot")}).exit_code, 0);
  one.serve();
  two.serve();
  const std::string path = one.folder.file("relay.mcap");
  Background relay(
      forerun_command({"relay", one.robot_key + "@" + one.server_address, two.robot_key + "@" + two.server_address,
                       "--keys", one.folder.file("desk"), "--listen", "127.0.0.1:0", "--record", path}));
  PageClient page(await_page(relay));
  const auto has_models = [](const json& m) {
    if (m["type"] != "hello" || m["robots"].size() != 2) return false;
    return !m["robots"][0]["model"].get<std::string>().empty() && !m["robots"][1]["model"].get<std::string>().empty();
  };
  ASSERT_TRUE(page.await(has_models, 30).is_object());
  // a second later both were reported and predicted
  const auto first = page.await_report([](const robot::Report&) { return true; });
  ASSERT_TRUE(first);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(page.await_binary(2).size(), 16u);
  relay.signal(SIGINT);
  EXPECT_EQ(relay.finish(), 130);
  auto found = messages_of(path);
  for (const char* topic : {"/model", "/report", "/prediction", "/link"}) {
    std::map<int, int> n;
    for (const json& message : found[topic]) ++n[message["robot"].get<int>()];
    EXPECT_EQ(n.size(), 2u) << topic;
    EXPECT_GT(n[1], 0) << topic;
    EXPECT_GT(n[2], 0) << topic;
  }
  EXPECT_EQ(found["/model"].size(), 2u);
}

TEST(Recording, ADemoHoldsWhatItsPageIsToldAndAsks) {
  const TempFolder folder;
  Background demo(forerun_command({"demo", "--no-open", "--page-port", "0", "--reality", "exact", "--loss", "0",
                                   "--delay-s", "0.01", "--interval-s", "0.1", "--record", folder.file("d.mcap")}));
  PageClient page(await_page(demo));
  ASSERT_TRUE(page.await_report([](const robot::Report& r) { return r.task == robot::TaskState::driving; }));
  page.say({{"type", "goal"}, {"robot", 1}, {"x", 3.0}, {"y", 1.25}});
  ASSERT_TRUE(page.await_outcome("goal", "confirmed").is_object());
  page.say({{"type", "demo"}, {"loss", 0.25}});
  ASSERT_TRUE(page.await([](const json& m) { return m["type"] == "demo" && m["loss"] == 0.25; }).is_object());
  page.say({{"type", "replay"}, {"at_s", 1}});
  EXPECT_NE(page.await_type("outcome").dump().find("no recording"), std::string::npos);
  demo.signal(SIGINT);
  EXPECT_EQ(demo.finish(), 130);
  auto found = messages_of(folder.file("d.mcap"));
  EXPECT_EQ(found["/demo"].front()["loss"], 0);
  EXPECT_EQ(found["/demo"].back()["loss"], 0.25);
  EXPECT_EQ(found["/command"][0]["x_m"], 3.0);
  EXPECT_EQ(found["/outcome"].back()["state"], "confirmed");
  EXPECT_GT(found["/truth"].size(), 0u);
}

}  // namespace
}  // namespace forerun::test
