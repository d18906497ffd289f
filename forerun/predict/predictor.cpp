#include "forerun/predict/predictor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr Duration kTrailStep = from_seconds(0.25);

robot::Limits scaled(const robot::Limits& limits, double scale) noexcept {
  robot::Limits result = limits;
  for (double* limit : {&result.max_speed, &result.max_turn_rate, &result.acceleration, &result.deceleration,
                        &result.turn_acceleration, &result.turn_deceleration}) {
    *limit *= scale;
  }
  return result;
}

// Slower than expected, and not about to change that.
bool is_held_up(const robot::Report& report, const TrailPoint& expected) noexcept {
  const bool drives = report.task == TaskState::driving && expected.task == TaskState::driving;
  const double soon = report.state.velocity.vx + report.acceleration.v * to_seconds(report.until_decision);
  return drives && soon < 0.6 * expected.state.velocity.vx - 0.05;
}

// Members differ in seven respects. In each, half of them are off to one side and half to the other, and no two
// respects go together (an orthogonal array): that few members then spread as many random ones would on average.
double sign(int member, int respect) noexcept {
  int bits = member & respect;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return (bits & 1) != 0 ? -1 : 1;
}

ControlFactory navigators(const ReplicaModel& model) {
  return [&model, plan = std::make_shared<navigate::GoalPlan>(model.planning.grid)](const robot::Description& robot) {
    return std::make_unique<navigate::Navigator>(model.planning, robot, plan);
  };
}

}  // namespace

Predictor::Predictor(const ReplicaModel& model, const PredictorParams& params)
    : Predictor(model, navigators(model), params) {}

Predictor::Predictor(const ReplicaModel& model, const ControlFactory& make_control, const PredictorParams& params)
    : model_(model),
      params_(params),
      best_(std::make_unique<Member>(model, make_control(model.robot))),
      filter_(params.filter),
      random_(1, 0x5eed) {
  for (int i = 0; i < params.members; ++i) {
    robot::Description robot = model.robot;
    robot.control.heading_weight *= exp(params.weight_spread * sign(i, 5));
    robot.control.distance_weight *= exp(params.weight_spread * sign(i, 6));
    robot.control.velocity_weight *= exp(params.weight_spread * sign(i, 7));
    members_.push_back(std::make_unique<Member>(model, make_control(robot)));
  }
}

// How far the robot came, against how far the replica would have come. That says most where nothing but the robot's top
// speed mattered: where the replica drove as fast as it could all the time.
void Predictor::learn_speed(const robot::Report& report, const TrailPoint& expected_then) noexcept {
  const bool same_task = newest_->task == TaskState::driving && report.task == TaskState::driving &&
                         newest_->goal == report.goal && expected_then.task == TaskState::driving;
  const double expected = distance(start_.position(), expected_then.state.pose.position());
  if (!same_task || expected < 0.5) return;
  const double seen = distance(start_.position(), filter_.pose().position());
  const double off = clamp(seen / expected, 0.3, 1.5) * speed_scale_ - speed_scale_;
  const double farthest = speed_scale_ * model_.robot.limits.max_speed * to_seconds(report.time - newest_->time);
  const double slowed = clamp(1 - expected / farthest, 0.0, 1.0);
  const ReportFilter::Spread spread = filter_.spread();
  double noise =
      square(params_.speed_noise) + square(params_.slow_noise * slowed) + (spread.xx + spread.yy) / square(expected);
  speed_variance_ += square(params_.speed_drift);
  const double surprise = square(off) / (speed_variance_ + noise);
  if (surprise > 4) noise += square(off) * params_.robust;  // something else happened, most likely
  const double gain = speed_variance_ / (speed_variance_ + noise);
  speed_scale_ = clamp(speed_scale_ + gain * off, 0.3, 1.3);
  speed_variance_ *= 1 - gain;
}

void Predictor::resync(const robot::Report& report) noexcept {
  if (newest_ && report.time < newest_->time) return;
  if (newest_) advance(report.time);
  const auto expected = newest_ ? trail_.at(report.time) : std::nullopt;
  filter_.take_in(report);
  if (expected) learn_speed(report, *expected);
  if (expected) learn_certainty(report, *expected);
  held_up_ = expected && is_held_up(report, *expected);
  newest_ = report;
  robot::Report begin = report;
  begin.state.pose = filter_.pose();
  start_ = begin.state.pose;
  start(*best_, begin, speed_scale_);
  best_->replica.mislead(filter_.belief_error(), params_.filter.correlation_s);
  start_members(report);
  trail_.clear();
  remember();
}

void Predictor::start(Member& member, const robot::Report& report, double speed_scale) noexcept {
  member.replica.set_limits(scaled(model_.robot.limits, speed_scale));
  member.replica.resync(report);
  if (held_up_) member.replica.hold_up(report.state.velocity.vx, params_.relax_s);
}

