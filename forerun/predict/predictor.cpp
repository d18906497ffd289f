#include "forerun/predict/predictor.hpp"

#include <algorithm>
#include <utility>

#include "forerun/base/check.hpp"
#include "forerun/predict/extrapolation.hpp"

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr Duration kStep = from_seconds(0.25);  // of what is remembered
constexpr double kMemory = 0.8;                 // of earlier errors, when drivers are compared
constexpr int kFewest = 3;                      // comparisons before a driver is changed
constexpr double kClearlyBetter = 0.8;  // a driver takes over when its error is below this share of the one's before
constexpr double kStanding = 0.1;       // slower than this a robot hardly moves [m/s]

// Whether the robot says when it decides next. One that does not has a control system that we know little about.
bool tells_phase(const robot::Report& report) noexcept { return report.until_decision > Duration{}; }

// Both on the way to the same goal.
bool is_same_leg(const robot::Report& a, const robot::Report& b) noexcept {
  return a.task == TaskState::driving && b.task == TaskState::driving && a.goal && a.goal == b.goal;
}

// Slower than expected, and not about to change that.
bool is_slow(const robot::Report& report, const TrailPoint& expected) noexcept {
  const bool drives = report.task == TaskState::driving && expected.task == TaskState::driving;
  const double soon = report.state.velocity.vx + report.acceleration.v * to_seconds(report.until_decision);
  return drives && soon < 0.6 * expected.state.velocity.vx - 0.05;
}

// Hardly came forward, though the goal is elsewhere.
bool is_stuck(const robot::Report& before, const robot::Report& report) noexcept {
  if (!is_same_leg(before, report) || to_seconds(report.time - before.time) < 2) return false;
  const Vec2 position = report.state.pose.position();
  return std::max(before.state.velocity.vx, report.state.velocity.vx) < kStanding &&
         distance(before.state.pose.position(), position) < 0.3 && distance(position, *report.goal) > 0.5;
}

std::shared_ptr<navigate::GoalPlan> make_plan(const ReplicaModel& model) {
  return std::make_shared<navigate::GoalPlan>(model.planning.grid, kPlannedGoals);
}

}  // namespace

Predictor::Course::Course(const Driver& driver, const DriverInputs& inputs)
    : name(driver.name), control(driver.make(inputs)), replica(inputs.model, *control) {}

Predictor::Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers)
    : Predictor(model, params, drivers, make_plan(model)) {}

Predictor::Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers,
                     const std::shared_ptr<navigate::GoalPlan>& plan)
    : model_(model),
      params_(params),
      ensemble_(model, drivers, plan, params.ensemble),
      filter_(params.filter),
      speed_(params.speed),
      certainty_(params.certainty),
      idle_certainty_(params.certainty) {
  FORERUN_ASSERT(!drivers.empty());
  for (const Driver& driver : drivers) courses_.emplace_back(driver, DriverInputs{model, model.robot, plan});
}

void Predictor::resync(const robot::Report& report) noexcept {
  FORERUN_ASSERT(!newest_ || report.time >= newest_->time);
  advance(report.time);
  filter_.take_in(report);
  const auto arrival = newest_ ? replica().arrival() : std::nullopt;
  goals_.take_in(report, arrival, speed_.scale() * model_.robot.limits.max_speed);
  if (newest_) {
    learn(report);
  } else if (!tells_phase(report)) {
    certainty_.start_with(params_.stranger_doubt);
    idle_certainty_.start_with(params_.stranger_doubt);
  }
  newest_ = report;
  start(goals_.completed(report));
}

void Predictor::learn(const robot::Report& report) noexcept {
  const auto expected = course().trail.at(report.time);
  if (!expected) return;
  learn_speed(report, *expected);
  learn_certainty(report, *expected);
  notice_hold_up(report, *expected);
  choose_driver(report);
}

void Predictor::learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept {
  if (!is_same_leg(*newest_, report) || expected.task != TaskState::driving) return;
  const PoseCovariance sure = filter_.covariance();
  const double time = to_seconds(report.time - newest_->time);
  speed_.observe(distance(start_.position(), filter_.pose().position()),
                 distance(start_.position(), expected.state.pose.position()),
                 speed_.scale() * model_.robot.limits.max_speed * time, sure.xx + sure.yy);
}

// A robot that waits and does not say for what surprises in its own way, and teaches nothing about one under way; nor
// does one that was given another goal meanwhile.
void Predictor::learn_certainty(const robot::Report& report, const TrailPoint& expected) noexcept {
  const bool under_way = newest_->goal.has_value();
  if (under_way && report.goal != newest_->goal && expected.task != report.task) return;
  Certainty& certainty = under_way ? certainty_ : idle_certainty_;
  certainty.learn(report.state.pose.position() - expected.state.pose.position(), expected.spread,
                  to_seconds(report.time - newest_->time), std::max(report.error.sigma_x, report.error.sigma_y));
}

