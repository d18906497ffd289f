// A world as one robot's planner sees it. Built once, shared by all that plan in it.
#pragma once

#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/roomy_blocks.hpp"
#include "forerun/navigate/target_points.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/plan_grid.hpp"
#include "forerun/world/world.hpp"

namespace forerun::navigate {

struct PlanningModel {
  world::FreeGrid free;              // floor with nothing in the way
  Grid<float> clearance;             // distance to the nearest obstacle [m]
  PlanningGrid grid;                 // where the robot's centre may be, and what it costs there
  RoomyBlocks roomy;                 // where there is room, roughly
  double radius = 0;                 // how near to an obstacle the robot's centre may come [m]
  std::vector<world::Door> doors{};  // as changes of the world number them
};

// With every door as it stands at the beginning. An error where the grid would be too large.
[[nodiscard]] Result<PlanningModel> make_planning_model(const world::World& world, const robot::Description& robot);

// How near to an obstacle the planner lets the robot's centre come [m].
[[nodiscard]] double planning_radius(const robot::Description& robot) noexcept;

// How target points are chosen for this robot.
[[nodiscard]] TargetParams target_params(const robot::Description& robot) noexcept;

// An error where the robot cannot stand, which names the place: `what` (x, y).
[[nodiscard]] Result<void> check_place(const PlanningModel& model, const robot::Description& robot, Vec2 place,
                                       const std::string& what);

}  // namespace forerun::navigate
