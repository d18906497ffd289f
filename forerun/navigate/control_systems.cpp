#include "forerun/navigate/control_systems.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "forerun/navigate/navigator.hpp"

namespace forerun::navigate {
namespace {

Result<void> check_name(const char* what, std::string_view name, std::span<const char* const> known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  std::string message = std::string("there is no ") + what + " \"" + std::string(name) + "\": known are ";
  for (std::size_t i = 0; i < known.size(); ++i) message += std::string(i > 0 ? ", " : "") + known[i];
  return Error{message};
}

}  // namespace

Result<void> check_names(const robot::Description& robot) {
  if (auto known = check_name("control system", robot.control_system, kControlSystems); !known) return known;
  return check_name("planner", robot.planner, kPlanners);
}

Result<std::shared_ptr<GoalPlan>> make_planner(std::string_view name, const PlanningModel& model, std::size_t n_goals) {
  if (auto known = check_name("planner", name, kPlanners); !known) return known.error();
  return std::make_shared<GoalPlan>(model.grid, n_goals);
}

Result<std::unique_ptr<ControlSystem>> make_control_system(std::string_view name, const PlanningModel& model,
                                                           const robot::Description& robot) {
  if (auto known = check_name("control system", name, kControlSystems); !known) return known.error();
  auto plan = make_planner(robot.planner, model);
  if (!plan) return plan.error();
  return std::unique_ptr<ControlSystem>(std::make_unique<Navigator>(model, robot, std::move(*plan)));
}

std::unique_ptr<ControlSystem> make_own_control_system(const PlanningModel& model, const robot::Description& robot) {
  return std::move(*make_control_system(robot.control_system, model, robot));
}

}  // namespace forerun::navigate
