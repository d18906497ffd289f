// What stands in a recording: one channel a kind of message, JSON with SI units in its names (docs/recording.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/record/mcap_writer.hpp"
#include "forerun/web/page_sink.hpp"

namespace forerun::record {

// In the order of `recorded_channels`.
enum class Recorded : std::size_t { model, report, truth, prediction, link, command, outcome, demo };
[[nodiscard]] const std::vector<record::McapChannel>& recorded_channels();
[[nodiscard]] const std::string& topic_of(Recorded kind);

struct RecordedModel {
  std::uint32_t robot = 1;
  web::RobotCard card;
  std::vector<std::uint8_t> bundle;
};
struct RecordedReport {
  std::uint32_t robot = 1;
  robot::Report report;
  RobotTime robot_now;                      // what its clock said when the report had come
  std::vector<std::uint8_t> sections = {};  // as they came
};
struct RecordedTruth {
  std::uint32_t robot = 1;
  RobotTime time;
  Pose2 pose;
};
struct RecordedPrediction {
  std::uint32_t robot = 1;
  predict::Prediction prediction;
};
struct RecordedLink {
  std::uint32_t robot = 1;
  web::PageLink link;
};
struct RecordedCommand {
  std::uint32_t robot = 1;
  std::uint32_t number = 0;
  robot::Command command;
};
struct RecordedOutcome {
  std::uint32_t robot = 1;
  web::PageOutcome outcome;
};

[[nodiscard]] std::string write_recorded(const RecordedModel& model);
[[nodiscard]] std::string write_recorded(const RecordedReport& report);
[[nodiscard]] std::string write_recorded(const RecordedTruth& truth);
[[nodiscard]] std::string write_recorded(const RecordedPrediction& recorded);
[[nodiscard]] std::string write_recorded(const RecordedLink& link);
[[nodiscard]] std::string write_recorded(const RecordedCommand& command);
[[nodiscard]] std::string write_recorded(const RecordedOutcome& outcome);
[[nodiscard]] std::string write_recorded(const web::DemoSettings& settings);

// Of what a replay needs. One sentence where it is none.
[[nodiscard]] Result<RecordedModel> parse_recorded_model(std::string_view text);
[[nodiscard]] Result<RecordedReport> parse_recorded_report(std::string_view text);
[[nodiscard]] Result<RecordedTruth> parse_recorded_truth(std::string_view text);
[[nodiscard]] Result<RecordedLink> parse_recorded_link(std::string_view text);
[[nodiscard]] Result<RecordedOutcome> parse_recorded_outcome(std::string_view text);
[[nodiscard]] Result<web::DemoSettings> parse_recorded_demo(std::string_view text);

}  // namespace forerun::record
