#include "forerun/mission/rehearsal.hpp"

#include <cmath>
#include <utility>

#include "forerun/world/doors.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::mission {
namespace {

constexpr double kSlack = 1.05;     // limits are kept to with rounded numbers
constexpr double kRounding = 1e-3;  // of a place [m] or a heading [rad]

}  // namespace

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
  const Box2 bounds = world::bounds(world);
  for (const TimedPoint& point : mission.path) {
    const Vec2 place = point.pose.position();
    if (!bounds.contains(place) || clearance(robot.footprint, point.pose, outline) <= 0) {
      return Obstruction{point.time, place};
    }
  }
  return std::nullopt;
}

std::optional<double> find_leap(const Mission& mission, const robot::Description& robot) noexcept {
  const double fastest = kSlack * robot.limits.max_speed, turning = kSlack * robot.limits.max_turn_rate;
  const TimedPath& path = mission.path;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const TimedPoint& here = path[i];
    const robot::Twist& v = here.velocity;
    if (!(length(Vec2{v.vx, v.vy}) <= fastest && std::fabs(v.w) <= turning)) return here.time;
    if (i == 0) continue;
    const TimedPoint& before = path[i - 1];
    const double dt = here.time - before.time;
    const double way = distance(before.pose.position(), here.pose.position());
    if (!(way <= fastest * dt + kRounding &&
          std::fabs(here.pose.theta - before.pose.theta) <= turning * dt + kRounding)) {
      return here.time;
    }
  }
  return std::nullopt;
}

}  // namespace forerun::mission
