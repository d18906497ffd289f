// What stands in a recording: one channel a kind of message, JSON with SI units in its names (docs/recording.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/app/view_prediction.hpp"
#include "forerun/base/result.hpp"
#include "forerun/io/mcap_writer.hpp"
#include "forerun/net/page_sink.hpp"

namespace forerun::app {

// In the order of `recorded_channels`.
enum class Recorded : std::size_t { model, report, truth, prediction, link, command, outcome, demo };
[[nodiscard]] const std::vector<io::McapChannel>& recorded_channels();
[[nodiscard]] const std::string& topic_of(Recorded kind);

struct RecordedModel {
  net::RobotCard card;
  std::vector<std::uint8_t> bundle;
};
struct RecordedReport {
  std::uint32_t robot = 1;
  robot::Report report;
  RobotTime robot_now;  // what its clock said when the report had come
};
struct RecordedTruth {
  std::uint32_t robot = 1;
  RobotTime time;
  Pose2 pose;
};
struct RecordedPrediction {
  std::uint32_t robot = 1;
  RobotTime time;
  double gap = 0;  // since the newest report [s]
  Predicted predicted;
};
struct RecordedLink {
  std::uint32_t robot = 1;
  net::PageLink link;
};
struct RecordedCommand {
  std::uint32_t robot = 1;
  std::uint32_t number = 0;
  robot::Command command;
};
struct RecordedOutcome {
  std::uint32_t robot = 1;
  net::PageOutcome outcome;
};

[[nodiscard]] std::string write_recorded(const RecordedModel& model);
[[nodiscard]] std::string write_recorded(const RecordedReport& report);
[[nodiscard]] std::string write_recorded(const RecordedTruth& truth);
[[nodiscard]] std::string write_recorded(const RecordedPrediction& prediction);
[[nodiscard]] std::string write_recorded(const RecordedLink& link);
[[nodiscard]] std::string write_recorded(const RecordedCommand& command);
[[nodiscard]] std::string write_recorded(const RecordedOutcome& outcome);
[[nodiscard]] std::string write_recorded(const net::DemoSettings& settings);

// Of what a replay needs. One sentence where it is none.
[[nodiscard]] Result<RecordedModel> parse_recorded_model(std::string_view text);
[[nodiscard]] Result<RecordedReport> parse_recorded_report(std::string_view text);
[[nodiscard]] Result<RecordedTruth> parse_recorded_truth(std::string_view text);
[[nodiscard]] Result<RecordedLink> parse_recorded_link(std::string_view text);
[[nodiscard]] Result<RecordedOutcome> parse_recorded_outcome(std::string_view text);
[[nodiscard]] Result<net::DemoSettings> parse_recorded_demo(std::string_view text);

}  // namespace forerun::app
