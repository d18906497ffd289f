#include "forerun/mapping/surface.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace forerun::mapping {
namespace {

constexpr int kNeighbours = 4;           // beams to each side that may show the direction of a surface
constexpr std::size_t kFewest = 4;       // points that make a line
constexpr double kShortest = 0.02;       // spread of points along a line [m]
constexpr double kThickest = 0.025;      // and across: a laser's noise [m]
constexpr double kThickestShare = 0.02;  // across, of what it is along; both squared

// Points further apart than this are not on one surface: more than a wall seen at a slant puts between two beams.
double largest_gap(double range, double step) { return std::max(0.12, 5 * range * step); }

// Point `i` and its neighbours on the same surface.
std::span<const SurfacePoint> neighbours_of(std::span<const SurfacePoint> points, std::size_t i, double gap) {
  std::size_t low = i, high = i;
  const auto joined = [&](std::size_t a, std::size_t b) { return distance(points[a].at, points[b].at) < gap; };
  for (int k = 0; k < kNeighbours; ++k) {
    if (low > 0 && joined(low - 1, low)) --low;
    if (high + 1 < points.size() && joined(high, high + 1)) ++high;
  }
  return points.subspan(low, high - low + 1);
}

// The direction of the line through the points by least squares; none where they are few, short or off the line.
std::optional<Vec2> fit_line(std::span<const SurfacePoint> points) {
  if (points.size() < kFewest) return std::nullopt;
  const double share = 1 / static_cast<double>(points.size());
  Vec2 mean;
  for (const SurfacePoint& point : points) mean = mean + point.at * share;
  double xx = 0, xy = 0, yy = 0;
  for (const SurfacePoint& point : points) {
    const Vec2 d = point.at - mean;
    xx += d.x * d.x * share;
    xy += d.x * d.y * share;
    yy += d.y * d.y * share;
  }
  const double half = (xx + yy) / 2, root = sqrt(square((xx - yy) / 2) + xy * xy);
  const double across = half - root, along = half + root;
  // a line that is too short says nothing of its direction, one too thick is none
  if (along < square(kShortest) || across > std::max(square(kThickest), kThickestShare * along)) return std::nullopt;
  return unit_vector(0.5 * atan2(2 * xy, xx - yy));
}

}  // namespace

std::vector<SurfacePoint> find_surface(std::span<const float> ranges, const BeamFan& fan) {
  std::vector<SurfacePoint> points;
  std::vector<double> read;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double range = ranges[i];
    if (!(range >= fan.nearest && range < fan.farthest)) continue;
    const double angle = fan.first_angle + fan.angle_step * static_cast<double>(i);
    points.push_back({unit_vector(fan.upside_down ? -angle : angle) * range, {}});
    read.push_back(range);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double gap = largest_gap(read[i], std::fabs(fan.angle_step));
    const auto ahead = fit_line(neighbours_of(points, i, gap));
    points[i].flat = ahead.has_value();
    if (!ahead) continue;
    const Vec2 normal = left_normal(*ahead);
    points[i].normal = dot(normal, points[i].at) > 0 ? -normal : normal;
  }
  const Transform2 robot_from_laser(fan.robot_from_laser);
  for (SurfacePoint& point : points) point = robot_from_laser * point;
  return points;
}

std::vector<SurfacePoint> thin_out(std::span<const SurfacePoint> points, double cell_size) {
  std::vector<SurfacePoint> kept;
  std::unordered_set<std::uint64_t> taken;
  for (const SurfacePoint& point : points) {
    const auto x = static_cast<std::int32_t>(std::floor(point.at.x / cell_size));
    const auto y = static_cast<std::int32_t>(std::floor(point.at.y / cell_size));
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 | static_cast<std::uint32_t>(y);
    if (taken.insert(key).second) kept.push_back(point);
  }
  return kept;
}

}  // namespace forerun::mapping
