// The world in which a mission was tried out, as the robot's sensors would see it: what reality is compared with.
#pragma once

#include <utility>

#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/world/doors.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::mission {

struct RehearsedWorld {
  robot::Description robot;
  world::Outline outline;  // what its footprint can touch
  Box2 bounds;
  navigate::PlanningModel planning;
  sense::Sensors sensors;
};

// With every door as it stands at the beginning.
[[nodiscard]] inline Result<RehearsedWorld> make_rehearsed_world(const world::World& world,
                                                                 const robot::Description& robot) {
  const world::World fixed = world::with_doors_fixed(world);
  auto planning = navigate::make_planning_model(fixed, robot);
  if (!planning) return planning.error();
  const world::ProjectionParams projection;
  return RehearsedWorld{robot, world::Outline(fixed, {projection.step_height, robot.height}), world::bounds(world),
                        std::move(*planning), sense::Sensors(fixed, robot)};
}

}  // namespace forerun::mission
