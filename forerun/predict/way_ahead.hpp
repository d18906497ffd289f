// Where the robot will go from here, if nothing comes in between: one replica, beyond the present.
#pragma once

#include <memory>

#include "forerun/navigate/control_system.hpp"
#include "forerun/predict/replica.hpp"

namespace forerun::predict {

class WayAhead {
 public:
  // `model` must outlive it.
  explicit WayAhead(const ReplicaModel& model);
  WayAhead(const WayAhead&) = delete;
  WayAhead& operator=(const WayAhead&) = delete;

  // What is predicted for the present.
  struct Present {
    RobotTime time;
    robot::State state;
    robot::TaskState task = robot::TaskState::idle;
    double speed_scale = 1;                  // of the robot's limits, as learned
    const sense::SeenWorld* seen = nullptr;  // as Circumstances have it
  };
  // Begins at the present, on the way that the newest report tells.
  void start(const robot::Report& newest, const Present& present) noexcept;
  // Times after the present, in their order.
  [[nodiscard]] Pose2 pose_after(Duration ahead) noexcept;

 private:
  robot::Limits limits_;
  Duration period_;
  RobotTime start_;
  std::unique_ptr<navigate::ControlSystem> control_;
  Replica replica_;
};

}  // namespace forerun::predict
