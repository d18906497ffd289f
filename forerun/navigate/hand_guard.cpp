#include "forerun/navigate/hand_guard.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/navigate/dynamic_window.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/robot/motors.hpp"

namespace forerun::navigate {
namespace {

constexpr double kMargin = 0.05;      // kept free around the footprint, or as much of it as there is [m], …
constexpr double kMarginTime = 0.03;  // … and for each m/s so much more [s]: what goes fast is off by more
constexpr double kBrakeShare = 0.85;  // of the braking limit, as the dynamic window counts on it
constexpr double kLate = 0.03;        // a decision may come so much late [s]
constexpr double kStands = 0.01;      // slower than this it stands [m/s], [rad/s]
constexpr double kSmallStep = 0.025;  // of the footprint's rim, from one look to the next [m]
constexpr double kLongStep = 0.05;    // between two looks at most [s]
constexpr int kMostSteps = 400;
constexpr double kRounding = 1e-9;    // [m]
constexpr double kMostlyAlong = 0.7;  // sine of the angle to the wall's normal from which a hand leads along it
constexpr double kSlidingTurn = 0.5;  // of the top turn rate, along a wall
constexpr double kAway = 0.05;        // likewise, a little away from it [rad]
constexpr double kSameSide = 0.1;     // so much farther off is part of the same wall [m]
constexpr double kWorthIt = 0.05;     // sliding must be faster by so much of what was asked for

double speed_of(const robot::Twist& v) noexcept { return length(Vec2{v.vx, v.vy}); }
robot::Twist scaled(const robot::Twist& v, double share) noexcept { return {v.vx * share, v.vy * share, v.w}; }

std::size_t sector_of(Vec2 direction, std::size_t n) noexcept {
  const double turns = angle_of(direction) / kTwoPi;
  return static_cast<std::size_t>((turns < 0 ? turns + 1 : turns) * static_cast<double>(n)) % n;
}

}  // namespace

bool can_guard_hand(const robot::Description& robot) noexcept {
  if (robot.crawler) return false;
  return std::any_of(robot.sensors.begin(), robot.sensors.end(), [](const robot::Sensor& sensor) {
    return !std::holds_alternative<robot::BumperRing>(sensor) && robot::reading_size(sensor) > 0;
  });
}

HandGuard::HandGuard(const robot::Description& robot) noexcept
    : footprint_(robot.footprint),
      drive_(robot.drive),
      limits_(robot.limits),
      reaction_(robot.control.period + kLate),
      lag_(robot.control.motor_lag) {
  limits_.deceleration *= kBrakeShare;
  limits_.turn_deceleration *= kBrakeShare;
  // an omnidirectional drive is as fast along each axis
  const double v = limits_.max_speed * (drive_.can_strafe() ? sqrt(2.0) : 1);
  reach_ =
      footprint_.radius + 2 * kMargin + v * (kMarginTime + reaction_ + 2 * lag_) + v * v / (2 * limits_.deceleration);
}

// Signed: inside it is the way to the nearest edge, as a negative number.
double HandGuard::gap_to(Vec2 p) const noexcept {
  if (footprint_.is_disc()) return length(p) - footprint_.radius;
  const double outside = robot::distance_to(footprint_, p);
  if (outside > 0) return outside;
  double deepest = -kInfinity;
  const std::size_t n = footprint_.corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 from = footprint_.corners[i], side = footprint_.corners[(i + 1) % n] - from;
    deepest = std::max(deepest, -cross(side, p - from) / length(side));
  }
  return deepest;
}

// What is already nearer than the margin may stay so, on that side.
void HandGuard::look(const ObstacleField& obstacles) noexcept {
  points_.clear();
  std::array<double, kSectors> nearest;
  nearest.fill(kInfinity);
  for (const Obstacle& o : obstacles.nearest_first()) {
    if (o.range > reach_) break;
    const Point point{o.point_in_robot, gap_to(o.point_in_robot)};
    if (!points_.push_back(point)) break;
    double& there = nearest[sector_of(point.place, kSectors)];
    there = std::min(there, point.gap);
  }
  for (std::size_t i = 0; i < kSectors; ++i) {
    room_[i] = kInfinity;
    for (std::size_t k = kSectors - 2; k <= kSectors + 2; ++k) {
      room_[i] = std::min(room_[i], nearest[(i + k) % kSectors]);
    }
  }
}

double HandGuard::room_toward(Vec2 direction) const noexcept { return room_[sector_of(direction, kSectors)]; }

// What is nearer than it may be with the robot here.
HandGuard::Touch HandGuard::touch_at(const Pose2& pose, double margin) const noexcept {
  const Transform2 start_from_robot(pose);
  const double near2 = square(footprint_.radius + margin);
  for (const Point& p : points_) {
    const Vec2 off = p.place - pose.position();
    if (dot(off, off) >= near2) continue;
    const double gap = gap_to(start_from_robot.to_local(p.place));
    if (gap < std::min({margin, room_toward(off), p.gap}) - kRounding) return {&p, facing(pose.position(), off)};
  }
  return {};
}

// Which way that stands: as all do that are about as near on this side, because one point alone is noise.
Vec2 HandGuard::facing(Vec2 middle, Vec2 off) const noexcept {
  const double reach = length(off) + kSameSide;
  Vec2 sum = off;
  for (const Point& p : points_) {
    const Vec2 other = p.place - middle;
    if (dot(other, other) >= square(reach) || dot(other, off) <= 0) continue;
    const double range = length(other);
    sum = sum + other * ((reach - range) / std::max(range, 1e-9));
  }
  return sum * (1 / std::max(length(sum), 1e-9));
}

