#include "forerun/predict/driver.hpp"

#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/follower.hpp"

namespace forerun::predict {
namespace {

std::unique_ptr<navigate::ControlSystem> make_navigator(const DriverInputs& inputs) {
  return std::make_unique<navigate::Navigator>(inputs.model.planning, inputs.robot, inputs.plan);
}

std::unique_ptr<navigate::ControlSystem> make_follower(const DriverInputs& inputs) {
  return std::make_unique<Follower>(inputs.model.planning, inputs.robot, inputs.plan);
}

}  // namespace

std::vector<Driver> known_drivers() {
  return {
      {"own", make_navigator}, {"follower", make_follower},  // for robots whose control system is not known
  };
}

}  // namespace forerun::predict
