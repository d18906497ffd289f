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
    move_on(report);
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
  state_ = {said.x, said.y, normalize_angle(said.theta - report.odometry->theta)};
  covariance_ = {};
  // what localization errs, the pose is off to the other side
  const auto couple = [this](StateIndex what, StateIndex error, double variance) {
    covariance_[what][what] = covariance_[error][error] = variance;
    covariance_[what][error] = covariance_[error][what] = -variance;
  };
  couple(kX, kErrorX, position);
  couple(kY, kErrorY, position);
  couple(kTurn, kErrorHeading, heading);
  covariance_[kScale][kScale] = square(params_.scale_sigma);
  covariance_[kDrift][kDrift] = square(params_.drift_sigma);
  covariance_[kTurnScale][kTurnScale] = square(params_.turn_scale_sigma);
  running_ = true;
}

// By what the wheels counted since the report before. Where on the way it turned is not known: half-way, on average.
void ReportFilter::move_on(const robot::Report& report) noexcept {
  const Pose2 counted = robot::odometry_between(odometry_, *report.odometry);
  const Vec2 moved = counted.position();
  const double turned = counted.theta;
  const double driven = length(moved);
  const double turn = state_[kDrift] * driven + state_[kTurnScale] * turned;
  const SinCos angle = sincos(state_[kTurn] + turn / 2);
  const Vec2 seen{angle.cos * moved.x - angle.sin * moved.y, angle.sin * moved.x + angle.cos * moved.y};
  const double scale = 1 + state_[kScale];
  const double kept = exp(-to_seconds(report.time - time_) / params_.correlation_s);

  state_[kX] += scale * seen.x;
  state_[kY] += scale * seen.y;
  state_[kTurn] += turn;
  for (const StateIndex error : {kErrorX, kErrorY, kErrorHeading}) state_[error] *= kept;

  std::array<Row, kStates> step{};  // derivatives of the state with respect to the one before
  for (std::size_t i = 0; i < kStates; ++i) step[i][i] = i < kErrorX ? 1 : kept;
  step[kX][kScale] = seen.x;
  step[kY][kScale] = seen.y;
  const double share[] = {1, driven / 2, turned / 2};
  const StateIndex turns[] = {kTurn, kDrift, kTurnScale};
  for (std::size_t i = 0; i < 3; ++i) {
    step[kX][turns[i]] += -scale * seen.y * share[i];
    step[kY][turns[i]] += scale * seen.x * share[i];
  }
  step[kTurn][kDrift] = driven;
  step[kTurn][kTurnScale] = turned;

  std::array<Row, kStates> half{}, moved_covariance{};
  for (std::size_t i = 0; i < kStates; ++i) {
    for (std::size_t j = 0; j < kStates; ++j) {
      for (std::size_t k = 0; k < kStates; ++k) half[i][j] += step[i][k] * covariance_[k][j];
    }
  }
  for (std::size_t i = 0; i < kStates; ++i) {
    for (std::size_t j = 0; j < kStates; ++j) {
      for (std::size_t k = 0; k < kStates; ++k) moved_covariance[i][j] += half[i][k] * step[j][k];
    }
  }
  covariance_ = moved_covariance;
  const double when =
      0.3 * driven *
      sqrt(covariance_[kDrift][kDrift] * square(driven) + covariance_[kTurnScale][kTurnScale] * square(turned));
  const double lost = square(params_.position_growth * driven) + square(when) + 1e-8;
  covariance_[kX][kX] += lost;
  covariance_[kY][kY] += lost;
  covariance_[kTurn][kTurn] += square(params_.heading_growth * driven);
  const double renewed = 1 - square(kept);
  covariance_[kErrorX][kErrorX] += square(sigma_of(report.error)) * renewed;
  covariance_[kErrorY][kErrorY] += square(sigma_of(report.error)) * renewed;
  covariance_[kErrorHeading][kErrorHeading] += square(report.error.sigma_heading) * renewed;
}

// Carried away, or the odometry began anew: what was known is worth nothing any more.
bool ReportFilter::contradicts(const robot::Report& report) const noexcept {
  const auto surprise = [this](StateIndex what, StateIndex error, double off) {
    const double variance = covariance_[what][what] + covariance_[error][error] + 2 * covariance_[what][error];
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
  Row gain{}, row{};
  for (std::size_t i = 0; i < kStates; ++i) row[i] = covariance_[what][i] + covariance_[error][i];
  const double variance = row[what] + row[error] + kMeasured;
  for (std::size_t i = 0; i < kStates; ++i) {
    gain[i] = row[i] / variance;
    state_[i] += gain[i] * difference;
  }
  for (std::size_t i = 0; i < kStates; ++i) {
    for (std::size_t j = 0; j < kStates; ++j) covariance_[i][j] -= gain[i] * row[j];
  }
}

Pose2 ReportFilter::belief_error() const noexcept {
  if (!running_) return {};
  return {state_[kErrorX], state_[kErrorY], state_[kErrorHeading]};
}

ReportFilter::Spread ReportFilter::spread() const noexcept {
  if (!running_) return {};
  return {covariance_[kX][kX], covariance_[kX][kY], covariance_[kY][kY], covariance_[kTurn][kTurn]};
}

}  // namespace forerun::predict
