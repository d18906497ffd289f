#include "forerun/record/sim_recording.hpp"

#include "forerun/sim/model_bytes.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::record {
namespace {

constexpr std::uint32_t kRobotNumber = 1;

}  // namespace

SimRecording::SimRecording(Recording& recording, const sim::Setting& inputs) : recording_(recording) {
  const RecordedModel model = make_recorded_model({.name = inputs.robot.name, .world = inputs.world.name, .model = 0},
                                                  sim::pack_model(inputs.world, inputs.robot));
  model_ = model.card.model;
  recording_.write(Recorded::model, 0, 0, model);
  // where no replica can be made of them, the recording has no predictions
  if (auto live = predict::make_live_robot(inputs.world, inputs.robot)) live_ = std::move(*live);
}

void SimRecording::take_report(const sim::Loop& loop) {
  // as precisely as a sync message carries it: a replay sends the same
  const auto body =
      sync::encode_report(sim::make_report(loop, {.robot = kRobotNumber, .model = model_, .sequence = sequence_++}));
  const auto report = body ? sync::decode_report(Bytes(body->begin(), body->size())).report : std::nullopt;
  if (!report) return;
  live_.take(*report);
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
  const predict::Prediction prediction = live_.at(now);
  if (prediction.status == predict::Status::none) return;
  recording_.write(Recorded::prediction, now.ns, now.ns, RecordedPrediction{kRobotNumber, prediction});
}

}  // namespace forerun::record
