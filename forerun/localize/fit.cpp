#include "forerun/localize/fit.hpp"

#include "forerun/localize/grid_walk.hpp"

namespace forerun::localize {
namespace {

constexpr double kNearWall = 0.3;      // an echo this near to a wall comes from it [m]
constexpr double kWallInTheWay = 0.4;  // nearer to the echo than this, a wall in the way may be the echo's own [m]

}  // namespace

bool is_seen_through_wall(const OccupancyMap& map, const Transform2& world_from_robot, const Echo& echo) noexcept {
  const Vec2 from = world_from_robot * echo.from, at = world_from_robot * echo.at;
  const double way = length(at - from);
  if (way <= kWallInTheWay) return false;
  bool blocked = false;
  walk(map.frame(), from, from + (at - from) * (1 - kWallInTheWay / way), [&](Cell cell) {
    blocked = map[cell] == Occupancy::occupied;
    return !blocked;
  });
  return blocked;
}

double explained_share(const LikelihoodField& field, const EchoTable& table, const Echoes& echoes,
                       const Pose2& pose) noexcept {
  const Transform2 world_from_robot(pose);
  double sum = 0;
  for (const Echo& echo : echoes) {
    sum += static_cast<double>(table.explained(distance_to_wall(field, world_from_robot, echo)));
  }
  return echoes.empty() ? 0 : sum / static_cast<double>(echoes.size());
}

Fit fit_of(const OccupancyMap& map, const LikelihoodField& field, const EchoTable& table, const Echoes& echoes,
           const Pose2& pose) noexcept {
  Fit fit;
  if (echoes.empty()) return fit;
  const Transform2 world_from_robot(pose);
  const double share = 1 / static_cast<double>(echoes.size());
  for (const Echo& echo : echoes) {
    const std::uint8_t distance = distance_to_wall(field, world_from_robot, echo);
    const bool through = is_seen_through_wall(map, world_from_robot, echo);
    if (through) {
      fit.through += share;
      continue;
    }
    fit.explained += share * static_cast<double>(table.explained(distance));
    if (distance > kNearWall * 100) fit.in_front += share;
  }
  return fit;
}

}  // namespace forerun::localize
