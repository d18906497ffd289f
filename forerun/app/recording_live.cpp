#include "forerun/app/recording_live.hpp"

#include <algorithm>

#include "forerun/net/steady_time.hpp"
#include "forerun/sim/model_bytes.hpp"

namespace forerun::app {
namespace {

constexpr Duration kPredictionInterval = from_seconds(0.1);

}  // namespace

void LiveRecording::note_clock(RobotTime robot_now) { clock_offset_ = robot_now.ns - net::read_steady_time(); }

void LiveRecording::look() {
  const std::int64_t now = net::read_steady_time();
  if (!clock_offset_ || now < next_prediction_) return;
  next_prediction_ = now + kPredictionInterval.ns;
  const RobotTime robot_now{now + *clock_offset_};
  const auto predicted = prediction_.at(robot_now);
  if (!predicted) return;
  const RobotTime time = std::max(robot_now, prediction_.newest()->time);
  recording_.write(Recorded::prediction, now, time.ns,
                   RecordedPrediction{.robot = prediction_.newest()->robot,
                                      .time = time,
                                      .gap = to_seconds(time - prediction_.newest()->time),
                                      .predicted = *predicted});
}

void LiveRecording::set_robot(std::uint32_t robot, const net::RobotCard& card) {
  if (next_ != nullptr) next_->set_robot(robot, card);
}

void LiveRecording::set_demo(const net::DemoSettings& settings) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(Recorded::demo, now, now, settings);
  if (next_ != nullptr) next_->set_demo(settings);
}

void LiveRecording::put_model(std::uint64_t model, Bytes bytes) {
  const std::int64_t now = net::read_steady_time();
  if (const auto bundle = sim::unpack_model(bytes)) {
    const net::RobotCard card{.name = bundle->robot.name, .world = bundle->world.name, .model = model};
    recording_.write(Recorded::model, now, now, RecordedModel{card, {bytes.begin(), bytes.end()}});
    prediction_.set_model(*bundle);
  }
  if (next_ != nullptr) next_->put_model(model, bytes);
}

void LiveRecording::report(std::uint32_t robot, const robot::Report& report, RobotTime robot_now) {
  note_clock(robot_now);
  recording_.write(Recorded::report, net::read_steady_time(), report.time.ns,
                   RecordedReport{.robot = robot, .report = report, .robot_now = robot_now});
  robot::Report numbered = report;
  numbered.robot = robot;
  prediction_.take(numbered);
  if (next_ != nullptr) next_->report(robot, report, robot_now);
}

void LiveRecording::time(std::uint32_t robot, RobotTime robot_now) {
  note_clock(robot_now);
  if (next_ != nullptr) next_->time(robot, robot_now);
}

void LiveRecording::truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) {
  recording_.write(Recorded::truth, net::read_steady_time(), robot_now.ns, RecordedTruth{robot, robot_now, pose});
  if (next_ != nullptr) next_->truth(robot, robot_now, pose);
}

void LiveRecording::link(std::uint32_t robot, const net::PageLink& link) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(Recorded::link, now, now, RecordedLink{robot, link});
  if (next_ != nullptr) next_->link(robot, link);
}

void LiveRecording::command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(Recorded::command, now, now, RecordedCommand{robot, number, command});
  if (next_ != nullptr) next_->command(robot, number, command);
}

void LiveRecording::outcome(std::uint32_t robot, const net::PageOutcome& outcome) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(Recorded::outcome, now, now, RecordedOutcome{robot, outcome});
  if (next_ != nullptr) next_->outcome(robot, outcome);
}

}  // namespace forerun::app
