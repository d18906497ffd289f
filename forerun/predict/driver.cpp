#include "forerun/predict/driver.hpp"

#include <utility>

#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/follower.hpp"
#include "forerun/predict/onward.hpp"
#include "forerun/predict/path_follower.hpp"

namespace forerun::predict {
namespace {

std::unique_ptr<navigate::ControlSystem> make_navigator(const DriverInputs& inputs) {
  return std::make_unique<navigate::Navigator>(inputs.model.planning, inputs.robot, inputs.plan);
}

std::unique_ptr<navigate::ControlSystem> make_follower(const DriverInputs& inputs) {
  return std::make_unique<Follower>(inputs.robot, inputs.plan);
}

std::unique_ptr<navigate::ControlSystem> make_onward(const DriverInputs& inputs) {
  auto planner = inputs.onward;
  if (!planner) planner = std::make_shared<OnwardPlanner>(inputs.model.planning, inputs.robot);
  return std::make_unique<Onward>(inputs.robot, std::move(planner));
}

std::unique_ptr<navigate::ControlSystem> make_path_follower(const DriverInputs& inputs) {
  return std::make_unique<PathFollower>(inputs.robot, FollowerParams{}, inputs.manners);
}

}  // namespace

std::vector<Driver> known_drivers() {
  return {
      {"replica", make_navigator, 0.1},
      // for robots whose control system is not known
      {"follower", make_follower, 0.3},
      {.name = "onward", .make = make_onward, .prior = 0.3, .is_slowed = true},
      {.name = "plan", .make = make_path_follower, .prior = 1.5, .is_slowed = true, .needs_path = true},
  };
}

}  // namespace forerun::predict
