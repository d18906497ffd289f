// Records a drive of `forerun sim` in its own virtual time: the same drive gives the same file, to the last byte.
#pragma once

#include "forerun/app/recording.hpp"
#include "forerun/app/scenario_inputs.hpp"
#include "forerun/app/view_prediction.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::app {

class SimRecording {
 public:
  static constexpr double kReportInterval = 1.0;  // a state goes to the recording so often [s]
  static constexpr double kInterval = 0.1;        // truth and prediction [s]

  // The first message is the model. `recording` must outlive it.
  SimRecording(Recording& recording, const ScenarioInputs& inputs);

  // Takes down what it is time for.
  void take(const sim::Loop& loop);

 private:
  void take_report(const sim::Loop& loop);

  Recording& recording_;
  ViewPrediction prediction_;
  std::uint64_t model_ = 0;
  std::uint32_t sequence_ = 0;
  RobotTime next_report_;
  RobotTime next_;
};

}  // namespace forerun::app
