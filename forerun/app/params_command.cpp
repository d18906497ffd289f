// Prints docs/params.md: every parameter struct's field list as a table, so that the page cannot differ from the code.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/bridge/kenaf_bridge.hpp"
#include "forerun/bridge/usarsim_server.hpp"
#include "forerun/changing/changes_study.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/clocks/lateness.hpp"
#include "forerun/driving/driving_study.hpp"
#include "forerun/estimate/calibrator.hpp"
#include "forerun/impair/profile.hpp"
#include "forerun/io/robot_writer.hpp"
#include "forerun/latency/latency_study.hpp"
#include "forerun/learn/calibration.hpp"
#include "forerun/learn/dead_time.hpp"
#include "forerun/learn/latency_drive.hpp"
#include "forerun/learn/replay.hpp"
#include "forerun/learn/search.hpp"
#include "forerun/learn/train_response.hpp"
#include "forerun/load/fanout.hpp"
#include "forerun/load/relay_bench.hpp"
#include "forerun/localize/monte_carlo.hpp"
#include "forerun/localize/scan_map.hpp"
#include "forerun/mapping/drive_map.hpp"
#include "forerun/mapping/floor_plan.hpp"
#include "forerun/mission/executor.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/mobility/comparison.hpp"
#include "forerun/mobility/trial.hpp"
#include "forerun/navigate/target_points.hpp"
#include "forerun/predict/certainty.hpp"
#include "forerun/predict/ensemble.hpp"
#include "forerun/predict/follower.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/predict/report_filter.hpp"
#include "forerun/predict/send_rule.hpp"
#include "forerun/predict/shown.hpp"
#include "forerun/predict/speed_learner.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/study/calibration_study.hpp"
#include "forerun/study/execution_study.hpp"
#include "forerun/study/link_study.hpp"
#include "forerun/study/log_study.hpp"
#include "forerun/study/mission_study.hpp"
#include "forerun/study/office_study.hpp"
#include "forerun/study/sending_study.hpp"
#include "forerun/study/sensitivity_study.hpp"
#include "forerun/sync/bulk.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/sync/clock_map.hpp"
#include "forerun/sync/command_gate.hpp"
#include "forerun/sync/command_sender.hpp"
#include "forerun/sync/greeter.hpp"
#include "forerun/sync/server.hpp"
#include "forerun/web/demo_settings.hpp"
#include "forerun/web/web_server.hpp"
#include "forerun/world/plan_grid.hpp"
#include "forerun/world/tiling.hpp"

