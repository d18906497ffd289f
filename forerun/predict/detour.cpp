#include "forerun/predict/detour.hpp"

#include <cmath>

#include "forerun/navigate/path.hpp"

namespace forerun::predict {
namespace {

constexpr double kOffGrid = 1.0;   // as the follower [m]
constexpr double kUnderWay = 0.1;  // [m/s]; a slower robot may well turn round
constexpr double kBehind = 0.3;    // the way is closed this far behind the robot's middle [m] …
constexpr double kAside = 3.0;     // … and at most this far to each side, up to the next wall [m]

}  // namespace

Detour::Detour(const navigate::PlanningModel& model, const robot::Description& robot, const FollowerParams& params)
    : limits_(robot.limits),
      params_(params),
      radius_(robot.footprint.radius),
      map_(model.grid),
      grid_(model.grid),
      values_(model.grid.frame()) {}

bool Detour::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  planned_ = false;
  return !goal || grid_.is_free(grid_.frame().cell_of(*goal));
}

bool Detour::can_reach_goal_from(Vec2 position) const noexcept {
  return goal_ && planned_ && navigate::find_start(values_, grid_, position, kOffGrid).has_value();
}

// Two cells thick, so that no diagonal step slips through.
void Detour::close_behind(const Pose2& pose) noexcept {
  const double cell = grid_.frame().cell_size;
  const SinCos along = sincos(pose.theta);
  const Vec2 ahead{along.cos, along.sin}, left{-along.sin, along.cos};
  for (const double side : {1.0, -1.0}) {
    for (double aside = side > 0 ? 0 : cell / 2; aside < kAside; aside += cell / 2) {
      const Vec2 place = pose.position() - ahead * kBehind + left * (side * aside);
      const Cell here = grid_.frame().cell_of(place), next = grid_.frame().cell_of(place - ahead * cell);
      if (aside > radius_ && !map_.is_free(here)) break;
      for (const Cell one : {here, next}) {
        if (!grid_.is_free(one) || !closed_.push_back(one)) continue;
        grid_.set_free({&one, 1}, false);
      }
    }
  }
}

void Detour::plan(const Pose2& pose, double speed) noexcept {
  grid_.set_free(closed_, true);
  closed_.clear();
  if (speed > kUnderWay) close_behind(pose);
  static_cast<void>(values_.plan(grid_, grid_.frame().cell_of(*goal_)));
  planned_ = true;
}

navigate::Decision Detour::decide(const navigate::Percept& percept) noexcept {
  const Vec2 position = percept.pose.position();
  if (!goal_) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
  if (!planned_) plan(percept.pose, percept.velocity.vx);
  const auto point = point_ahead(values_, grid_, position, look_ahead(params_, percept.velocity.vx), *goal_);
  if (!point) return {.command = {}, .target = *goal_, .motion = navigate::Motion::blocked};
  return steer(percept, *point, distance(position, *goal_), limits_, params_);
}

}  // namespace forerun::predict
