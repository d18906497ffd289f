// Who may drive a replica: a list of control systems, each of which could be the robot's.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/predict/manners.hpp"
#include "forerun/predict/replica.hpp"

namespace forerun::predict {

class OnwardPlanner;

// What a driver is made for.
struct DriverInputs {
  const ReplicaModel& model;                 // outlives the driver
  const robot::Description& robot;           // may weigh things a little differently than the model's
  std::shared_ptr<navigate::GoalPlan> plan;  // the work of planning, shared by all drivers of a predictor …
  std::shared_ptr<OnwardPlanner> onward;     // … and that of planning another way; none: a driver makes its own
  std::shared_ptr<const Manners> manners;    // that the predictor learns; none: nothing is known of them
};

// A predictor runs one replica with each driver, and believes most those that have been right most.
struct Driver {
  const char* name = "";  // one word, of the program's lifetime
  std::function<std::unique_ptr<navigate::ControlSystem>(const DriverInputs&)> make;
  double prior = 1;         // how much it is believed at first, beside the others, of a robot that nobody knows
  bool is_slowed = false;   // takes the robot to keep to the speeds that were seen, not to those that it could have
  bool needs_path = false;  // has nothing to say of a robot that does not say its path
};

// Those that Forerun knows for any robot. The first is the control system that the robot is thought to have: where its
// reports speak for that, it is believed until another one is better.
[[nodiscard]] std::vector<Driver> known_drivers();

}  // namespace forerun::predict
