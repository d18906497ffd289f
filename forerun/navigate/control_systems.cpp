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

template <class Make>
struct Maker {
  std::string_view name;
  Make* make;
};

std::shared_ptr<GoalPlan> make_value_iteration(const PlanningModel& model, std::size_t n_goals) {
  return std::make_shared<GoalPlan>(model, n_goals);
}

std::unique_ptr<ControlSystem> make_navigator(const PlanningModel& model, const robot::Description& robot,
                                              std::shared_ptr<GoalPlan> plan) {
  return std::make_unique<Navigator>(model, robot, std::move(plan));
}

constexpr std::array<Maker<decltype(make_value_iteration)>, kPlanners.size()> kMakePlanner{
    {{"value_iteration", make_value_iteration}}};
constexpr std::array<Maker<decltype(make_navigator)>, kControlSystems.size()> kMakeControlSystem{
    {{"navigator", make_navigator}}};

// The names that others see, and the makers, in the same order.
template <class Make, std::size_t n>
constexpr bool have_names(const std::array<Maker<Make>, n>& makers, const std::array<const char*, n>& names) {
  return std::equal(makers.begin(), makers.end(), names.begin(),
                    [](const Maker<Make>& maker, std::string_view name) { return maker.name == name; });
}
static_assert(have_names(kMakePlanner, kPlanners) && have_names(kMakeControlSystem, kControlSystems));

// `name` is known.
template <class Makers>
auto* find_maker(const Makers& makers, std::string_view name) {
  return std::find_if(makers.begin(), makers.end(), [&](const auto& maker) { return maker.name == name; })->make;
}

}  // namespace

Result<void> check_names(const robot::Description& robot) {
  if (auto known = check_name("control system", robot.control_system, kControlSystems); !known) return known;
  return check_name("planner", robot.planner, kPlanners);
}

Result<std::shared_ptr<GoalPlan>> make_planner(std::string_view name, const PlanningModel& model, std::size_t n_goals) {
  if (auto known = check_name("planner", name, kPlanners); !known) return known.error();
  return find_maker(kMakePlanner, name)(model, n_goals);
}

Result<std::unique_ptr<ControlSystem>> make_control_system(std::string_view name, const PlanningModel& model,
                                                           const robot::Description& robot) {
  if (auto known = check_name("control system", name, kControlSystems); !known) return known.error();
  auto plan = make_planner(robot.planner, model);
  if (!plan) return plan.error();
  return find_maker(kMakeControlSystem, name)(model, robot, std::move(*plan));
}

std::unique_ptr<ControlSystem> make_own_control_system(const PlanningModel& model, const robot::Description& robot) {
  return std::move(*make_control_system(robot.control_system, model, robot));
}

}  // namespace forerun::navigate
