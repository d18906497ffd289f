#include "forerun/navigate/planning_model.hpp"

#include <cstdio>
#include <vector>

namespace forerun::navigate {
namespace {

Result<void> check_size(const world::World& world, const robot::Description& robot) {
  const Vec2 size = world::bounds(world).size();
  const double cell = robot.control.cell_size;
  if ((size.x / cell + 2) * (size.y / cell + 2) <= world::kMaxPlanCells) return {};
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the world %s of %.0f m by %.0f m is too large for planning in cells of %g m: give the robot %s a larger "
      "control cell_size_m",
      world.name.c_str(), size.x, size.y, cell, robot.name.c_str());
  return Error{text};
}

}  // namespace

double planning_radius(const robot::Description& robot) noexcept {
  return robot.footprint.radius + robot.control.planning_margin;
}

TargetParams target_params(const robot::Description& robot) noexcept {
  constexpr double kSideRoom = 0.25;  // wanted beside the way to a target, beyond what planning keeps free [m]
  return {.max_distance = robot.control.target_distance, .side_clearance = planning_radius(robot) + kSideRoom};
}

Result<PlanningModel> make_planning_model(const world::World& world, const robot::Description& robot) {
  if (auto size = check_size(world, robot); !size) return size.error();
  std::vector<world::Mover> leaves;
  for (const world::Door& door : world.doors) leaves.push_back(world::make_leaf(door, door.open ? 1 : 0));
  const world::ProjectionParams projection{.cell_size = robot.control.cell_size, .robot_height = robot.height};
  world::FreeGrid free = world::project(world, leaves, projection);
  Grid<float> clearance = world::clearance(free);
  const double radius = planning_radius(robot);
  const world::FreeGrid inflated = world::inflate(free, radius);
  const ClearanceCost cost{robot.control.clearance_distance, robot.control.clearance_cost};
  RoomyBlocks roomy(clearance);
  if (cost.distance <= 0 || cost.extra <= 0) {
    return PlanningModel{std::move(free), std::move(clearance), PlanningGrid(inflated), std::move(roomy),
                         radius,          world.doors};
  }
  const Grid<float> factors = clearance_factors(clearance, cost);
  return PlanningModel{std::move(free), std::move(clearance), PlanningGrid(inflated, &factors), std::move(roomy),
                       radius,          world.doors};
}

Result<void> check_place(const PlanningModel& model, const robot::Description& robot, Vec2 place,
                         const std::string& what) {
  char at[64];
  std::snprintf(at, sizeof at, " (%.6g, %.6g) ", place.x, place.y);
  if (!covers(model.grid.frame(), place)) return Error{what + at + "lies outside the world"};
  const Cell cell = model.grid.frame().cell_of(place);
  if (model.free[cell] == 0) return Error{what + at + "lies inside a wall or obstacle, or where there is no floor"};
  if (model.grid.is_free(cell)) return {};
  char room[120];
  std::snprintf(room, sizeof room, "%s needs %.2f m around its centre and has %.2f m", robot.name.c_str(),
                planning_radius(robot), static_cast<double>(model.clearance[cell]));
  return Error{what + at + "is too near to an obstacle: " + room};
}

}  // namespace forerun::navigate
