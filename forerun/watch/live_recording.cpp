#include "forerun/watch/live_recording.hpp"

#include <algorithm>

#include "forerun/net/steady_time.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::watch {
namespace {

constexpr Duration kPredictionInterval = from_seconds(0.1);

}  // namespace

void LiveRecording::note_clock(RobotTime robot_now) { clock_offset_ = robot_now.ns - net::read_steady_time(); }

void LiveRecording::look() {
  const std::int64_t now = net::read_steady_time();
  if (!clock_offset_ || now < next_prediction_) return;
  next_prediction_ = now + kPredictionInterval.ns;
  const predict::Prediction prediction = live_.at(RobotTime{now + *clock_offset_});
  if (prediction.status == predict::Status::none) return;
  recording_.write(record::Recorded::prediction, now, prediction.time.ns,
                   record::RecordedPrediction{live_.newest()->robot, prediction});
}

void LiveRecording::set_robot(std::uint32_t robot, const web::RobotCard& card) {
  if (next_ != nullptr) next_->set_robot(robot, card);
}

void LiveRecording::set_demo(const web::DemoSettings& settings) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::demo, now, now, settings);
  if (next_ != nullptr) next_->set_demo(settings);
}

void LiveRecording::put_model(std::uint64_t model, Bytes bytes) {
  const std::int64_t now = net::read_steady_time();
  if (const auto bundle = sim::unpack_model(bytes)) {
    const web::RobotCard card{.name = bundle->robot.name, .world = bundle->world.name, .model = model};
    recording_.write(record::Recorded::model, now, now, record::RecordedModel{card, {bytes.begin(), bytes.end()}});
    auto live = predict::make_live_robot(bundle->world, bundle->robot);
    live_ = live ? std::move(*live) : predict::LiveRobot();
  }
  if (next_ != nullptr) next_->put_model(model, bytes);
}

void LiveRecording::report(std::uint32_t robot, const web::PageReport& report, RobotTime robot_now) {
  note_clock(robot_now);
  const Bytes sections = sync::sections_of(report.body);
  recording_.write(record::Recorded::report, net::read_steady_time(), report.said.time.ns,
                   record::RecordedReport{.robot = robot,
                                          .report = report.said,
                                          .robot_now = robot_now,
                                          .sections = {sections.begin(), sections.end()}});
  robot::Report numbered = report.said;
  numbered.robot = robot;
  live_.take(numbered);
  if (next_ != nullptr) next_->report(robot, report, robot_now);
}

void LiveRecording::time(std::uint32_t robot, RobotTime robot_now) {
  note_clock(robot_now);
  if (next_ != nullptr) next_->time(robot, robot_now);
}

void LiveRecording::truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) {
  recording_.write(record::Recorded::truth, net::read_steady_time(), robot_now.ns,
                   record::RecordedTruth{robot, robot_now, pose});
  if (next_ != nullptr) next_->truth(robot, robot_now, pose);
}

void LiveRecording::link(std::uint32_t robot, const web::PageLink& link) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::link, now, now, record::RecordedLink{robot, link});
  if (next_ != nullptr) next_->link(robot, link);
}

void LiveRecording::command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::command, now, now, record::RecordedCommand{robot, number, command});
  if (next_ != nullptr) next_->command(robot, number, command);
}

void LiveRecording::outcome(std::uint32_t robot, const web::PageOutcome& outcome) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::outcome, now, now, record::RecordedOutcome{robot, outcome});
  if (next_ != nullptr) next_->outcome(robot, outcome);
}

}  // namespace forerun::watch
