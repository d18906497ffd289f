#include "forerun/atlas/floor_finder.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace forerun::atlas {

double find_floor_height(const world::World& world) {
  constexpr double kLevel = 0.9995;  // cosine: steeper than two degrees is a ramp
  constexpr double kGrain = 0.005;   // [m] surfaces within this are one level
  constexpr double kSmallest = 0.5;  // [m²] a robot stands on no less
  constexpr double kNotable = 0.1;   // of the largest level

  struct Level {
    double area = 0, moment = 0;
  };
  std::map<long long, Level> levels;
  for (const world::Triangle& t : world.triangles) {
    const Vec3 normal = cross(t.b - t.a, t.c - t.a);
    const double area = length(normal) / 2;
    if (area == 0 || normal.z < kLevel * 2 * area) continue;
    const double z = (t.a.z + t.b.z + t.c.z) / 3;
    Level& level = levels[std::llround(z / kGrain)];
    level.area += area;
    level.moment += area * z;
  }
  double largest = 0;
  for (const auto& [place, level] : levels) largest = std::max(largest, level.area);
  for (const auto& [place, level] : levels) {
    if (level.area >= kSmallest && level.area >= kNotable * largest) return level.moment / level.area;
  }
  return 0;
}

}  // namespace forerun::atlas
