#include "forerun/sim/model.hpp"

#include <algorithm>
#include <cstdio>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/navigate/path.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/sim/crowd.hpp"
#include "forerun/world/doors.hpp"

namespace forerun::sim {
namespace {

using world::Door;

using Route = std::vector<Vec2>;  // the way from the start through all goals

std::string at(Vec2 p) {
  char text[64];
  std::snprintf(text, sizeof text, "(%.2f, %.2f)", p.x, p.y);
  return text;
}

std::vector<std::string> scheduled_doors(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const DoorSchedule& s : scenario.doors) names.push_back(s.door);
  return names;
}

std::vector<MovingDoor> moving_doors(const world::World& world, const Scenario& scenario) {
  std::vector<MovingDoor> doors;
  for (const Door& door : world.doors) {
    MovingDoor moving{.door = door, .changes = {}};
    for (const DoorSchedule& s : scenario.doors) {
      if (s.door != door.name) continue;
      moving.changes.push_back({RobotTime{} + from_seconds(s.close_at), false});
      moving.changes.push_back({RobotTime{} + from_seconds(s.open_at), true});
    }
    std::stable_sort(moving.changes.begin(), moving.changes.end(),
                     [](const MovingDoor::Change& a, const MovingDoor::Change& b) { return a.at < b.at; });
    doors.push_back(std::move(moving));
  }
  return doors;
}

// Plans from goal to goal; an error where the robot cannot stand or cannot get to.
Result<Route> plan_route(const navigate::PlanningModel& planning, const robot::Description& robot,
                         const Scenario& scenario) {
  if (auto ok = navigate::check_place(planning, robot, scenario.start.position(), "the start at"); !ok)
    return ok.error();
  navigate::ValueFunction values(planning.grid.frame());
  Route route;
  Vec2 here = scenario.start.position();
  for (std::size_t i = 0; i < scenario.goals.size(); ++i) {
    const Goal& goal = scenario.goals[i];
    const std::string what =
        "goal " + std::to_string(i + 1) +
        (goal.name.empty() || goal.name == "goal " + std::to_string(i + 1) ? "" : " (" + goal.name + ")");
    if (auto ok = navigate::check_place(planning, robot, goal.position, what + " at"); !ok) return ok.error();
    values.plan(planning.grid, planning.grid.frame().cell_of(goal.position));
    const std::vector<Vec2> leg = navigate::path_from(values, planning.grid, here);
    if (leg.empty()) {
      return Error{what + " at " + at(goal.position) + " cannot be reached from " + at(here), ErrorKind::impossible};
    }
    route.insert(route.end(), leg.begin(), leg.end());
    here = goal.position;
  }
  if (route.empty()) route.push_back(here);
  return route;
}

Cast draw_cast(const Setting& setting, std::uint64_t seed, const world::World& world,
               const navigate::PlanningModel& planning, const Route& route) {
  Cast cast;
  cast.doors = moving_doors(world, setting.scenario);
  std::vector<Vec2> keep_clear{setting.scenario.start.position()};
  for (const Goal& goal : setting.scenario.goals) keep_clear.push_back(goal.position);
  const CrowdSetup crowd{planning, setting.reality, route, keep_clear};
  Random random = stream(seed, Stream::crowd);
  cast.boxes = place_boxes(crowd, random);
  cast.people = place_people(crowd, cast.boxes, random);
  return cast;
}

}  // namespace

Result<Model> make_model(const Setting& setting, std::uint64_t seed) {
  if (setting.scenario.goals.size() > navigate::kMaxTasks) {
    return Error{"there are " + std::to_string(setting.scenario.goals.size()) + " goals, but at most " +
                 std::to_string(navigate::kMaxTasks) + " are allowed"};
  }
  if (auto known = navigate::check_names(setting.robot); !known) return known.error();
  Random random = stream(seed, Stream::robot);
  world::World world = world::with_doors_fixed(setting.world, scheduled_doors(setting.scenario));
  const robot::Description robot = apply(setting.reality, setting.robot, random);
  auto planning = navigate::make_planning_model(world::with_doors_open(world), robot);
  if (!planning) return planning.error();
  planning->doors = setting.world.doors;  // whoever tells of doors counts those that never move, too
  auto route = plan_route(*planning, robot, setting.scenario);
  if (!route) return route.error();
  Cast cast = draw_cast(setting, seed, world, *planning, *route);

  std::vector<navigate::Task> tasks;
  for (const Goal& goal : setting.scenario.goals) tasks.push_back({goal.position, goal.wait});
  sense::Sensors sensors(world, robot);
  const world::ProjectionParams projection;
  world::Outline outline(world, {projection.step_height, robot.height});
  return Model{.world = std::move(world),
               .robot = robot,
               .believed = setting.robot.limits,
               .reality = setting.reality,
               .seed = seed,
               .start = setting.scenario.start,
               .tasks = std::move(tasks),
               .sensors = std::move(sensors),
               .outline = std::move(outline),
               .planning = std::move(*planning),
               .cast = std::move(cast)};
}

}  // namespace forerun::sim