void Predictor::notice_hold_up(const robot::Report& report, const TrailPoint& expected) noexcept {
  const bool held_up = is_slow(report, expected) || is_stuck(*newest_, report);
  n_held_up_ = held_up ? n_held_up_ + 1 : 0;
}

// A robot whose control system is another than was thought is better explained by one that is not particular.
void Predictor::choose_driver(const robot::Report& report) noexcept {
  if (!is_same_leg(*newest_, report) || report.time - newest_->time < from_seconds(1)) return;
  for (Course& one : courses_) {
    const auto expected = one.trail.at(report.time);
    if (!expected) return;
    const double off = distance(expected->state.pose.position(), report.state.pose.position());
    one.error = n_compared_ == 0 ? off : kMemory * one.error + (1 - kMemory) * off;
  }
  if (++n_compared_ < kFewest) return;
  const auto best = std::min_element(courses_.begin(), courses_.end(),
                                     [](const Course& a, const Course& b) { return a.error < b.error; });
  if (best->error < kClearlyBetter * course().error) driver_ = static_cast<std::size_t>(best - courses_.begin());
}

void Predictor::start(const robot::Report& report) noexcept {
  start_ = filter_.pose();
  Circumstances circumstances{.limits = scaled(model_.robot.limits, speed_.scale()),
                              .belief_error = filter_.belief_error(),
                              .belief_lasts_s = params_.filter.correlation_s};
  if (n_held_up_ > 0) {
    const int doublings = std::min(n_held_up_ - 1, 16);
    circumstances.relax_s = std::min(params_.relax_s * (1 << doublings), params_.longest_relax_s);
  }
  if (report.task == TaskState::driving && report.goal) circumstances.next = goals_.after(*report.goal);
  robot::Report begin = report;
  begin.state.pose = start_;
  for (Course& one : courses_) {
    one.replica.resync(begin, circumstances);
    one.trail.clear();
  }
  ensemble_.resync({driver_, report, start_, filter_.covariance(), circumstances, speed_.variance(), &goals_,
                    !newest_->goal.has_value()});
  time_ = report.time;
  state_ = begin.state;
  middle_ = start_.position();
  remember();
}

const robot::State& Predictor::advance(RobotTime now) noexcept {
  if (!newest_) return state_;
  while (time_ < now) {
    time_ = std::min(now, time_ + kStep);
    for (Course& one : courses_) one.replica.advance(time_);
    ensemble_.advance(time_);
    blend();
    remember();
  }
  return state_;
}

// A robot whose decisions come at unknown times does not change its mind at once: at first it goes on as it did.
void Predictor::blend() noexcept {
  state_ = replica().state();
  state_.pose = ensemble_.middle(state_.pose);
  middle_ = state_.pose.position();
  if (tells_phase(*newest_)) return;
  const Duration ahead = time_ - newest_->time;
  const double trust =
      clamp((to_seconds(ahead) - params_.trust_from_s) / (params_.trust_at_s - params_.trust_from_s), 0.0, 1.0);
  if (trust >= 1) return;
  robot::Report begin = *newest_;
  begin.state.pose = start_;
  const Pose2 on = extrapolate(begin, ahead).pose;
  Pose2& pose = state_.pose;
  pose = {on.x + trust * (pose.x - on.x), on.y + trust * (pose.y - on.y),
          normalize_angle(on.theta + trust * normalize_angle(pose.theta - on.theta))};
}

void Predictor::remember() noexcept {
  for (Course& one : courses_) {
    const bool chosen = &one == &course();
    const robot::State& state = chosen ? state_ : one.replica.state();
    one.trail.add({time_, state, one.replica.task(), chosen ? ensemble_.spread(middle_) : Spread{}});
  }
}

Region Predictor::region(double share) const noexcept {
  const double gap = newest_ ? to_seconds(time_ - newest_->time) : 0;
  const Certainty& certainty = newest_ && !newest_->goal ? idle_certainty_ : certainty_;
  Region region = certainty.region(share, state_.pose.position(), ensemble_.spread(middle_), gap);
  const double way = possible_way(share);
  region.major += way;
  region.minor += way;
  return region;
}

// How far the robot may have gone from the last goal that is known, while the replica waits there: nobody knows when it
// leaves, nor where to. As likely as not it is still there.
double Predictor::possible_way(double share) const noexcept {
  const auto since = replica().at_end_since();
  if (!since || share <= 0.5) return 0;
  const double left = to_seconds(time_ - *since) - params_.stays_s;
  const double speed = speed_.scale() * model_.robot.limits.max_speed;
  return std::max(0.0, left) * speed * std::min(1.0, (share - 0.5) / 0.45);
}

}  // namespace forerun::predict
