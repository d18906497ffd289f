#include "forerun/atlas/setting.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"

namespace forerun::atlas {

std::string reality_names() {
  std::string names;
  for (const sim::Reality& reality : sim::kRealities) names += (names.empty() ? "" : ", ") + std::string(reality.name);
  return names;
}

Result<world::World> load_named_world(const std::string& name) {
  const auto path = io::find_file(io::FileKind::world, name);
  return path ? atlas::load_world(*path) : path.error();
}

Result<robot::Description> load_named_robot(const std::string& name) {
  const auto path = io::find_file(io::FileKind::robot, name);
  return path ? io::load_robot(*path) : path.error();
}

namespace {

// A world that takes the place of the scenario's own may have other doors: what is scheduled for the rest is left out.
void keep_doors_of(const world::World& world, sim::Scenario& scenario) {
  std::erase_if(scenario.doors, [&](const sim::DoorSchedule& schedule) {
    return std::none_of(world.doors.begin(), world.doors.end(),
                        [&](const world::Door& door) { return door.name == schedule.door; });
  });
}

}  // namespace

Result<sim::Setting> load_setting(const std::string& scenario_name, const std::string& reality_name,
                                  const InputOverrides& overrides) {
  const auto reality = sim::find_reality(reality_name);
  if (!reality) return Error{"--reality " + reality_name + " is unknown; the levels are " + reality_names()};
  const auto path = io::find_file(io::FileKind::scenario, scenario_name);
  if (!path) return path.error();
  auto scenario = io::load_scenario(*path);
  if (!scenario) return scenario.error();
  auto world = overrides.world.empty() ? atlas::load_world(scenario->world) : load_named_world(overrides.world);
  if (!world) return world.error();
  if (!overrides.world.empty()) keep_doors_of(*world, *scenario);
  if (auto doors = io::check_doors(*scenario, *world, *path); !doors) return doors.error();
  auto robot = overrides.robot.empty() ? io::load_robot(scenario->robot) : load_named_robot(overrides.robot);
  if (!robot) return robot.error();
  return sim::Setting{std::move(*world), std::move(*robot), std::move(*scenario), *reality};
}

}  // namespace forerun::atlas
