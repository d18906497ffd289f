#include "forerun/mission/try_out.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/mission/action.hpp"
#include "forerun/navigate/control_systems.hpp"

namespace forerun::mission {
namespace {

constexpr double kAtRest = 1e-3;        // slower than this it stands [m/s], [rad/s]
constexpr double kLongestBraking = 10;  // [s]

Error too_long() { return Error{"a try-out lasts at most 30 minutes and has at most 500 stretches"}; }

}  // namespace

Result<std::unique_ptr<TryOut>> TryOut::make(const world::World& world, const robot::Description& robot,
                                             const Pose2& start) {
  sim::Scenario scenario;
  scenario.start = start;
  auto model = sim::make_model({world, robot, scenario, sim::kExact}, 1);
  if (!model) return model.error();
  return std::unique_ptr<TryOut>(new TryOut(std::move(*model)));
}

TryOut::TryOut(sim::Model model)
    : model_(std::move(model)),
      start_(model_.start),
      control_(navigate::make_own_control_system(model_.planning, model_.robot)) {
  keep(0);
}

void TryOut::keep(std::size_t n) {
  loop_.reset();
  if (n < stretches_.size()) {
    path_.resize(stretches_[n].first);
    collisions_ = stretches_[n].collisions;
    stretches_.resize(n);
    std::erase_if(contacts_, [&](std::size_t point) { return point >= path_.size(); });
  }
  if (path_.empty()) path_.push_back({.pose = start_});
}

Result<void> TryOut::begin(const std::vector<navigate::Task>& tasks) {
  if (stretches_.size() >= kMostStretches || path_.back().time >= kLongestTryOut) return too_long();
  stretches_.push_back({path_.size(), collisions_, {}});
  model_.start = path_.back().pose;
  model_.tasks = tasks;
  control_->forget();
  control_->set_goal(std::nullopt);
  loop_.emplace(model_, *control_);
  recorder_ = PathRecorder(kTryOutPeriod);
  recorder_.take(*loop_);
  n_taken_ = 1;  // the phantom was there already
  return {};
}

// What it is to do where it has come to rest.
void TryOut::act() {
  const std::string& action = stretches_.back().action;
  if (action.empty() || path_.size() <= stretches_.back().first) return;
  path_.back().action = action;
  path_.back().waypoint = true;
}

void TryOut::end() {
  collisions_ = collisions();
  loop_.reset();
}

bool TryOut::is_at_rest() const noexcept {
  const robot::Twist& v = loop_->truth().velocity;
  return std::fabs(v.vx) < kAtRest && std::fabs(v.vy) < kAtRest && std::fabs(v.w) < kAtRest;
}

void TryOut::advance(double step_s) {
  const double steps = std::max(1.0, std::round(step_s / kTryOutPeriod));
  const RobotTime until = loop_->time() + from_seconds(steps * kTryOutPeriod);
  while (loop_->time() < until) {
    const int before = loop_->statistics().collisions;
    loop_->step();
    // the recorder's first point is the last one of the stretch before; nobody has seen the next one yet
    const std::size_t next = stretches_.back().first + recorder_.path().size() - 1;
    if (loop_->statistics().collisions > before) contacts_.push_back(next);
    recorder_.take(*loop_);
  }
  take_points();
}

// Times and encoder counts go on from one stretch to the next.
void TryOut::take_points() {
  const std::size_t first = stretches_.back().first;
  const PathPoint before = path_[first - 1];
  for (; n_taken_ < recorder_.path().size(); ++n_taken_) {
    PathPoint point = recorder_.path()[n_taken_];
    point.time += before.time;
    for (std::size_t i = 0; i < point.ticks.size(); ++i) point.ticks[i] += before.ticks[i];
    path_.push_back(point);
  }
}

Result<bool> TryOut::drive(const robot::Twist& wanted, double step_s) {
  if (!std::isfinite(wanted.vx) || !std::isfinite(wanted.vy) || !std::isfinite(wanted.w)) {
    return Error{"the velocities must be finite numbers"};
  }
  if (!(step_s >= 0 && step_s <= kLongestTryOut)) return Error{"the step must be from 0 s to 1800 s"};
  const bool stands = wanted == robot::Twist{};
  if (!loop_ && stands) return true;
  if (!loop_) {
    if (auto begun = begin({}); !begun) return begun.error();
  } else if (path_.back().time >= kLongestTryOut && !stands) {
    return too_long();
  }
  static_cast<void>(loop_->command({robot::CommandKind::drive, {}, wanted}));
  advance(step_s);
  if (!stands || !is_at_rest()) return false;
  end();
  return true;
}

Result<void> TryOut::send_to(const navigate::Task& waypoint, const std::string& action) {
  if (!(std::fabs(waypoint.goal.x) <= 1e6 && std::fabs(waypoint.goal.y) <= 1e6)) {
    return Error{"the waypoint is none: its coordinates must be numbers within 1000 km"};
  }
  if (!(waypoint.wait >= 0 && waypoint.wait <= 600)) return Error{"the wait must be from 0 s to 600 s"};
  if (!action.empty() && !is_action_name(action)) return Error{std::string("an action must have ") + kActionRule};
  if (auto ok = navigate::check_place(model_.planning, model_.robot, waypoint.goal, "the waypoint at"); !ok) return ok;
  for (double t = 0; loop_ && t < kLongestBraking; t += kTryOutPeriod) {
    if (auto braked = drive({}, kTryOutPeriod); !braked) return braked.error();
  }
  if (loop_) end();
  if (auto begun = begin({waypoint}); !begun) return begun;
  stretches_.back().action = action;
  if (loop_->executive().state() != robot::TaskState::unreachable) return {};
  keep(stretches_.size() - 1);
  return Error{"no way leads to the waypoint from where the phantom is", ErrorKind::impossible};
}

Result<bool> TryOut::run(double step_s) {
  if (!(step_s >= 0 && step_s <= kLongestTryOut)) return Error{"the step must be from 0 s to 1800 s"};
  if (loop_ && loop_->helm() == sim::Helm::hand) return drive({}, step_s);
  for (double t = 0; loop_ && t < step_s; t += kTryOutPeriod) {
    if (path_.back().time >= kLongestTryOut) return too_long();
    advance(kTryOutPeriod);
    if (!loop_->finished() || !is_at_rest()) continue;
    const bool arrived = model_.tasks.empty() || loop_->executive().n_reached() == model_.tasks.size();
    if (!arrived) return Error{"the phantom did not get to the waypoint", ErrorKind::impossible};
    act();
    end();
  }
  return !loop_.has_value();
}

robot::State TryOut::state() const noexcept { return loop_ ? loop_->truth() : robot::State{path_.back().pose, {}}; }

int TryOut::collisions() const noexcept { return collisions_ + (loop_ ? loop_->statistics().collisions : 0); }

}  // namespace forerun::mission
