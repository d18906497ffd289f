#include "forerun/watch/live_recording.hpp"

#include <algorithm>
#include <utility>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::watch {
namespace {

constexpr Duration kPredictionInterval = from_seconds(0.1);
constexpr double kAtOnce = 0.3;   // what fails so soon has not even been sent [s]
constexpr double kAnswers = 0.5;  // so long after the round trip there is an answer, or there is none [s]

}  // namespace

void LiveRecording::look() {
  const std::int64_t now = net::read_steady_time();
  if (now < next_prediction_) return;
  next_prediction_ = now + kPredictionInterval.ns;
  for (auto& [number, robot] : robots_) {
    if (!robot.clock_offset) continue;
    const predict::Prediction prediction = robot.live.at(RobotTime{now + *robot.clock_offset});
    if (prediction.status == predict::Status::none) continue;
    recording_.write(record::Recorded::prediction, now, prediction.time.ns,
                     record::RecordedPrediction{number, prediction});
  }
}

void LiveRecording::set_robot(std::uint32_t robot, const web::RobotCard& card) {
  record_model(robot, card);
  if (next_ != nullptr) next_->set_robot(robot, card);
}

// Once for each robot, as soon as its model is known.
void LiveRecording::record_model(std::uint32_t number, const web::RobotCard& card) {
  Robot& robot = robots_[number];
  const auto bytes = models_.find(card.model);
  if (robot.model == card.model || bytes == models_.end()) return;
  robot.model = card.model;
  if (const auto bundle = sim::unpack_model(bytes->second)) {
    const std::int64_t now = net::read_steady_time();
    recording_.write(record::Recorded::model, now, now, record::RecordedModel{number, card, bytes->second});
    auto live = predict::make_live_robot(bundle->world, bundle->robot);
    robot.live = live ? std::move(*live) : predict::LiveRobot();
    robot.live.set_mission(robot.mission, robot.mission_path);
    if (robot.newest) robot.live.take(*robot.newest);
  }
  // a robot whose world changes often must not fill the memory
  std::erase_if(models_, [&](const auto& model) {
    return std::none_of(robots_.begin(), robots_.end(), [&](const auto& r) { return r.second.model == model.first; });
  });
}

void LiveRecording::set_demo(const web::DemoSettings& settings) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::demo, now, now, settings);
  if (next_ != nullptr) next_->set_demo(settings);
}

void LiveRecording::put_model(std::uint64_t model, Bytes bytes) {
  models_[model].assign(bytes.begin(), bytes.end());
  if (next_ != nullptr) next_->put_model(model, bytes);
}

void LiveRecording::put_mission(std::uint32_t robot, std::uint64_t mission, Bytes bytes) {
  Robot& its = robots_[robot];
  if (const auto read = mission::unpack_signed(bytes)) {
    auto known = mission::mission_from_bytes(read->mission);
    its.mission = known ? mission : 0;
    its.mission_path = known ? std::make_shared<const robot::TimedPath>(std::move(known->path)) : nullptr;
    its.live.set_mission(its.mission, its.mission_path);
  }
  if (next_ != nullptr) next_->put_mission(robot, mission, bytes);
}

void LiveRecording::report(std::uint32_t robot, const web::PageReport& report, RobotTime robot_now) {
  const std::int64_t now = net::read_steady_time();
  const Bytes sections = sync::sections_of(report.body);
  robot::Report said = report.said;
  // only where this report said it
  if (!sync::find_section(sections, sync::SectionKind::planned_path)) said.planned_path.reset();
  if (!sync::find_section(sections, sync::SectionKind::calibration)) said.wheels.reset();
  if (!sync::find_section(sections, sync::SectionKind::response)) said.response.reset();
  recording_.write(
      record::Recorded::report, now, report.said.time.ns,
      record::RecordedReport{
          .robot = robot, .report = said, .robot_now = robot_now, .sections = {sections.begin(), sections.end()}});
  Robot& its = robots_[robot];
  its.clock_offset = robot_now.ns - now;
  its.newest = report.said;
  its.live.take(report.said);
  if (next_ != nullptr) next_->report(robot, report, robot_now);
}

void LiveRecording::time(std::uint32_t robot, RobotTime robot_now) {
  robots_[robot].clock_offset = robot_now.ns - net::read_steady_time();
  if (next_ != nullptr) next_->time(robot, robot_now);
}

void LiveRecording::truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) {
  recording_.write(record::Recorded::truth, net::read_steady_time(), robot_now.ns,
                   record::RecordedTruth{robot, robot_now, pose});
  if (next_ != nullptr) next_->truth(robot, robot_now, pose);
}

void LiveRecording::image(std::uint32_t robot, const web::PageImage& image, RobotTime robot_now) {
  if (next_ != nullptr) next_->image(robot, image, robot_now);
}

void LiveRecording::link(std::uint32_t robot, const web::PageLink& link) {
  Robot& its = robots_[robot];
  its.round_trip_s = link.round_trip.value_or(0);
  its.clock_sigma_s = link.clock_sigma.value_or(0);
  its.loss = link.loss;
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::link, now, now, record::RecordedLink{robot, link});
  if (next_ != nullptr) next_->link(robot, link);
}

void LiveRecording::command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::command, now, now, record::RecordedCommand{robot, number, command});
  Robot& its = robots_[robot];
  its.newest_command = number;
  its.newest_given = now;
  if (its.clock_offset) {
    const RobotTime robot_now{now + *its.clock_offset};
    its.live.give(
        {number, command, robot_now, robot_now + from_seconds(its.round_trip_s / 2), its.clock_sigma_s, its.loss});
  }
  if (next_ != nullptr) next_->command(robot, number, command);
}

void LiveRecording::outcome(std::uint32_t robot, const web::PageOutcome& outcome) {
  const std::int64_t now = net::read_steady_time();
  recording_.write(record::Recorded::outcome, now, now, record::RecordedOutcome{robot, outcome});
  Robot& its = robots_[robot];
  const std::string_view state = outcome.state;
  // what a newer command took the place of, or what was given up before an answer could be here, may have been carried
  // out
  const double waited = to_seconds(Duration{now - its.newest_given});
  const bool lost = state == "failed" && outcome.number == its.newest_command &&
                    (waited < kAtOnce || waited > its.round_trip_s + kAnswers);
  if (state == "refused") its.live.settle(outcome.number, ahead::Settled::refused);
  if (lost) its.live.settle(outcome.number, ahead::Settled::lost);
  if (next_ != nullptr) next_->outcome(robot, outcome);
}

}  // namespace forerun::watch
