#include "forerun/app/recording_sim.hpp"

#include "forerun/sim/model_bytes.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::app {
namespace {

constexpr std::uint32_t kRobotNumber = 1;

}  // namespace

SimRecording::SimRecording(Recording& recording, const ScenarioInputs& inputs) : recording_(recording) {
  const RecordedModel model = make_recorded_model({.name = inputs.robot.name, .world = inputs.world.name, .model = 0},
                                                  sim::pack_model(inputs.world, inputs.robot));
  model_ = model.card.model;
  recording_.write(Recorded::model, 0, 0, model);
  prediction_.set_model({inputs.world, inputs.robot});
}

void SimRecording::take_report(const sim::Loop& loop) {
  // as precisely as a sync message carries it: a replay sends the same
  const auto body =
      sync::encode_report(sim::make_report(loop, {.robot = kRobotNumber, .model = model_, .sequence = sequence_++}));
  const auto report = body ? sync::decode_report(Bytes(body->begin(), body->size())).report : std::nullopt;
  if (!report) return;
  prediction_.take(report);
  recording_.write(Recorded::report, loop.time().ns, report->time.ns,
                   RecordedReport{.robot = kRobotNumber, .report = *report, .robot_now = loop.time()});
}

void SimRecording::take(const sim::Loop& loop) {
  const RobotTime now = loop.time();
  if (now >= next_report_) {
    next_report_ += from_seconds(kReportInterval);
    take_report(loop);
  }
  if (now < next_) return;
  next_ += from_seconds(kInterval);
  recording_.write(Recorded::truth, now.ns, now.ns, RecordedTruth{kRobotNumber, now, loop.truth().pose});
  const auto predicted = prediction_.at(now);
  if (!predicted) return;
  recording_.write(Recorded::prediction, now.ns, now.ns,
                   RecordedPrediction{.robot = kRobotNumber,
                                      .time = now,
                                      .gap = to_seconds(now - prediction_.newest()->time),
                                      .predicted = *predicted});
}

}  // namespace forerun::app
