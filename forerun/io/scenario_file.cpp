#include "forerun/io/scenario_file.hpp"

#include <algorithm>

#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/io/yaml_reader.hpp"

namespace forerun::io {

namespace {

constexpr Field kPlace{-10000, 10000, "place in the world [m]"};
constexpr Field kTime{0, 1e6, "time since the start [s]"};

void read_goal(YamlMap& yaml, sim::Scenario& scenario) {
  sim::Goal goal;
  goal.name = "goal " + std::to_string(scenario.goals.size() + 1);
  yaml.require("at");
  yaml.read("name", goal.name);
  yaml.read("at", goal.position, kPlace);
  yaml.read("wait_s", goal.wait, Field{0, 86400, "stays this long after arriving [s]"});
  scenario.goals.push_back(goal);
}

void read_door(YamlMap& yaml, sim::Scenario& scenario) {
  sim::DoorSchedule door;
  for (const char* key : {"door", "close_at_s", "open_at_s"}) yaml.require(key);
  yaml.read("door", door.door);
  yaml.read("close_at_s", door.close_at, kTime);
  yaml.read("open_at_s", door.open_at, kTime);
  if (door.close_at == door.open_at) {
    yaml.fail("open_at_s", "is " + show(door.open_at) + ", but must differ from close_at_s");
  }
  scenario.doors.push_back(door);
}

void read_scenario(YamlMap& yaml, sim::Scenario& scenario) {
  for (const char* key : {"world", "robot", "start", "goals"}) yaml.require(key);
  yaml.read("name", scenario.name);
  yaml.read("world", scenario.world);
  yaml.read("robot", scenario.robot);
  yaml.read("start", scenario.start, kPlace);
  yaml.read("time_limit_s", scenario.time_limit, Field{1, 1e6, "the run ends here at the latest [s]"});
  yaml.each("goals", [&](YamlMap& goal) { read_goal(goal, scenario); });
  yaml.each("doors", [&](YamlMap& door) { read_door(door, scenario); });
  if (yaml.has("goals") && scenario.goals.empty()) yaml.fail("goals", "is empty, but must have at least one goal");
}

}  // namespace

Result<sim::Scenario> parse_scenario(std::string_view text, const std::string& file) {
  sim::Scenario scenario;
  scenario.name = bare_name(file);
  const Result<void> read = read_yaml(text, file, [&](YamlMap& yaml) { read_scenario(yaml, scenario); });
  if (!read) return read.error();
  scenario.start.theta = normalize_angle(scenario.start.theta);
  return scenario;
}

Result<sim::Scenario> load_scenario(const std::string& path) {
  const Result<std::string> text = read_file(path, kLargestText);
  if (!text) return text.error();
  Result<sim::Scenario> scenario = parse_scenario(*text, path);
  if (!scenario) return scenario;

  const Result<std::string> world = find_file(FileKind::world, scenario->world, path);
  if (!world) return Error{path + ": world " + world.error().message};
  const Result<std::string> robot = find_file(FileKind::robot, scenario->robot, path);
  if (!robot) return Error{path + ": robot " + robot.error().message};
  scenario->world = *world;
  scenario->robot = *robot;
  return scenario;
}

Result<void> check_doors(const sim::Scenario& scenario, const world::World& world, const std::string& file) {
  std::vector<std::string> names;
  for (const world::Door& door : world.doors) names.push_back(door.name);
  for (const sim::DoorSchedule& schedule : scenario.doors) {
    if (std::find(names.begin(), names.end(), schedule.door) != names.end()) continue;
    std::string message = file + ": doors names " + quote(schedule.door) + ", but the world has no such door";
    const std::string nearest = nearest_word(schedule.door, names);
    if (!nearest.empty()) message += "; the nearest known one is " + quote(nearest);
    return Error{message};
  }
  return {};
}

}  // namespace forerun::io
