#include "forerun/mission/rehearsal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/sense/contact.hpp"

namespace forerun::mission {
namespace {

constexpr double kStep = 0.02;      // between two places that are looked at [m] …
constexpr double kTurnStep = 0.05;  // … or headings [rad]
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

std::optional<Obstruction> find_obstruction(const Mission& mission, const RehearsedWorld& known) noexcept {
  const auto is_free = [&](const Pose2& pose) {
    return known.bounds.contains(pose.position()) &&
           !sense::in_contact({known.robot.footprint, pose}, known.outline, {});
  };
  const TimedPath& path = mission.path;
  if (!is_free(path.front().pose)) return Obstruction{path.front().time, path.front().pose.position()};
  for (std::size_t i = 1; i < path.size(); ++i) {
    const TimedPoint &a = path[i - 1], &b = path[i];
    const double way = distance(a.pose.position(), b.pose.position()), turn = std::fabs(b.pose.theta - a.pose.theta);
    const double n = std::ceil(std::max({way / kStep, turn / kTurnStep, 0.0}));
    for (double k = 1; k <= n; ++k) {
      const TimedPoint point = point_at({&a, 2}, a.time + (b.time - a.time) * k / n);
      if (!is_free(point.pose)) return Obstruction{point.time, point.pose.position()};
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