namespace forerun::app {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string value_text(double value) { return number(value); }
std::string value_text(int value) { return std::to_string(value); }
std::string value_text(std::uint32_t value) { return std::to_string(value); }
std::string value_text(std::uint64_t value) { return std::to_string(value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(Duration value) { return number(to_seconds(value)); }
std::string value_text(const std::string& value) { return value; }
std::string value_text(const Pose2& value) {
  return number(value.x) + ", " + number(value.y) + ", " + number(value.theta);
}

std::string range_text(const Field& field) {
  if (field.low == field.high) return "";
  return number(field.low) + " … " + number(field.high);
}

// One table: the defaults are those of a freshly made struct.
template <class Params>
void add_table(std::string& page, const char* title) {
  page += std::string("\n## ") + title + "\n\n| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n";
  Params params;
  visit_fields(params, [&](const char* key, auto& value, const Field& field) {
    page += std::string("| `") + key + "` | " + value_text(value) + " | " + range_text(field) + " | " + field.about +
            " |\n";
  });
}

template <std::size_t... I>
void add_drive_tables(std::string& page, std::index_sequence<I...>) {
  (add_table<std::variant_alternative_t<I, robot::Geometry>>(
       page, (std::string("Robot: `drive` of type `") + robot::kDriveNames[I] + "`").c_str()),
   ...);
}

void add_file_tables(std::string& page) {
  add_drive_tables(page, std::make_index_sequence<std::variant_size_v<robot::Geometry>>{});
  add_table<robot::Limits>(page, "Robot: `limits`");
  add_table<robot::Control>(page, "Robot: `control`");
  robot::for_each_sensor_kind([&](const auto& sensor) {
    using Kind = std::decay_t<decltype(sensor)>;
    const std::string each = Kind::kKind.most > 1 ? "each of " : "";
    add_table<Kind>(page, ("Robot: " + each + "`" + Kind::kKind.key + "`").c_str());
  });
  add_table<robot::Crawler>(page, "Robot: `crawler`, tracks and flippers");
  add_table<robot::Eye>(page, "Robot: `camera`, and `crawler`'s `front_camera` and `above_camera`");
  add_table<io::Ros2Control>(page, "Robot: `ros2_control`, for other programs");
  add_table<impair::LinkProfile>(page, "Link profile");
  add_table<impair::LinkPath>(page, "Link profile: `both`, `up` and `down`");
  add_table<impair::Blackout>(page, "Link profile: each of `blackouts`");
}

void add_world_tables(std::string& page) {
  add_table<world::ProjectionParams>(page, "World: how it is seen from above, `ProjectionParams`");
  add_table<world::TilingParams>(page, "World: tiles of the ray caster, `TilingParams`");
  add_table<navigate::TargetParams>(page, "Planner: target points, `TargetParams`");
}

void add_prediction_tables(std::string& page) {
  add_table<predict::LiveParams>(page, "Prediction: the live robot, `LiveParams`");
  add_table<predict::PredictorParams>(page, "Prediction: replicas, `PredictorParams`");
  add_table<predict::WeightParams>(page, "Prediction: whom to believe, `WeightParams`");
  add_table<predict::EnsembleParams>(page, "Prediction: `EnsembleParams`");
  add_table<predict::CertaintyParams>(page, "Prediction: regions, `CertaintyParams`");
  add_table<predict::ReportFilterParams>(page, "Prediction: localization and odometry, `ReportFilterParams`");
  add_table<predict::SpeedParams>(page, "Prediction: the robot's speed, `SpeedParams`");
  add_table<predict::FollowerParams>(page, "Prediction: a robot that follows a path, `FollowerParams`");
  add_table<predict::ShownParams>(page, "Prediction: what is shown, `ShownParams`");
  add_table<predict::SendRuleParams>(page, "Prediction: when to send, `SendRuleParams`");
}

void add_link_tables(std::string& page) {
  add_table<sync::ServerParams>(page, "Link: the robot side, `ServerParams`");
  add_table<sync::GateParams>(page, "Link: which commands reach the robot, `GateParams`");
  add_table<sync::ClientParams>(page, "Link: the viewer, `ClientParams`");
  add_table<sync::GreeterParams>(page, "Link: greetings, `GreeterParams`");
  add_table<sync::SenderParams>(page, "Link: commands of a viewer, `SenderParams`");
  add_table<sync::ClockParams>(page, "Link: clocks, `ClockParams`");
  add_table<clocks::LatenessParams>(page, "Link: late packets, `LatenessParams`");
  add_table<sync::BulkParams>(page, "Link: objects, `BulkParams`");
}

void add_mapping_tables(std::string& page) {
  add_table<mapping::DriveMapParams>(page, "`map`: which scans, `DriveMapParams`");
  add_table<mapping::MapperParams>(page, "`map`: matching, `MapperParams`");
  add_table<mapping::FloorPlanParams>(page, "`map`: the map itself, `FloorPlanParams`");
}

void add_page_and_study_tables(std::string& page) {
  add_table<bridge::UsarsimParams>(page, "Kenaf: the simulator as USARSim, `UsarsimParams`");
  add_table<bridge::KenafBridgeParams>(page, "Kenaf: the intermediate process, `KenafBridgeParams`");
  add_table<mobility::TrialParams>(page, "Study: mobility of a tracked robot, `TrialParams`");
  add_table<mobility::ComparisonParams>(page, "`study kenaf`: `ComparisonParams`");
  add_table<web::WebLimits>(page, "Page: `WebLimits`");
  add_table<web::DemoSettings>(page, "Demo: `DemoSettings`");
  add_table<learn::SearchParams>(page, "Fitting: `SearchParams`");
  add_table<learn::CalibrationParams>(page, "Calibration from logs: `CalibrationParams`");
  add_table<learn::DeadTimeParams>(page, "Dead time: `DeadTimeParams`");
  add_table<learn::LatencyDriveParams>(page, "`latency --drive`: `LatencyDriveParams`");
  add_table<learn::TrainParams>(page, "`train`: `TrainParams`");
  add_table<learn::NetworkParams>(page, "The papers' network: `NetworkParams`");
  add_table<learn::ReplayParams>(page, "Recorded drives once more: `ReplayParams`");
  add_table<driving::DrivingParams>(page, "`study driving`: `DrivingParams`");
  add_table<driving::DriverParams>(page, "`study driving`: the driver, `DriverParams`");
  add_table<latency::LatencyParams>(page, "`study latency`: `LatencyParams`");
  add_table<latency::RigParams>(page, "A robot under a camera: `RigParams`");
  add_table<estimate::CalibratorParams>(page, "Calibration while driving: `CalibratorParams`");
  add_table<estimate::GeometryParams>(page, "Calibration while driving: the filter, `GeometryParams`");
  add_table<localize::LocalizeParams>(page, "Localization: `LocalizeParams`");
  add_table<localize::OdometryParams>(page, "Localization: `OdometryParams`");
  add_table<localize::KldParams>(page, "Localization: `KldParams`");
  add_table<localize::PlaceSearchParams>(page, "Localization: `PlaceSearchParams`");
  add_table<localize::ScanMapParams>(page, "A map from scans: `ScanMapParams`");
  add_table<study::OfficeParams>(page, "`study office`: `OfficeParams`");
  add_table<study::LogParams>(page, "`study log`: `LogParams`");
  add_table<study::SendingParams>(page, "`study sending`: `SendingParams`");
  add_table<study::CalibrationStudyParams>(page, "`study calibration`: `CalibrationStudyParams`");
  add_table<study::SensitivityParams>(page, "`study sensitivity`: `SensitivityParams`");
  add_table<study::MissionParams>(page, "`study mission`: `MissionParams`");
  add_table<study::ExecutionParams>(page, "`study execution`: `ExecutionParams`");
  add_table<changing::ChangesParams>(page, "`study changes`: `ChangesParams`");
  add_table<mission::Redundancy>(page, "Missions, what is cut: `Redundancy` with `PinchParams`");
  add_table<mission::ControlParams>(page, "Missions, control again: `ControlParams` with `WayParams`");
  add_table<mission::ExecutorParams>(page, "Missions, execution: `ExecutorParams` with `TrackerParams`");
  add_table<study::LinkStudyParams>(page, "`study link`: `LinkStudyParams`");
  add_table<load::FanoutParams>(page, "`bench-fanout`: `FanoutParams`");
  add_table<load::RelayBenchParams>(page, "`bench-relay`: `RelayBenchParams`");
}

std::string params_page() {
  std::string page =
      "# Parameters\n\nWritten by `make params` from the field lists in the code. Units are in the names. First come "
      "those of the "
      "files that people write, then those in the code, by the struct that holds them.\n";
  add_file_tables(page);
  add_world_tables(page);
  add_prediction_tables(page);
  add_link_tables(page);
  add_mapping_tables(page);
  add_page_and_study_tables(page);
  return page;
}

}  // namespace

int run_params(cli::Arguments arguments) {
  CLI::App app("Prints every parameter with its default, its range and its meaning, as Markdown.", "params");
  app.footer("Example:\n  forerun params > docs/params.md");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  std::fputs(params_page().c_str(), stdout);
  return cli::kDone;
}

}  // namespace forerun::app
