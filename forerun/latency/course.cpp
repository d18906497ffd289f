#include "forerun/latency/course.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::latency {
namespace {

constexpr double kPlaceGain = 3.5;    // an error in place is gone in about 1/this [1/s]
constexpr double kHeadingGain = 4.0;  // likewise [1/s]
constexpr double kBraking = 0.6;      // share of the braking that is counted on

Vec2 rotated(Vec2 v, double angle) {
  const SinCos t = sincos(angle);
  return {t.cos * v.x - t.sin * v.y, t.sin * v.x + t.cos * v.y};
}

Vec2 at_most(Vec2 v, double longest) {
  const double n = length(v);
  return n > longest ? v * (longest / n) : v;
}

robot::Twist in_its_frame(const Pose2& pose, Vec2 velocity, double turn_rate, const robot::Limits& limits) {
  const Vec2 own = rotated(at_most(velocity, limits.max_speed), -pose.theta);
  return {own.x, own.y, std::clamp(turn_rate, -limits.max_turn_rate, limits.max_turn_rate)};
}

}  // namespace

double FreeKickLoop::length() { return 4 * (kHalfLength + kHalfWidth) + kTwoPi * kRadius; }

// Counter-clockwise from the middle of the right side.
Vec2 FreeKickLoop::place_at(double along) {
  const double quarter = kPi / 2 * kRadius;
  const double sides[4] = {2 * kHalfWidth, 2 * kHalfLength, 2 * kHalfWidth, 2 * kHalfLength};
  const Vec2 corners[4] = {
      {kHalfLength, kHalfWidth}, {-kHalfLength, kHalfWidth}, {-kHalfLength, -kHalfWidth}, {kHalfLength, -kHalfWidth}};
  double left = std::fmod(along + kHalfWidth, length());
  for (int side = 0; side < 4; ++side) {
    const double outward = side * kPi / 2;
    const Vec2 corner = corners[side], ahead = rotated({0, 1}, outward), out = rotated({kRadius, 0}, outward);
    if (left <= sides[side]) return corner + out - ahead * (sides[side] - left);
    left -= sides[side];
    if (left <= quarter) return corner + rotated({kRadius, 0}, outward + left / kRadius);
    left -= quarter;
  }
  return place_at(0);
}

Wish FreeKickLoop::at(double time) const {
  constexpr double kAside = 0.001;  // [s]
  const auto place = [&](double t) { return place_at(std::max(0.0, speed_ * t)); };
  const auto heading = [&](double t) {
    const Vec2 p = place(t);
    return atan2(-p.y, -p.x);
  };
  const Vec2 moved = place(time + kAside) - place(time);
  return {place(time), moved * (1 / kAside), heading(time),
          normalize_angle(heading(time + kAside) - heading(time)) / kAside};
}

double FreeKickLoop::distance(Vec2 place) {
  // the line is a rectangle with round corners: as far from the rectangle of the points as the radius
  const Vec2 out{std::fabs(place.x) - kHalfLength, std::fabs(place.y) - kHalfWidth};
  const double outside = forerun::length(Vec2{std::max(out.x, 0.0), std::max(out.y, 0.0)});
  const double inside = std::min(std::max(out.x, out.y), 0.0);
  return std::fabs(outside + inside - kRadius);
}

robot::Twist steer(const Pose2& pose, const Wish& wish, const robot::Limits& limits) {
  const Vec2 velocity = wish.velocity + (wish.place - pose.position()) * kPlaceGain;
  const double turn = wish.turn_rate + kHeadingGain * normalize_angle(wish.heading - pose.theta);
  return in_its_frame(pose, velocity, turn, limits);
}

robot::Twist approach_target(const Pose2& pose, Vec2 target, double heading, const robot::Limits& limits) {
  const Vec2 way = target - pose.position();
  const double left = forerun::length(way);
  const double speed = std::min({limits.max_speed, kPlaceGain * left, sqrt(2 * kBraking * limits.deceleration * left)});
  const Vec2 velocity = left > 1e-9 ? way * (speed / left) : Vec2{};
  return in_its_frame(pose, velocity, kHeadingGain * normalize_angle(heading - pose.theta), limits);
}

}  // namespace forerun::latency
