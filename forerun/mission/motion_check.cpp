#include "forerun/mission/motion_check.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::mission {
namespace {

constexpr double kJump = 0.15;        // localization moves so far against the wheels only by a jump [m], …
constexpr double kJumpTurn = 0.15;    // … and turns so far [rad]
constexpr double kSampleEvery = 0.1;  // way, or radians, between two samples [m, rad]
constexpr double kWindow = 5;         // way over which wheels and localization are compared [m]
constexpr double kTurnWindow = 8;     // likewise, turning [rad]
// Localization errs by this much more or less, several times its usual error …
constexpr double kPoseDoubt = 0.35;     // [m]
constexpr double kHeadingDoubt = 0.15;  // [rad]
// … and wheels that are as they were calibrated by this much.
constexpr double kScale = 0.12;      // of the way
constexpr double kTurnScale = 0.12;  // of the turning
constexpr double kDrift = 0.05;      // of the heading [rad/m]

}  // namespace

void MotionCheck::forget() noexcept {
  n_ = 0;
  begun_ = false;
}

MotionCheck::Verdict MotionCheck::look(const navigate::Percept& percept) noexcept {
  Sample now{percept.odometry, percept.pose, 0, 0};
  if (!begun_) {
    begun_ = true;
    last_ = now;
    samples_[n_++ % kSamples] = now;
    return Verdict::fine;
  }
  now.driven = last_.driven + distance(last_.odometry.position(), now.odometry.position());
  now.turned = last_.turned + std::fabs(normalize_angle(now.odometry.theta - last_.odometry.theta));
  const bool jump = jumped(now);
  last_ = now;
  if (jump) return Verdict::jumped;
  const Sample& newest = samples_[(n_ - 1) % kSamples];
  if (now.driven - newest.driven + now.turned - newest.turned < kSampleEvery) return Verdict::fine;
  samples_[n_++ % kSamples] = now;
  return drifted(now) ? Verdict::drifted : Verdict::fine;
}

bool MotionCheck::jumped(const Sample& now) noexcept {
  const Pose2 by_wheels = inverse(last_.odometry) * now.odometry, by_pose = inverse(last_.pose) * now.pose;
  apart_m_ = distance(by_wheels.position(), by_pose.position());
  apart_rad_ = std::fabs(normalize_angle(by_wheels.theta - by_pose.theta));
  return apart_m_ > kJump || apart_rad_ > kJumpTurn;
}

// Against every sample of the last metres: what drifts fast shows soon, what drifts slowly over a long way.
bool MotionCheck::drifted(const Sample& now) noexcept {
  for (std::size_t k = 2; k <= std::min(n_, kSamples); ++k) {
    const Sample& then = samples_[(n_ - k) % kSamples];
    const double driven = now.driven - then.driven, turned = now.turned - then.turned;
    if (driven > kWindow || turned > kTurnWindow) break;
    const Pose2 by_wheels = inverse(then.odometry) * now.odometry, by_pose = inverse(then.pose) * now.pose;
    apart_m_ = std::fabs(length(by_wheels.position()) - length(by_pose.position()));
    apart_rad_ = std::fabs(normalize_angle(by_wheels.theta - by_pose.theta));
    // a heading that is off bends the way as well: its length is compared only where the heading agrees
    if (apart_rad_ > kHeadingDoubt + kTurnScale * turned + kDrift * driven) return true;
    if (apart_m_ > kPoseDoubt + kScale * driven + 0.5 * apart_rad_ * driven) return true;
  }
  return false;
}

}  // namespace forerun::mission
