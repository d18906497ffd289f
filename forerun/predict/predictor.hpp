// Where the robot is now, given all reports so far (PSS-11): the replica, started from the best guess of where the
// robot was, at the speed that this robot has shown.
#pragma once

#include <optional>

#include "forerun/predict/replica.hpp"
#include "forerun/predict/trail.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

struct PredictorParams {
  double speed_gain = 0.4;       // how much of a new observation goes into the learned speed, 0 … 1
  double along_growth = 0.06;    // uncertainty along the path per metre driven
  double across_growth = 0.015;  // uncertainty across the path per metre driven
  double still_growth = 0.002;   // uncertainty of a robot that stands [m/√s]
  double relax_s = 4.0;          // a robot that is held up by something unknown comes free in about this time [s]
};

class Predictor {
 public:
  // `model` and `control` must outlive the predictor.
  Predictor(const ReplicaModel& model, navigate::ControlSystem& control, const PredictorParams& params = {});

  // Takes a report in. Older ones than the newest are ignored.
  void resync(const robot::Report& report) noexcept;
  // Runs the replica up to `now` and says where the robot is. Allocates nothing.
  const robot::State& advance(RobotTime now) noexcept;

  [[nodiscard]] double speed_scale() const noexcept { return speed_scale_; }
  [[nodiscard]] const Replica& replica() const noexcept { return replica_; }

 private:
  void learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept;
  [[nodiscard]] Pose2 fuse(const robot::Report& report, const TrailPoint& expected) noexcept;
  void start_from(const robot::Report& report) noexcept;

  const ReplicaModel& model_;
  PredictorParams params_;
  Replica replica_;
  Trail trail_;  // of the replica since the newest report
  std::optional<robot::Report> newest_;
  Pose2 start_;       // from which the replica went on
  double along_ = 0;  // standard deviations of `start_` [m]
  double across_ = 0;
  double heading_ = 0;  // [rad]
  double speed_scale_ = 1;
};

}  // namespace forerun::predict
