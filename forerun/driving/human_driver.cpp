#include "forerun/driving/human_driver.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::driving {
namespace {

constexpr double kFastest = 0.5;       // more is offered to no hand [m/s]
constexpr double kOfTopSpeed = 0.7;    // and not all that the robot could
constexpr double kNearestLook = 0.45;  // ahead [m]
constexpr double kCalmBraking = 0.25;  // before the end [m/s²]
constexpr double kBeforeDock = 0.3;    // there it looks at the end alone [m]
constexpr double kAtEnd = 0.04;        // that is near enough [m]
constexpr double kTooFar = 0.06;       // beyond the end [m]
constexpr double kCreepBack = 0.08;    // [m/s]
constexpr double kCareless = 0.1;      // so far off the line nobody slows down [m]
constexpr double kWorried = 0.5;       // and so far off everybody creeps [m]
constexpr double kCreep = 0.25;        // of the usual speed
constexpr double kTurnFirst = 1.1;     // beyond this angle it turns before it drives [rad]

}  // namespace

double usual_speed(const robot::Limits& limits) { return std::min(kFastest, kOfTopSpeed * limits.max_speed); }

HumanDriver::HumanDriver(const Course& course, const robot::Limits& limits, const DriverParams& params,
                         std::uint64_t seed)
    : course_(course),
      limits_(limits),
      params_(params),
      speed_(usual_speed(limits)),
      random_(seed, 0xd41),
      known_{0, start_of(course)},
      next_glance_(random_.uniform(0.5, 1.5) * params.glance_every_s) {}

robot::Twist HumanDriver::drive(double time, const Pose2& shown) {
  look(time, shown);
  if (time >= next_decision_) decide(time);
  return hand_;
}

void HumanDriver::look(double time, const Pose2& shown) {
  if (time >= next_glance_) {
    glance_ends_ = time + params_.glance_s * random_.uniform(0.7, 1.3);
    next_glance_ = glance_ends_ + random_.uniform(0.5, 1.5) * params_.glance_every_s;
  }
  if (time < glance_ends_) return;
  Pose2 pose = shown;
  pose.x += params_.eye_noise_m * random_.normal();
  pose.y += params_.eye_noise_m * random_.normal();
  seen_.push_back({time, pose});
}

void HumanDriver::decide(double time) {
  next_decision_ = time + params_.decide_s;
  while (!seen_.empty() && seen_.front().time <= time - params_.reaction_s) {
    known_ = seen_.front();
    seen_.pop_front();
  }
  hand_ = noisy(steer(known_.pose));
}

// Bends as the line does where the robot will be when the hand has moved, and back towards the line by what it is off;
// slower in bends, off the line and before the end.
robot::Twist HumanDriver::steer(const Pose2& seen) {
  const OnLine on_line = find_on_line(course_, seen.position(), along_);
  along_ = on_line.along;
  if (const auto last = dock(seen)) return *last;
  const double ahead = std::max(kNearestLook, speed_ * params_.preview_s);
  const double late = speed_ * (params_.reaction_s + 0.5 * params_.decide_s);
  const double wanted = direction_at(course_, along_) - std::atan2(on_line.off, ahead);
  const double angle = normalize_angle(wanted - seen.theta);
  if (std::fabs(angle) > kTurnFirst) return {0, 0, std::copysign(0.5 * limits_.max_turn_rate, angle)};
  const double bend = bend_at(course_, along_ + late) + 2 * angle / ahead;
  const double speed = speed_for(on_line, bend);
  return {speed, 0, speed * bend};
}

// At the end of a dock it stops, or creeps back where it has gone too far.
std::optional<robot::Twist> HumanDriver::dock(const Pose2& seen) const {
  if (!course_.docks || length_of(course_) - along_ > kBeforeDock) return std::nullopt;
  const double beyond = dot(seen.position() - course_.line.back(), unit_vector(direction_at(course_, along_)));
  if (beyond < -kAtEnd) return std::nullopt;
  return robot::Twist{beyond > kTooFar ? -kCreepBack : 0, 0, 0};
}

double HumanDriver::speed_for(const OnLine& on_line, double bend) const {
  const double worry = clamp((std::fabs(on_line.off) - kCareless) / (kWorried - kCareless), 0.0, 1.0);
  double speed = speed_ * (1 - (1 - kCreep) * worry);
  const double left = length_of(course_) - on_line.along;
  if (course_.docks)
    speed = std::min(speed, std::max(0.05, std::sqrt(2 * kCalmBraking * std::max(left - kAtEnd, 0.0))));
  const double most_turning = 0.7 * limits_.max_turn_rate;
  return std::min(speed, most_turning / std::max(std::fabs(bend), 1e-6));
}

robot::Twist HumanDriver::noisy(const robot::Twist& meant) {
  const auto as_done = [&](double value) { return value * (1 + params_.hand_noise * random_.normal()); };
  return {as_done(meant.vx), 0, as_done(meant.w)};
}

}  // namespace forerun::driving
