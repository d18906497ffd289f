#include "forerun/predict/onward.hpp"

#include <utility>

#include "forerun/navigate/path.hpp"

namespace forerun::predict {
namespace {

constexpr double kOffGrid = 1.0;   // as the follower [m]
constexpr double kUnderWay = 0.1;  // [m/s]; a slower robot may well turn round
constexpr double kBehind = 0.3;    // the way is closed this far behind the robot's middle [m] …
constexpr double kAside = 3.0;     // … and at most this far to each side, up to the next wall [m]

constexpr std::size_t kBeforeEnd = 40;  // so many points before the end of its path it plans again

}  // namespace

OnwardPlanner::OnwardPlanner(const navigate::PlanningModel& model, const robot::Description& robot,
                             std::shared_ptr<navigate::GoalPlan> usual)
    : radius_(robot.footprint.radius),
      map_(model.grid),
      grid_(model.grid),
      values_(model.grid.frame()),
      usual_(std::move(usual)) {}

// Two cells thick, so that no diagonal step slips through.
void OnwardPlanner::close_behind(const Pose2& pose) noexcept {
  const double cell = grid_.frame().cell_size;
  const SinCos along = sincos(pose.theta);
  const Vec2 ahead{along.cos, along.sin}, left{-along.sin, along.cos};
  for (const double side : {1.0, -1.0}) {
    for (double aside = 0; aside < kAside; aside += cell / 2) {
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

void OnwardPlanner::plan(const Pose2& from, double speed, Vec2 goal, OnwardPath& path) noexcept {
  grid_.set_free(closed_, true);
  closed_.clear();
  const bool is_led = usual_ && usual_->lead_to(goal);
  if (is_led && usual_->grid_version() != grid_version_) {
    grid_ = usual_->grid();
    grid_version_ = usual_->grid_version();
  }
  if (speed > kUnderWay) close_behind(from);
  // what is not closed costs the same as ever, so a way that leads over none of it is still the cheapest
  if (is_led && follow(usual_->values(), usual_->grid(), from.position(), usual_->start_reach(from.position()), path))
    return;
  path.clear();
  const Cell start = grid_.frame().cell_of(from.position()), end = grid_.frame().cell_of(goal);
  // a robot that stands where none may looks for a way out, wherever that begins
  const bool possible = grid_.is_free(start) ? values_.plan_until(grid_, end, start) : values_.plan(grid_, end);
  if (possible) follow(values_, grid_, from.position(), is_led ? usual_->start_reach(from.position()) : kOffGrid, path);
}

bool OnwardPlanner::follow(const navigate::ValueFunction& values, const navigate::PlanningGrid& grid, Vec2 from,
                           double reach, OnwardPath& path) const noexcept {
  path.clear();
  const auto start = navigate::find_start(values, grid, from, reach);
  if (!start) return true;
  Cell cell = *start;
  unsigned heading = navigate::kDirections;
  bool open = grid_.is_free(cell);
  while (path.push_back(grid.frame().center(cell))) {
    heading = navigate::steepest_direction(values, grid, cell, heading);
    if (heading == navigate::kDirections) break;
    open = open && navigate::contains(grid_.moves(grid_.node(cell)), heading);
    cell = navigate::neighbour(cell, heading);
  }
  return open;
}

Onward::Onward(const robot::Description& robot, std::shared_ptr<OnwardPlanner> planner, const FollowerParams& params)
    : limits_(robot.limits), params_(params), planner_(std::move(planner)) {}

bool Onward::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  planned_ = false;
  return true;
}

// The point so far on along the path; its end, if that is nearer.
Vec2 Onward::point_on(Vec2 position, double far) noexcept {
  while (reached_ + 1 < path_.size() &&
         distance(position, path_[reached_ + 1]) <= distance(position, path_[reached_])) {
    ++reached_;
  }
  std::size_t i = reached_;
  for (double way = 0; way < far && i + 1 < path_.size(); ++i) way += distance(path_[i], path_[i + 1]);
  return path_[i];
}

navigate::Decision Onward::decide(const navigate::Percept& percept) noexcept {
  const Vec2 position = percept.pose.position();
  if (!goal_) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
  // a path that ends before the goal had no room for more
  const bool is_at_end = planned_ && reached_ + kBeforeEnd >= path_.size() && !path_.empty() &&
                         distance(path_[path_.size() - 1], *goal_) > kOffGrid;
  if (!planned_ || is_at_end) {
    planner_->plan(percept.pose, percept.velocity.vx, *goal_, path_);
    reached_ = 0;
    planned_ = true;
  }
  if (path_.empty()) return {.command = {}, .target = *goal_, .motion = navigate::Motion::blocked};
  const Vec2 point = point_on(position, look_ahead(params_, percept.velocity.vx));
  return steer(percept, point, distance(position, *goal_), limits_, params_);
}

}  // namespace forerun::predict
