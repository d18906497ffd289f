#include "forerun/estimate/calibrator.hpp"

#include <cmath>
#include <utility>

namespace forerun::estimate {
namespace {

constexpr double kFastest = 5.0;  // no wheel rolls faster [m/s]: such ticks are a wrap, a reset or a fault

EncoderScale encoder_scale(const robot::DifferentialGeometry& believed, double ticks_per_turn) noexcept {
  const double smaller =
      believed.left_diameter < believed.right_diameter ? believed.left_diameter : believed.right_diameter;
  return {ticks_per_turn, kFastest / (kPi * smaller)};
}

bool is_finite(const ExternalPose& measured) noexcept {
  return std::isfinite(measured.pose.x) && std::isfinite(measured.pose.y) &&
         (!measured.has_heading || std::isfinite(measured.pose.theta));
}

}  // namespace

Calibrator::Calibrator(const robot::DifferentialGeometry& believed, double ticks_per_turn,
                       const CalibratorParams& params) noexcept
    : params_(params),
      encoders_(encoder_scale(believed, ticks_per_turn)),
      filter_(believed, params.robot_from_sensor, params.filter) {}

void Calibrator::add_ticks(RobotTime time, const Ticks& ticks) noexcept {
  if (tick_time_ && time <= *tick_time_) return;
  const RobotTime before = tick_time_.value_or(time);
  const double elapsed = to_seconds(time - before);
  const auto turns = encoders_.advance(ticks, elapsed);
  const bool first = !tick_time_;
  tick_time_ = time;
  if (!turns || elapsed > params_.longest_gap_s) {
    if (!first) break_off();
    return;
  }
  // a pose older than the oldest step that waits can no longer be put in
  if (steps_.full()) follow_wheels_to(steps_[steps_.size() / 2].to);
  steps_.push_back({before, time, *turns});
  if (waiting_ && waiting_->first <= time) {
    const auto [when, measured] = *waiting_;
    waiting_.reset();
    (void)take(when, measured);
  }
}

PoseUse Calibrator::add_pose(RobotTime time, const ExternalPose& measured) noexcept {
  if (!is_finite(measured) || !tick_time_) return PoseUse::useless;
  if (time > *tick_time_) {
    waiting_ = {time, measured};
    return PoseUse::waiting;
  }
  return take(time, measured);
}

PoseUse Calibrator::take(RobotTime time, const ExternalPose& measured) noexcept {
  // before it has a pose: what the wheels did before that is not known any more, or never was
  const RobotTime known_from = steps_.empty() ? *tick_time_ : steps_[0].from;
  if (located_ ? time <= filter_time_ : time < known_from) {
    ++counts_.late;
    return PoseUse::late;
  }
  if (located_) {
    follow_wheels_to(time);
    last_innovation_ = filter_.correct(measured);
    if (last_innovation_.squared <= usual_gate(measured.n_values())) {
      ++counts_.used;
      outliers_in_a_row_ = 0;
      return PoseUse::used;
    }
    ++counts_.outliers;
    if (++outliers_in_a_row_ < params_.outliers_in_a_row) return PoseUse::outlier;
  }
  // without a heading it is not known which way the robot faces: such a sensor cannot start
  if (!measured.has_heading) return PoseUse::useless;
  follow_wheels_to(time);
  filter_.start_at(pose_from(measured, filter_.mount(), params_.filter.noise));
  filter_time_ = time;
  located_ = true;
  outliers_in_a_row_ = 0;
  return PoseUse::started;
}

void Calibrator::break_off() noexcept {
  ++counts_.breaks;
  located_ = false;
  steps_.clear();
  waiting_.reset();
}

// Uses up the steps until then; of the one in between only its share.
void Calibrator::follow_wheels_to(RobotTime time) noexcept {
  std::size_t n_done = 0;
  for (Step& step : steps_) {
    if (step.from >= time) break;
    const double whole = to_seconds(step.to - step.from);
    const bool reaches_beyond = step.to > time;
    const double share = reaches_beyond ? to_seconds(time - step.from) / whole : 1.0;
    const WheelTurns turns{step.turns.left * share, step.turns.right * share};
    if (located_) filter_.predict(turns, whole * share);
    step.turns = {step.turns.left - turns.left, step.turns.right - turns.right};
    step.from = time;
    if (reaches_beyond) break;
    ++n_done;
  }
  for (std::size_t i = n_done; i < steps_.size(); ++i) steps_[i - n_done] = steps_[i];
  steps_.resize(steps_.size() - n_done);
  filter_time_ = time;
}

std::optional<Pose2> Calibrator::pose() const noexcept {
  if (!located_) return std::nullopt;
  Pose2 pose = filter_.pose();
  for (const Step& step : steps_) pose = move_along(pose, arc_of(filter_.geometry(), step.turns));
  return pose;
}

}  // namespace forerun::estimate
