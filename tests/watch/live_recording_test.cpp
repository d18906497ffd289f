// What a recording holds when several robots are watched.
#include "forerun/watch/live_recording.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "forerun/record/mcap_reader.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/support/outings.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::watch {
namespace {

using nlohmann::json;

std::map<std::string, std::vector<json>> messages_of(const std::string& path) {
  std::map<std::string, std::vector<json>> found;
  auto reader = record::McapReader::open(path);
  EXPECT_TRUE(reader) << reader.error().message;
  for (std::size_t i = 0; reader && i < reader->chunks().size(); ++i) {
    const auto messages = reader->read(i);
    for (const record::McapMessage& message : *messages) {
      found[reader->channels().at(message.channel).topic].push_back(json::parse(message.data));
    }
  }
  return found;
}

// Robot n of model 10 n stands at x = 2 n; its clock began at 1000 n s.
struct Watched {
  explicit Watched(LiveRecording& recording) : live(recording) {
    for (const std::uint32_t number : {1u, 2u}) {
      live.set_robot(number, {.name = "somewhere"});
      live.put_model(10 * number, sim::pack_model(make_hall(), make_hall_robot()));
      live.set_robot(number, {.name = "robot", .world = "hall", .model = 10 * number});
    }
  }
  void report(std::uint32_t number) {
    robot::Report report;
    report.model = 10 * number;
    report.time = RobotTime{} + from_seconds(1000.0 * number);
    report.state.pose = {2.0 * number, 1.5, 0};
    live.report(number, {report, *sync::encode_report(report)}, report.time);
  }
  LiveRecording& live;
};

TEST(LiveRecording, HoldsEveryRobotWithItsModelAndItsPrediction) {
  const test::TempFolder folder;
  const auto recording = std::move(*record::Recording::open(folder.file("two.mcap")));
  LiveRecording live(*recording, nullptr);
  Watched watched(live);
  watched.report(1);
  watched.report(2);
  live.look();
  ASSERT_TRUE(recording->close());
  auto found = messages_of(folder.file("two.mcap"));
  ASSERT_EQ(found["/model"].size(), 2u);
  ASSERT_EQ(found["/prediction"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const double number = static_cast<double>(i + 1);
    EXPECT_EQ(found["/model"][i]["robot"], number);
    EXPECT_EQ(found["/model"][i]["model"], i == 0 ? "000000000000000a" : "0000000000000014");
    const json& prediction = found["/prediction"][i];
    EXPECT_EQ(prediction["robot"], number);
    EXPECT_NEAR(prediction["predicted"]["x_m"].get<double>(), 2 * number, 0.01);
    EXPECT_GE(prediction["t_s"], 1000 * number);
    EXPECT_LT(prediction["t_s"], 1000 * number + 100);
  }
}

// The first report names the model, which is fetched then: what it said counts as soon as the model is here.
TEST(LiveRecording, PredictsFromTheReportThatCameBeforeTheModel) {
  const test::TempFolder folder;
  const auto recording = std::move(*record::Recording::open(folder.file("before.mcap")));
  LiveRecording live(*recording, nullptr);
  robot::Report report;
  report.model = 10;
  report.state.pose = {2, 1.5, 0};
  live.report(1, {report, *sync::encode_report(report)}, report.time);
  live.put_model(10, sim::pack_model(make_hall(), make_hall_robot()));
  live.set_robot(1, {.name = "robot", .world = "hall", .model = 10});
  live.look();
  ASSERT_TRUE(recording->close());
  auto found = messages_of(folder.file("before.mcap"));
  ASSERT_EQ(found["/prediction"].size(), 1u);
  EXPECT_NEAR(found["/prediction"][0]["predicted"]["x_m"].get<double>(), 2, 0.01);
}

// A robot that says which model it has once more, or whose model comes once more, has it in the recording once.
TEST(LiveRecording, WritesAModelOnceForEachRobot) {
  const test::TempFolder folder;
  const auto recording = std::move(*record::Recording::open(folder.file("once.mcap")));
  LiveRecording live(*recording, nullptr);
  const Watched first(live), again(live);
  ASSERT_TRUE(recording->close());
  EXPECT_EQ(messages_of(folder.file("once.mcap"))["/model"].size(), 2u);
}

// What a viewer knows of the plan is in all its reports; what was said is in some.
TEST(LiveRecording, APlanStandsWhereTheRobotSaidIt) {
  const test::TempFolder folder;
  const auto recording = std::move(*record::Recording::open(folder.file("plan.mcap")));
  LiveRecording live(*recording, nullptr);
  const Watched watched(live);
  robot::Report report;
  report.robot = 1;
  report.model = 10;
  report.planned_path.emplace();
  report.planned_path->push_back({1.5, -2.345});
  const auto said = *sync::encode_report(report);
  live.report(1, {report, said}, report.time);
  robot::Report silent = report;
  silent.planned_path.reset();
  live.report(1, {report, *sync::encode_report(silent)}, report.time);
  ASSERT_TRUE(recording->close());
  const auto reports = messages_of(folder.file("plan.mcap"))["/report"];
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0]["plan"].dump(), "[[1.5,-2.345]]");
  EXPECT_FALSE(reports[1].contains("plan"));
  const auto back = record::parse_recorded_report(reports[0].dump());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->report.planned_path, report.planned_path);
  EXPECT_EQ(sync::encode_report(back->report, back->sections), said);
}

}  // namespace
}  // namespace forerun::watch
