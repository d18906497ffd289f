// Where the viewer's copy of the robot is: made from the model that the robot side offers, kept right by its reports.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "forerun/base/time.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::app {

struct Predicted {
  robot::State state;
  double radius95 = 0;  // the robot is within with 95 % [m]
};

class ViewPrediction {
 public:
  // From now on this world and this robot. Where no copy can be made of them, `problem` says why.
  void set_model(const sim::ModelBundle& bundle);
  void give_up(std::string problem);
  // The newest report, as often as wanted.
  void take(const std::optional<robot::Report>& newest);

  // At the robot side's present; nothing before there are model, report and clock.
  [[nodiscard]] std::optional<Predicted> at(const sync::Client& client, OperatorTime now);
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  std::unique_ptr<predict::ReplicaModel> model_;
  std::unique_ptr<predict::Predictor> predictor_;
  std::optional<robot::Report> newest_;  // that the predictor has
  std::string problem_;
};

}  // namespace forerun::app
