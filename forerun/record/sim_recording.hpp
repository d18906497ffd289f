// Records a drive of `forerun sim` in its own virtual time: the same drive gives the same file, to the last byte.
#pragma once

#include "forerun/atlas/setting.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/record/recording.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::record {

class SimRecording {
 public:
  static constexpr double kReportInterval = 1.0;  // a state goes to the recording so often [s]
  static constexpr double kInterval = 0.1;        // truth and prediction [s]

  // The first message is the model. `recording` must outlive it.
  SimRecording(Recording& recording, const sim::Setting& inputs);

  // Takes down what it is time for.
  void take(const sim::Loop& loop);

 private:
  void take_report(const sim::Loop& loop);

  Recording& recording_;
  predict::LiveRobot live_;
  std::uint64_t model_ = 0;
  std::uint32_t sequence_ = 0;
  RobotTime next_report_;
  RobotTime next_;
};

}  // namespace forerun::record
