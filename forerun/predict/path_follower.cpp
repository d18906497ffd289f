#include "forerun/predict/path_follower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forerun::predict {
namespace {

constexpr double kKeepsSide = 8;   // a robot beside the path comes back to it over about this way [m] …
constexpr double kFarAside = 1;    // … unless it is farther away than this [m]
constexpr double kStanding = 0.1;  // a robot that is slower than this [m/s] …
constexpr double kFaces = 0.4;     // … turns on the spot until it faces its path to this angle [rad]

}  // namespace

bool PathFollower::set_goal(std::optional<Vec2> goal) noexcept {
  goal_ = goal;
  return true;
}

void PathFollower::set_path(std::span<const Vec2> path) noexcept {
  path_.clear();
  for (const Vec2 point : path.first(std::min(path.size(), robot::PlannedPath::capacity()))) path_.push_back(point);
  reached_ = 0;
}

// The nearest place on the path that does not lie behind. Of places about as near the first one counts: paths may cross
// themselves.
void PathFollower::find_place(Vec2 position) noexcept {
  constexpr double kAsNear = 0.2;  // [m]
  double best = std::numeric_limits<double>::infinity();
  double place = reached_;
  for (auto i = static_cast<std::size_t>(reached_); i + 1 < path_.size(); ++i) {
    const Vec2 along = path_[i + 1] - path_[i];
    const double length2 = dot(along, along);
    const double least = std::max(0.0, reached_ - static_cast<double>(i));
    const double share = length2 > 0 ? clamp(dot(position - path_[i], along) / length2, least, 1.0) : 1;
    const double away = distance(position, path_[i] + along * share);
    if (away >= best - (best < 1e9 ? kAsNear : 0)) continue;
    best = away;
    place = static_cast<double>(i) + share;
  }
  reached_ = std::min(place, static_cast<double>(path_.size() - 1));
}

// The place `far` metres on from the one that is reached.
Vec2 PathFollower::ahead(double far) const noexcept {
  auto i = std::min(static_cast<std::size_t>(reached_), path_.size() - 2);
  Vec2 at = path_[i] + (path_[i + 1] - path_[i]) * (reached_ - static_cast<double>(i));
  for (; i + 1 < path_.size(); ++i) {
    const double left = distance(at, path_[i + 1]);
    if (left > far) return at + (path_[i + 1] - at) * (far / left);
    far -= left;
    at = path_[i + 1];
  }
  return at;
}

void PathFollower::forget() noexcept {
  reached_ = 0;
  started_ = false;
}

void PathFollower::take_side(Vec2 position) noexcept {
  started_ = true;
  from_ = position;
  beside_ = position - ahead(0);
  if (length(beside_) > kFarAside) beside_ = {};
}

navigate::Decision PathFollower::decide(const navigate::Percept& percept) noexcept {
  const Vec2 position = percept.pose.position();
  if (!goal_ || path_.size() < 2) return {.command = {}, .target = position, .motion = navigate::Motion::braking};
  find_place(position);
  if (!started_) take_side(position);
  const double kept = exp(-distance(position, from_) / kKeepsSide);
  const double far = look_ahead(params_, percept.velocity.vx);
  const double left = distance(position, path_[path_.size() - 1]);
  const Vec2 point = ahead(far) + beside_ * (left > far ? kept : 0);
  FollowerParams params = params_;
  if (std::fabs(percept.velocity.vx) < kStanding) params.turn_first_rad = std::min(params_.turn_first_rad, kFaces);
  navigate::Decision decision = steer(percept, point, distance(position, *goal_), limits_, params);
  // robots slow down in bends that hardly show in how they turn: each in its own way
  if (manners_ && std::fabs(decision.command.w) > Manners::kBend)
    decision.command.vx = std::min(decision.command.vx, manners_->bend_speed() * limits_.max_speed);
  return decision;
}

}  // namespace forerun::predict
