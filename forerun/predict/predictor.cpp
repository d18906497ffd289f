#include "forerun/predict/predictor.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

Predictor::Predictor(const ReplicaModel& model, navigate::ControlSystem& control, const PredictorParams& params)
    : model_(model), params_(params), replica_(model, control) {}

// How far the robot came, against how far the replica would have come.
void Predictor::learn_speed(const robot::Report& report, const TrailPoint& expected_then) noexcept {
  const bool same_task = newest_->task == TaskState::driving && report.task == TaskState::driving &&
                         newest_->goal == report.goal && expected_then.task == TaskState::driving;
  const double expected = distance(start_.position(), expected_then.state.pose.position());
  if (!same_task || expected < 0.5) return;
  const double seen = distance(start_.position(), report.state.pose.position());
  const double observed = clamp(speed_scale_ * seen / expected, 0.3, 1.3);
  speed_scale_ += params_.speed_gain * (observed - speed_scale_);
}

// The report and the prediction, each with its own errors: localization is off in any direction, the prediction mostly
// along its way.
Pose2 Predictor::fuse(const robot::Report& report, const TrailPoint& expected_then) noexcept {
  const Pose2& said = report.state.pose;
  const double sigma = std::max(report.error.sigma_x, report.error.sigma_y);
  const Pose2& expected = expected_then.state.pose;
  const double driven = distance(start_.position(), expected.position());
  const double time = to_seconds(report.time - newest_->time);
  const double still = params_.still_growth * sqrt(time);
  const double along = sqrt(square(along_) + square(params_.along_growth * driven) + square(still));
  const double across = sqrt(square(across_) + square(params_.across_growth * driven) + square(still));
  const double heading = sqrt(square(heading_) + square(0.1 * std::min(driven, 1.0)) + square(0.01));

  const Transform2 world_from_expected(expected);
  const Vec2 off = world_from_expected.to_local(said.position());
  const double off_heading = normalize_angle(said.theta - expected.theta);
  const double surprise =
      square(off.x) / (square(along) + square(sigma)) + square(off.y) / (square(across) + square(sigma));
  if (sigma <= 0 || surprise > 9) {
    along_ = across_ = sigma;
    heading_ = report.error.sigma_heading;
    return said;
  }
  const double a = square(along) / (square(along) + square(sigma));
  const double c = square(across) / (square(across) + square(sigma));
  const double h = square(heading) / (square(heading) + square(report.error.sigma_heading));
  along_ = sqrt(a) * sigma;
  across_ = sqrt(c) * sigma;
  heading_ = sqrt(h) * report.error.sigma_heading;
  const Vec2 position = world_from_expected * Vec2{off.x * a, off.y * c};
  return {position.x, position.y, normalize_angle(expected.theta + h * off_heading)};
}

void Predictor::resync(const robot::Report& report) noexcept {
  if (newest_ && report.time < newest_->time) return;
  robot::Report start = report;
  if (newest_) advance(report.time);
  const auto expected = newest_ ? trail_.at(report.time) : std::nullopt;
  if (expected) {
    learn_speed(report, *expected);
    start.state.pose = fuse(report, *expected);
  } else {
    along_ = across_ = std::max(report.error.sigma_x, report.error.sigma_y);
    heading_ = report.error.sigma_heading;
  }
  newest_ = report;
  start_from(start);
  if (expected && is_held_up(report, *expected)) replica_.hold_up(report.state.velocity.vx, params_.relax_s);
}

void Predictor::start_from(const robot::Report& report) noexcept {
  start_ = report.state.pose;
  replica_.set_limits(scaled(model_.robot.limits, speed_scale_));
  replica_.resync(report);
  trail_.clear();
  trail_.add({replica_.time(), replica_.state(), replica_.task()});
}

const robot::State& Predictor::advance(RobotTime now) noexcept {
  while (replica_.time() < now) {
    replica_.advance(std::min(now, replica_.time() + kTrailStep));
    trail_.add({replica_.time(), replica_.state(), replica_.task()});
  }
  return replica_.state();
}

}  // namespace forerun::predict