void Predictor::start_members(const robot::Report& report) noexcept {
  const ReportFilter::Spread spread = filter_.spread();
  const double first = sqrt(spread.xx);  // Cholesky factors
  const double mixed = first > 0 ? spread.xy / first : 0;
  const double second = sqrt(std::max(0.0, spread.yy - square(mixed)));
  for (int i = 0; i < params_.members; ++i) {
    Member& member = *members_[static_cast<std::size_t>(i)];
    const double a = sign(i, 1), b = sign(i, 2);
    robot::Report begin = report;
    const Pose2& pose = filter_.pose();
    begin.state.pose = {pose.x + first * a, pose.y + mixed * a + second * b,
                        normalize_angle(pose.theta + sqrt(spread.heading) * sign(i, 3))};
    member.replica.expose({.velocity = params_.velocity_noise,
                           .position = std::max(report.error.sigma_x, report.error.sigma_y),
                           .heading = report.error.sigma_heading,
                           .period = params_.period_noise},
                          Random(random_.bits(), 7));
    start(member, begin, speed_scale_ * exp(sqrt(speed_variance_ + square(params_.speed_spread)) * sign(i, 4)));
    const Pose2& said = report.state.pose;
    const Pose2& begun = begin.state.pose;
    member.replica.mislead({said.x - begun.x, said.y - begun.y, normalize_angle(said.theta - begun.theta)},
                           params_.filter.correlation_s);
  }
}

const robot::State& Predictor::advance(RobotTime now) noexcept {
  Replica& best = best_->replica;
  while (best.time() < now) {
    const RobotTime next = std::min(now, best.time() + kTrailStep);
    best.advance(next);
    for (const auto& member : members_) member->replica.advance(next);
    remember();
  }
  return best.state();
}

void Predictor::remember() noexcept {
  const Replica& best = best_->replica;
  trail_.add({best.time(), best.state(), best.task(), spread()});
}

Spread Predictor::spread() const noexcept {
  const Vec2 centre = best_->replica.state().pose.position();
  Spread spread{square(params_.floor), 0, square(params_.floor)};
  const std::size_t n = members_.size();
  if (n == 0) return spread;
  for (const auto& member : members_) {
    const Vec2 off = member->replica.state().pose.position() - centre;
    spread.xx += off.x * off.x / static_cast<double>(n);
    spread.xy += off.x * off.y / static_cast<double>(n);
    spread.yy += off.y * off.y / static_cast<double>(n);
  }
  std::array<double, kMostMembers> far{};
  for (std::size_t i = 0; i < n; ++i) {
    far[i] = spread.distance2(members_[i]->replica.state().pose.position() - centre);
  }
  std::sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(n));
  // their squared distances are two on average
  spread.evenness = clamp(sqrt((far[(n - 1) / 2] + far[n / 2]) / 4), 0.05, 1.0);
  return spread;
}

// Ever wider, the more often and the farther the robot was outside; slowly back otherwise.
void Predictor::learn_certainty(const robot::Report& report, const TrailPoint& expected) noexcept {
  const double gap = to_seconds(report.time - newest_->time);
  if (gap < 1) return;
  Spread seen = expected.spread;
  const double widened = square(k(0.95, seen.evenness) * widening(gap));
  seen.xx = widened * seen.xx + 6 * square(report.error.sigma_x);
  seen.xy = widened * seen.xy;
  seen.yy = widened * seen.yy + 6 * square(report.error.sigma_y);
  const double far = sqrt(seen.distance2(report.state.pose.position() - expected.state.pose.position()));
  const double change = far > 1 ? 0.95 * std::min(far, 4.0) : -0.05;
  doubt_ = clamp(doubt_ * exp(params_.doubt_gain * change), 1.0, 20.0);
}

double Predictor::widening(double gap) const noexcept { return 1 + (doubt_ - 1) * (1 - exp(-gap / 2)); }

// Semi-axes of a region in standard deviations: those of a normal distribution, and what experience adds to them.
// Where most members agree and few are far off, so is the robot: half of its chances lie in a small region then.
double Predictor::k(double share, double evenness) const noexcept {
  const double half = params_.k50 * exp(params_.peak * log(evenness));
  const double factor = half + (params_.k95 - half) * (share - 0.5) / 0.45;
  return sqrt(-2 * log(1 - share)) * factor;
}

Region Predictor::region(double share) const noexcept {
  const Spread now = spread();
  const double gap = newest_ ? to_seconds(best_->replica.time() - newest_->time) : 0;
  const double size = k(share, now.evenness) * widening(gap);
  const double mean = (now.xx + now.yy) / 2;
  const double apart = sqrt(square((now.xx - now.yy) / 2) + square(now.xy));
  return {best_->replica.state().pose.position(), size * sqrt(mean + apart), size * sqrt(std::max(mean - apart, 1e-8)),
          atan2(2 * now.xy, now.xx - now.yy) / 2};
}

}  // namespace forerun::predict
