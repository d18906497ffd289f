#include "forerun/app/view_prediction.hpp"

#include <algorithm>
#include <utility>

#include "forerun/predict/extrapolation.hpp"

namespace forerun::app {

void ViewPrediction::set_model(const sim::ModelBundle& bundle) {
  auto model = predict::make_replica_model(bundle.world, bundle.robot);
  if (!model) return give_up(model.error().message);
  problem_.clear();
  predictor_.reset();
  newest_.reset();
  model_ = std::make_unique<predict::ReplicaModel>(std::move(*model));
  predictor_ = std::make_unique<predict::Predictor>(*model_);
}

void ViewPrediction::give_up(std::string problem) {
  problem_ = std::move(problem);
  predictor_.reset();
  newest_.reset();
  model_.reset();
}

void ViewPrediction::take(const std::optional<robot::Report>& newest) {
  if (!predictor_ || !newest) return;
  if (newest_ && newest_->time == newest->time && newest_->sequence == newest->sequence) return;
  // the link passes on nothing old: a time from before is that of another clock, of a robot side started anew
  if (newest_ && newest->time < newest_->time) predictor_ = std::make_unique<predict::Predictor>(*model_);
  newest_ = newest;
  predictor_->resync(*newest);
}

std::optional<Predicted> ViewPrediction::at(const sync::Client& client, OperatorTime now) {
  if (!client.clock().ready()) return std::nullopt;
  return at(client.clock().to_remote(now).time);
}

std::optional<Predicted> ViewPrediction::at(RobotTime robot_now) {
  if (!predictor_ || !newest_) return std::nullopt;
  // never before the report: clocks are known to some milliseconds only
  const RobotTime time = std::max(robot_now, newest_->time);
  return Predicted{.state = predictor_->advance(time),
                   .extrapolated = predict::extrapolate(*newest_, time - newest_->time),
                   .region50 = predictor_->region(0.5),
                   .region95 = predictor_->region(0.95)};
}

}  // namespace forerun::app
