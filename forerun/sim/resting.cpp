#include "forerun/sim/resting.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/world/ground.hpp"

namespace forerun::sim {
namespace {

constexpr int kSamples = 33;          // along a track
constexpr double kHighestStep = 0.5;  // above the frame [m]

struct Point {
  double x, z;
};
using Profile = FixedVector<Point, kSamples>;

// The frame's height above the ground's where a belt's round ends stand on it.
struct Line {
  double height, slope;  // at x = 0; upwards ahead
};

double turn(const Point& a, const Point& b, const Point& c) noexcept {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// The edge of the upper hull that lies below the centre of gravity: there a ruler comes to rest.
std::optional<Line> ruler(const Profile& profile, double gravity_x) noexcept {
  Profile hull;
  for (const Point& p : profile) {
    while (hull.size() >= 2 && turn(hull[hull.size() - 2], hull.back(), p) >= 0) hull.resize(hull.size() - 1);
    hull.push_back(p);
  }
  if (hull.size() < 2) return std::nullopt;
  std::size_t i = 1;
  while (i + 1 < hull.size() && hull[i].x < gravity_x) ++i;
  const Point &a = hull[i - 1], &b = hull[i];
  const double slope = (b.z - a.z) / (b.x - a.x);
  return Line{a.z - slope * a.x, slope};
}

// What a wheel's axle would do on this ground: a track of such wheels touches where one of them does.
std::optional<Line> rest_track(const world::Ground& ground, const robot::Crawler& c, const Pose2& pose, double side,
                               double ceiling) noexcept {
  const double radius = c.track_radius, half = c.track_length / 2 + radius;
  std::array<double, kSamples> ground_at{};
  const double step = 2 * half / (kSamples - 1);
  for (int i = 0; i < kSamples; ++i) {
    ground_at[static_cast<std::size_t>(i)] = ground.height(pose * Vec2{-half + i * step, side}, ceiling);
  }
  Profile axles;
  for (int i = 0; i < kSamples; ++i) {
    const double x = -half + i * step;
    if (std::fabs(x) > c.track_length / 2 + 1e-9) continue;
    double z = -kInfinity;
    for (int k = 0; k < kSamples; ++k) {
      const double away = -half + k * step - x;
      if (std::fabs(away) > radius) continue;
      z = std::max(z, ground_at[static_cast<std::size_t>(k)] + sqrt(radius * radius - away * away));
    }
    if (z > -kInfinity) axles.push_back({x, z});
  }
  return ruler(axles, c.center_of_gravity.x);
}

}  // namespace

std::optional<Resting> rest(const world::Terrain& terrain, const robot::Crawler& crawler, const Pose2& pose,
                            double height) {
  const double reach = crawler.track_length / 2 + crawler.track_radius + crawler.track_offset;
  const world::Ground ground(terrain, pose.position(), reach);
  const double ceiling = height + kHighestStep;
  const auto left = rest_track(ground, crawler, pose, crawler.track_offset, ceiling);
  const auto right = rest_track(ground, crawler, pose, -crawler.track_offset, ceiling);
  if (!left || !right) return std::nullopt;
  return Resting{(left->height + right->height) / 2, atan2(left->height - right->height, 2 * crawler.track_offset),
                 -atan2((left->slope + right->slope) / 2, 1)};
}

}  // namespace forerun::sim