// Motors may follow faster than they are said to, which bends a way otherwise.
HandGuard::Touch HandGuard::first_touch(const HandGoing& going, const robot::Twist& command) const noexcept {
  const Touch touch = first_touch(going, command, lag_);
  return touch.point != nullptr || lag_ <= 0 ? touch : first_touch(going, command, 0);
}

// Drives on with the command until the next decision, and then brakes.
HandGuard::Touch HandGuard::first_touch(const HandGoing& going, const robot::Twist& command,
                                        double lag) const noexcept {
  const robot::Twist obeyed = robot::within_steering(drive_, command);
  robot::Motors motors;
  motors.velocity = going.velocity;
  motors.ramped = robot::approach(going.velocity, going.commanded, limits_, lag);
  const double fastest = std::max({speed_of(going.velocity), speed_of(going.commanded), speed_of(obeyed)});
  const double rim = fastest + (footprint_.is_disc() ? 0 : footprint_.radius * limits_.max_turn_rate);
  const double margin = kMargin + kMarginTime * fastest;
  const double step = std::min(kLongStep, kSmallStep / std::max(rim, 1e-3));
  const double share = robot::lag_share(lag, step);
  Pose2 pose;
  double time = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    motors.step(time < reaction_ ? obeyed : robot::Twist{}, limits_, step, share);
    pose = robot::move(pose, motors.velocity, step);
    time += step;
    if (const Touch touch = touch_at(pose, margin); touch.point != nullptr) return touch;
    const bool stands = speed_of(motors.velocity) < kStands && std::fabs(motors.velocity.w) < kStands;
    if (time >= reaction_ && stands) break;
  }
  return {};
}

bool HandGuard::is_safe(const HandGoing& going, const robot::Twist& command) const noexcept {
  return first_touch(going, command).point == nullptr;
}

// How much of its speed is safe, with the turn as it is; negative: none, not even standing still.
double HandGuard::safe_share(const HandGoing& going, const robot::Twist& command) const noexcept {
  constexpr std::array<double, 9> kShares{1, 0.85, 0.7, 0.55, 0.4, 0.25, 0.15, 0.07, 0};
  const bool moves = speed_of(command) > 0;
  for (std::size_t i = moves ? 0 : kShares.size() - 1; i < kShares.size(); ++i) {
    if (!is_safe(going, scaled(command, kShares[i]))) continue;
    if (i == 0 || !moves) return kShares[i];
    double safe = kShares[i], unsafe = kShares[i - 1];
    for (int k = 0; k < 3; ++k) {
      const double middle = (safe + unsafe) / 2;
      (is_safe(going, scaled(command, middle)) ? safe : unsafe) = middle;
    }
    return safe;
  }
  return -1;
}

// Turns as it was asked to, only slower ahead; where turning itself would touch, it turns less.
robot::Twist HandGuard::slowed(const HandGoing& going, const robot::Twist& wanted) const noexcept {
  for (const double turn : {1.0, 0.5, 0.2, 0.0}) {
    const robot::Twist command{wanted.vx, wanted.vy, wanted.w * turn};
    if (const double share = safe_share(going, command); share >= 0) return scaled(command, share);
    if (wanted.w == 0) break;
  }
  return {};
}

// Along what it would touch: without the part that leads into it where the drive can, else turning away from it.
robot::Twist HandGuard::slid(const HandGoing& going, const robot::Twist& wanted, const Touch& touch) const noexcept {
  const double speed = speed_of(wanted);
  if (speed <= 0) return {};
  const Vec2 way = Vec2{wanted.vx, wanted.vy} * (1 / speed);
  const double into = dot(way, touch.away), along = cross(touch.away, way);
  if (into <= 0 || std::fabs(along) < kMostlyAlong) return {};
  robot::Twist command = wanted;
  if (drive_.can_strafe()) {
    const Vec2 rest = (way - touch.away * (into + kAway)) * (speed / (1 + kAway));
    command = {rest.x, rest.y, wanted.w};
  } else {
    const double side = along > 0 ? 1 : -1, angle = atan2(into, std::fabs(along)) + kAway;
    if (wanted.w * side < 0) return {};  // the hand turns towards it: it is not led along
    const double turn = std::min(kSlidingTurn * limits_.max_turn_rate, angle / (2 * reaction_));
    if (std::fabs(wanted.w) >= turn) return {};
    command = {wanted.vx * std::fabs(along), wanted.vy * std::fabs(along), side * turn};
  }
  const double share = safe_share(going, command);
  return share > 0 ? robot::within_steering(drive_, scaled(command, share)) : robot::Twist{};
}

AllowedHand HandGuard::allow(const HandGoing& going, const robot::Twist& wanted,
                             const ObstacleField& obstacles) noexcept {
  if (wanted == robot::Twist{}) return {};
  look(obstacles);
  const Touch touch = first_touch(going, wanted);
  if (touch.point == nullptr) return {.velocity = wanted};
  AllowedHand allowed{.velocity = slowed(going, wanted),
                      .distance = std::max(0.0, touch.point->gap),
                      .bearing = angle_of(touch.point->place)};
  const double speed = speed_of(wanted);
  const robot::Twist along = slid(going, wanted, touch);
  if (speed_of(along) > speed_of(allowed.velocity) + kWorthIt * speed) allowed.velocity = along;
  const double kept = speed > 0 ? speed_of(allowed.velocity) / speed : 1;
  const double turned = wanted.w != 0 ? std::fabs(allowed.velocity.w / wanted.w) : 1;
  allowed.held_back = clamp(1 - std::min(kept, turned), 0.0, 1.0);
  return allowed;
}

}  // namespace forerun::navigate
