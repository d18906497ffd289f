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
  robot::State extrapolated;           // what there would be without a replica
  predict::Region region50, region95;  // the robot is within with 50 and 95 %
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
  // Likewise at a time of the robot's clock; one before the newest report is taken for the report's own.
  [[nodiscard]] std::optional<Predicted> at(RobotTime robot_now);
  [[nodiscard]] const std::optional<robot::Report>& newest() const noexcept { return newest_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  std::unique_ptr<predict::ReplicaModel> model_;
  std::unique_ptr<predict::Predictor> predictor_;
  std::optional<robot::Report> newest_;  // that the predictor has
  std::string problem_;
};

}  // namespace forerun::app
