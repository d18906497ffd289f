#include "forerun/mission/rehearsal.hpp"

#include <utility>

#include "forerun/world/doors.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::mission {

Result<Trial> rehearse(const Mission& mission, const world::World& world, const robot::Description& robot,
                       const ExecutorParams& params) {
  const robot::Description driven = for_missions(robot);
  sim::Scenario scenario;
  scenario.start = mission.path.front().pose;
  auto model = sim::make_model({world, driven, scenario, sim::kExact}, 1);
  if (!model) return model.error();
  const auto known = make_rehearsed_world(world, driven);
  if (!known) return known.error();
  return run_trial(mission, *known, std::move(*model), params);
}

std::optional<Obstruction> find_obstruction(const Mission& mission, const world::World& world,
                                            const robot::Description& robot) {
  const world::ProjectionParams projection;
  const world::Outline outline(world::with_doors_fixed(world), {projection.step_height, robot.height});
  for (const TimedPoint& point : mission.path) {
    if (clearance(robot.footprint, point.pose, outline) <= 0) return Obstruction{point.time, point.pose.position()};
  }
  return std::nullopt;
}

}  // namespace forerun::mission
