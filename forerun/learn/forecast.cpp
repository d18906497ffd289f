#include "forerun/learn/forecast.hpp"

#include <cstddef>

#include "forerun/base/check.hpp"
#include "forerun/navigate/control_systems.hpp"

namespace forerun::learn {

void Forecaster::errors(std::span<const Trial> trials, const robot::Description& robot, std::span<double> result) {
  FORERUN_CHECK(result.size() == trials.size());
  model_.robot.limits = robot.limits;
  model_.robot.control = robot.control;
  const auto control = navigate::make_own_control_system(model_.planning, model_.robot);
  predict::Replica replica(model_, *control);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const robot::Report& report = trials[i].report;
    replica.resync(report);
    replica.advance(report.time + kAhead);
    const Vec2 moved = replica.state().pose.position() - report.state.pose.position();
    result[i] = distance(moved, trials[i].moved);
  }
}

}  // namespace forerun::learn
