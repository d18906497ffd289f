#include "forerun/world/world.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::world {

bool is_floor(const Triangle& t) noexcept {
  constexpr double kFlat = 0.005;  // [m] a floor may be this uneven
  return std::fabs(t.a.z) <= kFlat && std::fabs(t.b.z) <= kFlat && std::fabs(t.c.z) <= kFlat;
}

bool has_floor(const World& world) noexcept {
  return std::any_of(world.triangles.begin(), world.triangles.end(), is_floor);
}

Box2 bounds(const World& world) noexcept {
  Box2 box;
  for (const Triangle& t : world.triangles) {
    box.include(plan_view(t.a));
    box.include(plan_view(t.b));
    box.include(plan_view(t.c));
  }
  return box;
}

}  // namespace forerun::world
