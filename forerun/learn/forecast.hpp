// How well the replica of a robot with given parameters would have predicted a recorded drive.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::learn {

inline constexpr Duration kAhead = from_seconds(6);  // errors are those of predictions for this much later

// A report with its goal, and how far the robot had really moved `kAhead` later.
struct Trial {
  robot::Report report;
  Vec2 moved;
};

// One for each thread: holds what replicas need in a world, and lends it to a robot with other parameters.
class Forecaster {
 public:
  // `model` is taken over; the parameters of its robot do not matter.
  explicit Forecaster(predict::ReplicaModel model) : model_(std::move(model)) {}

  // Errors of the motion since the report [m], one for each trial. Only limits and weights of `robot` may differ from
  // what the model was made with, not its body or its planner.
  void errors(std::span<const Trial> trials, const robot::Description& robot, std::span<double> result);

 private:
  predict::ReplicaModel model_;
};

}  // namespace forerun::learn
