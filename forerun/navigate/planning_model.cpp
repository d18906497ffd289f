#include "forerun/navigate/planning_model.hpp"

namespace forerun::navigate {

double planning_radius(const robot::Description& robot) noexcept {
  return robot.footprint.radius + robot.control.planning_margin;
}

PlanningModel make_planning_model(const world::World& world, std::span<const world::Mover> leaves,
                                  const robot::Description& robot) {
  const world::ProjectionParams projection{.cell_size = robot.control.cell_size, .robot_height = robot.height};
  world::FreeGrid free = world::project(world, leaves, projection);
  Grid<float> clearance = world::clearance(free);
  const world::FreeGrid inflated = world::inflate(free, planning_radius(robot));
  const ClearanceCost cost{robot.control.clearance_distance, robot.control.clearance_cost};
  if (cost.distance <= 0 || cost.extra <= 0) return {std::move(free), std::move(clearance), PlanningGrid(inflated)};
  const Grid<float> factors = clearance_factors(clearance, cost);
  return {std::move(free), std::move(clearance), PlanningGrid(inflated, &factors)};
}

}  // namespace forerun::navigate
