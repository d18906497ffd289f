// Who may drive a replica: a list of control systems, each of which could be the robot's.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/predict/replica.hpp"

namespace forerun::predict {

// What a driver is made for.
struct DriverInputs {
  const ReplicaModel& model;                 // outlives the driver
  const robot::Description& robot;           // may weigh things a little differently than the model's
  std::shared_ptr<navigate::GoalPlan> plan;  // the work of planning, shared by all drivers of a predictor
};

// A predictor runs one replica with each driver, and believes the one that has explained the reports best.
struct Driver {
  const char* name = "";  // one word, of the program's lifetime
  std::function<std::unique_ptr<navigate::ControlSystem>(const DriverInputs&)> make;
};

// Those that Forerun knows for any robot. The first is believed until another one is better: the control system that
// the robot is thought to have.
[[nodiscard]] std::vector<Driver> known_drivers();

}  // namespace forerun::predict
