// A world as one robot's planner sees it. Built once, shared by all that plan in it.
#pragma once

#include <span>

#include "forerun/navigate/planning_grid.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/plan_grid.hpp"
#include "forerun/world/world.hpp"

namespace forerun::navigate {

struct PlanningModel {
  world::FreeGrid free;   // floor with nothing in the way
  Grid<float> clearance;  // distance to the nearest obstacle [m]
  PlanningGrid grid;      // where the robot's centre may be, and what it costs there
};

// `leaves`: door leaves as the planner believes they stand.
[[nodiscard]] PlanningModel make_planning_model(const world::World& world, std::span<const world::Mover> leaves,
                                                const robot::Description& robot);

// How near to an obstacle the planner lets the robot's centre come [m].
[[nodiscard]] double planning_radius(const robot::Description& robot) noexcept;

}  // namespace forerun::navigate
