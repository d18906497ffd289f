#include "forerun/predict/report_filter.hpp"

#include <algorithm>

namespace forerun::predict {
namespace {

constexpr double kMeasured = 1e-6;  // variance that keeps the matrices regular [m², rad²]
constexpr double kSurprise = 16;    // squared deviations of this size are no chance any more

double sigma_of(const robot::PoseError& error) noexcept { return std::max(error.sigma_x, error.sigma_y); }

}  // namespace

void ReportFilter::take_in(const robot::Report& report) noexcept {
  const bool usable = report.odometry && sigma_of(report.error) > 0;
  if (!usable) {
    running_ = false;
    pose_ = report.state.pose;
    return;
  }
  if (running_) {
    const Motion motion = motion_to(report);
    move_on(motion);
    add_noise(motion, report.error);
    if (contradicts(report)) running_ = false;
  }
  if (!running_) {
    restart(report);
  } else {
    const Pose2& said = report.state.pose;
    measure(kX, kErrorX, said.x - state_[kX] - state_[kErrorX]);
    measure(kY, kErrorY, said.y - state_[kY] - state_[kErrorY]);
    measure(kTurn, kErrorHeading,
            normalize_angle(said.theta - report.odometry->theta - state_[kTurn] - state_[kErrorHeading]));
  }
  odometry_ = *report.odometry;
  time_ = report.time;
  pose_ = {state_[kX], state_[kY], normalize_angle(odometry_.theta + state_[kTurn])};
}

void ReportFilter::restart(const robot::Report& report) noexcept {
  const double position = square(sigma_of(report.error));
  const double heading = square(std::max(report.error.sigma_heading, 1e-4));
  const Pose2& said = report.state.pose;
  state_ = {};
  state_[kX] = said.x;
  state_[kY] = said.y;
  state_[kTurn] = normalize_angle(said.theta - report.odometry->theta);
  covariance_ = {};
  // what localization errs, the pose is off to the other side
  const auto couple = [this](StateIndex what, StateIndex error, double variance) {
    covariance_(what, what) = covariance_(error, error) = variance;
    covariance_(what, error) = covariance_(error, what) = -variance;
  };
  couple(kX, kErrorX, position);
  couple(kY, kErrorY, position);
  couple(kTurn, kErrorHeading, heading);
  covariance_(kScale, kScale) = square(params_.scale_sigma);
  covariance_(kDrift, kDrift) = square(params_.drift_sigma);
  covariance_(kTurnScale, kTurnScale) = square(params_.turn_scale_sigma);
  running_ = true;
}

// Where on the way it turned is not known: half-way, on average.
ReportFilter::Motion ReportFilter::motion_to(const robot::Report& report) const noexcept {
  const Pose2 counted = robot::odometry_between(odometry_, *report.odometry);
  const Vec2 moved = counted.position();
  Motion motion;
  motion.driven = length(moved);
  motion.turned = counted.theta;
  motion.turn = state_[kDrift] * motion.driven + state_[kTurnScale] * motion.turned;
  motion.scale = 1 + state_[kScale];
  const SinCos angle = sincos(state_[kTurn] + motion.turn / 2);
  motion.seen = {angle.cos * moved.x - angle.sin * moved.y, angle.sin * moved.x + angle.cos * moved.y};
  motion.kept = exp(-to_seconds(report.time - time_) / params_.correlation_s);
  return motion;
}

// Of the state with respect to the one before.
ReportFilter::StateMatrix ReportFilter::derivatives(const Motion& motion) noexcept {
  StateMatrix step = identity<kStates>();
  for (const StateIndex error : {kErrorX, kErrorY, kErrorHeading}) step(error, error) = motion.kept;
  step(kX, kScale) = motion.seen.x;
  step(kY, kScale) = motion.seen.y;
  const double share[] = {1, motion.driven / 2, motion.turned / 2};
  const StateIndex turns[] = {kTurn, kDrift, kTurnScale};
  for (std::size_t i = 0; i < 3; ++i) {
    step(kX, turns[i]) += -motion.scale * motion.seen.y * share[i];
    step(kY, turns[i]) += motion.scale * motion.seen.x * share[i];
  }
  step(kTurn, kDrift) = motion.driven;
  step(kTurn, kTurnScale) = motion.turned;
  return step;
}

void ReportFilter::move_on(const Motion& motion) noexcept {
  state_[kX] += motion.scale * motion.seen.x;
  state_[kY] += motion.scale * motion.seen.y;
  state_[kTurn] += motion.turn;
  for (const StateIndex error : {kErrorX, kErrorY, kErrorHeading}) state_[error] *= motion.kept;
  const StateMatrix step = derivatives(motion);
  covariance_ = step * covariance_ * transposed(step);
}

// What the motion makes less sure.
void ReportFilter::add_noise(const Motion& motion, const robot::PoseError& error) noexcept {
  const double driven = motion.driven;
  const double when =
      0.3 * driven *
      sqrt(covariance_(kDrift, kDrift) * square(driven) + covariance_(kTurnScale, kTurnScale) * square(motion.turned));
  const double lost = square(params_.position_growth * driven) + square(when) + 1e-8;
  covariance_(kX, kX) += lost;
  covariance_(kY, kY) += lost;
  covariance_(kTurn, kTurn) += square(params_.heading_growth * driven);
  const double renewed = 1 - square(motion.kept);
  covariance_(kErrorX, kErrorX) += square(sigma_of(error)) * renewed;
  covariance_(kErrorY, kErrorY) += square(sigma_of(error)) * renewed;
  covariance_(kErrorHeading, kErrorHeading) += square(error.sigma_heading) * renewed;
}

// Carried away, or the odometry started over: what was known is worth nothing now.
bool ReportFilter::contradicts(const robot::Report& report) const noexcept {
  const auto surprise = [this](StateIndex what, StateIndex error, double off) {
    const double variance = covariance_(what, what) + covariance_(error, error) + 2 * covariance_(what, error);
    return square(off) / (variance + kMeasured);
  };
  const Pose2& said = report.state.pose;
  const double turn = normalize_angle(said.theta - report.odometry->theta - state_[kTurn] - state_[kErrorHeading]);
  return surprise(kX, kErrorX, said.x - state_[kX] - state_[kErrorX]) > kSurprise ||
         surprise(kY, kErrorY, said.y - state_[kY] - state_[kErrorY]) > kSurprise ||
         surprise(kTurn, kErrorHeading, turn) > kSurprise;
}

// Seen is the sum of `what` and `error`; `difference` is how far it is from what was expected.
void ReportFilter::measure(StateIndex what, StateIndex error, double difference) noexcept {
  const Matrix<1, kStates> row = covariance_.row(what) + covariance_.row(error);
  const double variance = row(0, what) + row(0, error) + kMeasured;
  const Vector<kStates> gain = transposed(row) / variance;
  state_ += gain * difference;
  covariance_ -= gain * row;
}

Pose2 ReportFilter::belief_error() const noexcept {
  if (!running_) return {};
  return {state_[kErrorX], state_[kErrorY], state_[kErrorHeading]};
}

PoseCovariance ReportFilter::covariance() const noexcept {
  if (!running_) return {};
  return {covariance_(kX, kX), covariance_(kX, kY), covariance_(kY, kY), covariance_(kTurn, kTurn)};
}

}  // namespace forerun::predict
