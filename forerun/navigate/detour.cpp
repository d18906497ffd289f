#include "forerun/navigate/detour.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::navigate {
namespace {

constexpr int kDetourDirections = 48;
constexpr double kShortest = 0.3;   // nearer points are not worth driving to [m]
constexpr double kSpacing = 0.3;    // between the points looked at along a direction [m]
constexpr double kSlack = 0.1;      // obstacles this near to the point itself do not hide it [m]

}  // namespace

bool is_in_sight(const ObstacleField& obstacles, Vec2 point_in_robot, double radius) noexcept {
  const double way = length(point_in_robot);
  if (way < kSlack) return true;
  return obstacles.free_way(point_in_robot * (1 / way), radius, way) >= way - kSlack;
}

std::optional<Vec2> find_detour(const ValueFunction& values, const ObstacleField& obstacles,
                                const Transform2& world_from_robot, Vec2 last_target,
                                const DetourParams& params) noexcept {
  const double last_bearing = angle_of(world_from_robot.to_local(last_target));
  std::optional<Vec2> best;
  double least = kInfinity;
  for (int i = 0; i < kDetourDirections; ++i) {
    const double bearing = normalize_angle(i * kTwoPi / kDetourDirections);
    const Vec2 direction = unit_vector(bearing);
    const double way = obstacles.free_way(direction, params.radius, params.reach);
    const double turning = params.turn_cost * std::fabs(bearing) +
                           params.change_cost * std::fabs(normalize_angle(bearing - last_bearing));
    for (double d = kShortest; d <= way; d += kSpacing) {
      const Vec2 point = world_from_robot * (direction * d);
      const double value = values.value(values.frame().cell_of(point)) * values.frame().cell_size;
      const double cost = d + value + turning;
      if (cost < least) {
        least = cost;
        best = point;
      }
    }
  }
  return best;
}

}  // namespace forerun::navigate
