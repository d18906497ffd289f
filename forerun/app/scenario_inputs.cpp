#include "forerun/app/scenario_inputs.hpp"

#include <utility>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/io/world_file.hpp"

namespace forerun::app {

std::string reality_names() {
  std::string names;
  for (const sim::Reality& reality : sim::kRealities) names += (names.empty() ? "" : ", ") + std::string(reality.name);
  return names;
}

Result<ScenarioInputs> load_inputs(const std::string& scenario_name, const std::string& reality_name) {
  const auto reality = sim::find_reality(reality_name);
  if (!reality) return Error{"--reality " + reality_name + " is unknown; the levels are " + reality_names()};
  const auto path = io::find_file(io::FileKind::scenario, scenario_name);
  if (!path) return path.error();
  auto scenario = io::load_scenario(*path);
  if (!scenario) return scenario.error();
  auto world = io::load_world(scenario->world);
  if (!world) return world.error();
  if (auto doors = io::check_doors(*scenario, *world, *path); !doors) return doors.error();
  auto robot = io::load_robot(scenario->robot);
  if (!robot) return robot.error();
  return ScenarioInputs{std::move(*scenario), std::move(*world), std::move(*robot), *reality};
}

}  // namespace forerun::app
